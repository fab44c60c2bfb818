internal import CPaviseSQLite
internal import PaviseCrypto
internal import PavisePrimitives

/// The layer between SQLite and the system's files, known to SQLite as a VFS (sqlite.org/vfs.html).
///
/// It opens databases and their logs, and refuses every other kind of file: nothing can spill in clear.
@safe
enum SealedFileSystem {
    /// The name that a connection asks for.
    static let name = "pavise"
    /// The parameter of a file's name that carries the ticket of its key.
    static let ticketParameter = "ticket"

    /// Whether SQLite's memory is overwritten before it is given back: pages, statements, bound values. It can only be
    /// arranged before the first use of SQLite in the process (sqlite3_config); `false` when somebody was earlier.
    static let wipesMemory = pavise_sqlite_wipe_memory() == SQLITE_OK

    // Safe to share: SQLite's own layer for this system, which lives as long as the program and does not change.
    nonisolated(unsafe) private static let system = {
        _ = wipesMemory
        return unsafe sqlite3_vfs_find(nil)
    }()

    /// SQLite's result code of the one registration.
    static let registration: Int32 = {
        guard let lower = unsafe system else { return SQLITE_ERROR }
        // SQLite keeps the structure and the name for the life of the program.
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe layer.initialize(to: lower.pointee)
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
        for (index, byte) in (Array(name.utf8) + [0]).enumerated() { unsafe text[index] = CChar(bitPattern: byte) }
        unsafe layer.pointee.zName = UnsafePointer(text)
        unsafe layer.pointee.pNext = nil
        unsafe layer.pointee.pAppData = nil
        unsafe layer.pointee.szOsFile = FileSlot.count(lower: lower.pointee.szOsFile)
        unsafe addFunctions(to: &layer.pointee)
        return unsafe sqlite3_vfs_register(layer, 0)
    }()

    // The other functions (time, randomness, sleep) are the system's own; none of them looks at the structure.
    private static func addFunctions(to layer: inout sqlite3_vfs) {
        unsafe layer.xOpen = { _, name, file, flags, outFlags in
            guard let slot = unsafe FileSlot(file) else { return SQLITE_MISUSE }
            slot.clear()
            return unsafe SealedFileSystem.open(name, slot, flags, outFlags)
        }
        unsafe layer.xDelete = { _, name, sync in
            guard let lower = unsafe SealedFileSystem.system else { return SQLITE_ERROR }
            return unsafe lower.pointee.xDelete(lower, name, sync)
        }
        unsafe layer.xAccess = { _, name, flags, answer in
            // A rollback journal is never ours: one that lies there was put there, and must not be played back.
            if let name = unsafe name, unsafe String(cString: name).hasSuffix("-journal") {
                unsafe answer?.pointee = 0
                return SQLITE_OK
            }
            guard let lower = unsafe SealedFileSystem.system else { return SQLITE_ERROR }
            return unsafe lower.pointee.xAccess(lower, name, flags, answer)
        }
        unsafe layer.xFullPathname = { _, name, count, target in
            guard let lower = unsafe SealedFileSystem.system else { return SQLITE_ERROR }
            return unsafe lower.pointee.xFullPathname(lower, name, count, target)
        }
    }

    private static func open(
        _ name: UnsafePointer<CChar>?, _ slot: FileSlot, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let lower = unsafe system, let name = unsafe name,
            flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0
        else {
            return SQLITE_CANTOPEN
        }
        // Before the system may make a file: a database without a key's ticket (attached, exported) is refused.
        let isLog = flags & SQLITE_OPEN_WAL != 0
        guard unsafe isLog || entry(name) != nil else { return SQLITE_CANTOPEN }
        let file = unsafe slot.lower
        unsafe file.pointee.pMethods = nil
        var got = flags
        let code = unsafe lower.pointee.xOpen(lower, name, file, flags, &got)
        guard code == SQLITE_OK else { return code }
        unsafe outFlags?.pointee = got
        guard unsafe !isCutDown(name, flags, got, lower) else {
            _ = unsafe file.pointee.pMethods.pointee.xClose(file)
            return SQLITE_IOERR
        }
        let (verdict, object) = unsafe isLog ? log(name, file) : database(name, file)
        guard verdict == SQLITE_OK, let object else {
            _ = unsafe file.pointee.pMethods.pointee.xClose(file)
            return verdict
        }
        unsafe slot.open(object, SealedFileMethods.table)
        return SQLITE_OK
    }

