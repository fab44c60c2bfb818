internal import CPaviseSQLite
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A change of a file on the disk: offsets are physical.
enum FileChange: Sendable {
    case write([UInt8], at: Int64)
    case truncate(Int64)
    /// Everything before is on the disk now.
    case sync
    /// The file's name is on the disk now: a loss of power does not take the file away.
    case named
}

/// Called with each change of one file. SQLITE_OK lets it be; any other code is the disk's answer in its place.
typealias ChangeObserver = @Sendable (FileChange) -> Int32

/// The system's file below ours: physical offsets, SQLite's result codes.
@safe
struct RawFile {
    /// The file of SQLite's own layer for this system.
    let file: UnsafeMutablePointer<sqlite3_file>
    /// Told of every change, so that a test can stop the world between any two of them, or let one fail.
    let observer: ChangeObserver?

    init(_ file: UnsafeMutablePointer<sqlite3_file>, observer: ChangeObserver?) {
        unsafe self.file = file
        self.observer = observer
    }

    /// The functions of the system's layer.
    var methods: sqlite3_io_methods { unsafe file.pointee.pMethods.pointee }

    /// Reads all of `target`; a file that ends earlier is ``ResultCode/shortRead`` with zeros in the rest.
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        let code = unsafe methods.xRead(file, target.baseAddress, Int32(target.count), offset)
        // SQLite would call a disk that does not answer a damaged database. What is read later may be whole.
        return code == ResultCode.brokenDisk ? ResultCode.read : code
    }

    /// Writes all of `bytes`. No room, quota or size limit is SQLITE_FULL.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        if let code = unsafe observer?(.write([UInt8](bytes), at: offset)), code != SQLITE_OK { return code }
        return fullOrSame(unsafe methods.xWrite(file, bytes.baseAddress, Int32(bytes.count), offset))
    }

    /// The size in bytes, or SQLite's failure.
    func size() -> (code: Int32, bytes: Int64) {
        var bytes: sqlite3_int64 = 0
        let code = unsafe methods.xFileSize(file, &bytes)
        return (code, bytes)
    }

    /// Cuts the file at `size`.
    func truncate(_ size: Int64) -> Int32 {
        if let code = observer?(.truncate(size)), code != SQLITE_OK { return code }
        return fullOrSame(unsafe methods.xTruncate(file, size))
    }

    /// Waits until everything written is on the disk. A disk that finds only now that it has no room is SQLITE_FULL.
    func sync(_ flags: Int32) -> Int32 {
        let code = unsafe methods.xSync(file, flags)
        if let code = observer?(.sync), code != SQLITE_OK { return code }
        return fullOrSame(code)
    }

    /// Waits until the name of the file at `path`, which is this one's, is on the disk.
    func synchroniseName(_ path: String) -> Int32 { Self.synchroniseName(path, observer) }

    /// The same for a file that is not open, with what is to be told of it.
    static func synchroniseName(_ path: String, _ observer: ChangeObserver?) -> Int32 {
        do throws(SystemFailure) {
            try DurableFile.synchroniseDirectory(of: path)
        } catch {
            return error.isDiskFull ? SQLITE_FULL : ResultCode.directorySync
        }
        return observer?(.named) ?? SQLITE_OK
    }

    private func fullOrSame(_ code: Int32) -> Int32 {
        guard code & 0xff == SQLITE_IOERR else { return code }
        return [ENOSPC, EDQUOT, EFBIG].contains(lastErrorNumber) ? SQLITE_FULL : code
    }

    private var lastErrorNumber: Int32 {
        var number: Int32 = 0
        _ = unsafe methods.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
        return number
    }
}
