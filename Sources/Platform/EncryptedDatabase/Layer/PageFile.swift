internal import CPaviseSQLite
internal import PaviseCrypto
internal import PavisePrimitives

/// The database file and its page encryption: a head of 4,096 bytes, then pages.
///
/// A page is as large on the disk as in SQLite, so that a page write is one aligned write. SQLite leaves the last 32
/// bytes of each page free; nonce, tag and the key's epoch lie there.
@safe
final class PageFile: SealedFile {
    static let pageCount = 4096
    /// The bytes of each page that SQLite leaves to us.
    static let reservedCount = PageEncryption.sealCount + 4
    private static let contentCount = pageCount - reservedCount

    let raw: RawFile
    let cipher: PageEncryption
    /// Set while the file is made under a name that nobody else knows.
    private let isNew: Bool
    /// Shut: no page is opened any more.
    let gate: SealGate
    /// Where the file lies, for the list of tags beside it.
    let path: String
    /// The tags of pages that were written since the last sync, where a list of tags is kept.
    var tracker: PageTracker?
    /// The log of the same connection, once it is open.
    weak var log: LogFile?
    /// What a checkpoint has to note before it writes its first page.
    var dueMark: LogPosition?
    private let sealed = Scratch(pageCount)
    private let plain = Scratch(pageCount)
    private let ahead = ReadAhead(ofPages: pageCount, behind: FileHead.count)

    /// Where SQLite has mapped the header of the index that processes share; `nil` before and after.
    // The memory is SQLite's, and it tells us before it gives it back.
    @safe var indexHeader: UnsafeRawPointer?

    /// Told of every change of the log.
    let logObserver: ChangeObserver?