    // SQLite takes a file for reading alone where it cannot be opened for writing, whatever the reason was: after one
    // passing error of a disk the connection would refuse each write for as long as it lives. Where the file's mode and
    // its disk let it be written, that is an error; a file that is not to be written stays one that is read.
    private static func isCutDown(
        _ name: UnsafePointer<CChar>, _ asked: Int32, _ got: Int32, _ lower: UnsafeMutablePointer<sqlite3_vfs>
    ) -> Bool {
        guard asked & SQLITE_OPEN_READWRITE != 0, got & SQLITE_OPEN_READONLY != 0 else { return false }
        var mayBeWritten: Int32 = 0
        return unsafe lower.pointee.xAccess(lower, name, SQLITE_ACCESS_READWRITE, &mayBeWritten) == SQLITE_OK
            && mayBeWritten != 0
    }

    private static func entry(_ name: UnsafePointer<CChar>) -> OpenKeys.Entry? {
        guard let text = unsafe sqlite3_uri_parameter(name, ticketParameter) else { return nil }
        return unsafe UInt64(String(cString: text)).flatMap(OpenKeys.entry)
    }

    private static func database(
        _ name: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<sqlite3_file>
    ) -> (Int32, (any SealedFile)?) {
        guard let entry = unsafe entry(name) else { return (SQLITE_CANTOPEN, nil) }
        let raw = unsafe RawFile(file, observer: entry.observers?.main)
        do {
            guard entry.isNew else { return try unsafe existing(raw, entry, String(cString: name)) }
            let identifier = try FileHead.newIdentifier()
            let cipher = try PageEncryption(key: entry.key, file: identifier)
            let code = FileHead.write(raw, identifier: identifier, cipher)
            return unsafe (code, PageFile(raw: raw, cipher: cipher, path: String(cString: name), entry: entry))
        } catch {
            return (SQLITE_CANTOPEN, nil)
        }
    }

    private static func existing(
        _ raw: RawFile, _ entry: OpenKeys.Entry, _ path: String
    ) throws(CryptoFailure) -> (Int32, (any SealedFile)?) {
        let (code, identifier) = FileHead.identifier(raw)
        guard let identifier else { return (code, nil) }
        let cipher = try PageEncryption(key: entry.key, file: identifier)
        let (headCode, records) = FileHead.read(raw, cipher)
        guard headCode == SQLITE_OK || headCode == ResultCode.damaged else { return (headCode, nil) }
        guard let records else { return (SQLITE_NOTADB, nil) }
        let file = PageFile(raw: raw, cipher: cipher, path: path, entry: entry)
        let (tagsCode, tags) = FileHead.tags(raw, cipher)
        guard tagsCode == SQLITE_OK else { return (tagsCode, nil) }
        // A file that has a list of tags keeps it, whoever writes.
        if entry.tracksPages || records.anchor.hasTags || tags != nil {
            file.tracker = PageTracker()
        }
        return (SQLITE_OK, file)
    }

    private static func log(
        _ name: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<sqlite3_file>
    ) -> (Int32, (any SealedFile)?) {
        guard let main = unsafe FileSlot(sqlite3_database_file_object(name))?.object as? PageFile else {
            return (SQLITE_CANTOPEN, nil)
        }
        let raw = unsafe RawFile(file, observer: main.logObserver)
        return unsafe (SQLITE_OK, LogFile(raw: raw, main: main, path: String(cString: name)))
    }
}