    init(raw: RawFile, cipher: PageEncryption, path: String, entry: OpenKeys.Entry) {
        self.raw = raw
        self.cipher = cipher
        self.path = path
        isNew = entry.isNew
        gate = entry.gate
        logObserver = entry.isNew ? nil : entry.observers?.log
    }

    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        let within = Int(offset % Int64(Self.pageCount))
        guard offset >= 0, within + target.count <= Self.pageCount else { return ResultCode.read }
        let page = UInt64(offset) / UInt64(Self.pageCount) + 1
        if target.count == Self.pageCount { return unsafe readPage(page, into: target) }
        let code = unsafe readPage(page, into: plain.bytes)
        if code == SQLITE_OK {
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(plain[within..<within + target.count]))
            plain.wipe()
        }
        // SQLite looks at the page size before it looks into the log. A crash may have torn this page while the log
        // still has it whole; the facts asked for here are the same in every file of ours, and page 1 itself is read
        // next.
        if code == ResultCode.damaged, offset == 0, target.count == FirstPage.headerCount {
            unsafe target.copyBytes(from: FirstPage.header)
            return SQLITE_OK
        }
        return code
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        guard bytes.count == Self.pageCount, offset >= 0, offset % Int64(Self.pageCount) == 0 else {
            return ResultCode.write
        }
        ahead.drop()
        let code = writeDueMark()
        guard code == SQLITE_OK else { return code }
        let epoch = log?.position?.epoch ?? 0
        let page = UInt64(offset) / UInt64(Self.pageCount) + 1
        let target = unsafe sealed[0..<Self.contentCount]
        let seal = unsafe sealed[Self.contentCount..<Self.contentCount + PageEncryption.sealCount]
        let content = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<Self.contentCount])
        guard unsafe cipher.seal(content, into: target, seal: seal, .pages(epoch: epoch), .page, page) else {
            return ResultCode.write
        }
        unsafe sealed.bytes.storeBytes(of: epoch.bigEndian, toByteOffset: Self.pageCount - 4, as: UInt32.self)
        tracker?.changed[page] = unsafe PageTag(ofPage: UnsafeRawBufferPointer(sealed.bytes))
        return unsafe raw.write(UnsafeRawBufferPointer(sealed.bytes), at: offset + FileHead.count)
    }

    func truncate(_ size: Int64) -> Int32 {
        ahead.drop()
        tracker?.isCut = true
        return raw.truncate(size + FileHead.count)
    }

    func sync(_ flags: Int32) -> Int32 {
        let code = raw.sync(flags)
        return code == SQLITE_OK && tracker != nil ? keepTags(flags) : code
    }

    func size() -> (code: Int32, bytes: Int64) {
        let (code, bytes) = raw.size()
        let page = Int64(Self.pageCount)
        let whole = max(0, bytes - FileHead.count) / page * page
        // SQLite takes a database without a page for a new one, and removes its log with all commits in it.
        guard code != SQLITE_OK || isNew || whole > 0 else { return (ResultCode.damaged, 0) }
        return (code, whole)
    }

    func willLockIndex(first: Int32, flags: Int32) -> Int32 {
        ahead.drop()
        guard let log, flags & SQLITE_SHM_LOCK != 0 else { return SQLITE_OK }
        return log.willLock(first: first, exclusively: flags & SQLITE_SHM_EXCLUSIVE != 0)
    }

    func close() {}

    private func readPage(_ page: UInt64, into target: UnsafeMutableRawBufferPointer) -> Int32 {
        guard !gate.isShut else { return ResultCode.locked }
        if let bytes = unsafe ahead.page(page, of: raw) { return unsafe openPage(page, bytes, into: target) }
        let offset = Int64(page - 1) * Int64(Self.pageCount) + FileHead.count
        let code = unsafe raw.read(sealed.bytes, at: offset)
        if code == ResultCode.shortRead {
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            // Only a database that is being made has pages that were never written.
            return isNew ? code : ResultCode.damaged
        }
        guard code == SQLITE_OK else { return code }
        return unsafe openPage(page, UnsafeRawBufferPointer(sealed.bytes), into: target)
    }

    private func openPage(
        _ page: UInt64, _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Int32 {
        guard unsafe open(page, bytes, into: target) else { return ResultCode.damaged }
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[Self.contentCount...])
            .initializeMemory(as: UInt8.self, repeating: 0)
        return SQLITE_OK
    }

    /// Opens `sealed`, the 4,096 bytes of `page` on the disk, into the beginning of `target`.
    func open(_ page: UInt64, _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        let epoch = unsafe UInt32(
            bigEndian: sealed.loadUnaligned(fromByteOffset: Self.pageCount - 4, as: UInt32.self))
        let content = unsafe UnsafeRawBufferPointer(rebasing: sealed[..<Self.contentCount])
        let seal = unsafe UnsafeRawBufferPointer(
            rebasing: sealed[Self.contentCount..<Self.contentCount + PageEncryption.sealCount])
        let plain = unsafe UnsafeMutableRawBufferPointer(rebasing: target[..<Self.contentCount])
        return unsafe cipher.open(content, seal: seal, into: plain, .pages(epoch: epoch), .page, page)
    }

    private func writeDueMark() -> Int32 {
        guard var mark = dueMark else { return SQLITE_OK }
        let (code, head) = FileHead.read(raw, cipher)
        guard code == SQLITE_OK, let head else { return code == SQLITE_OK ? ResultCode.damaged : code }
        mark.sequence = head.mark.sequence + 1
        let written = FileHead.markPlace.write(mark, to: raw, cipher)
        if written == SQLITE_OK {
            dueMark = nil
            tracker?.checkpoint = mark
        }
        return written
    }
}

/// What SQLite asks of a database before it reads the first page (database file format §1.3).
enum FirstPage {
    /// The bytes that SQLite asks for.
    static let headerCount = 100

    /// Page size 4,096, log format, 32 reserved bytes; the rest is not looked at.
    static let header: [UInt8] = {
        var bytes = Array("SQLite format 3\0".utf8) + [0x10, 0x00, 2, 2, UInt8(PageFile.reservedCount), 64, 32, 32]
        bytes += [UInt8](repeating: 0, count: headerCount - bytes.count)
        return bytes
    }()
}
