internal import CPaviseSQLite
internal import PavisePrimitives

/// The write-ahead log: a head of 1,024 bytes with the two places of the position, then sealed frames.
///
/// SQLite writes a frame as 24 bytes of header and a page; both are sealed together as one block, because the header
/// holds a checksum of the page's content. A frame's key belongs to one generation of the log.
@safe
final class LogFile: SealedFile {
    static let frameHeaderCount = 24
    static let frameCount = frameHeaderCount + PageFile.pageCount
    static let sealedFrameCount = PageEncryption.sealCount + frameCount
    static let headCount: Int64 = 1024
    static let place = SlotPair(kind: .position, offset: 0)

    let raw: RawFile
    let main: PageFile
    /// Where the log lies.
    let path: String
    var cipher: PageEncryption { main.cipher }

    /// The newest position that was read and fits the database; `nil` before the first generation.
    var position: LogPosition?
    /// The log's head when `position` was read, to see cheaply whether anyone wrote since.
    var seenHead: [UInt8] = []
    /// The frame that this connection wrote last and did not sync, with its checksum field. A commit's frame comes
    /// last; after a rollback to a savepoint it may lie before others.
    var unsynced: (frame: UInt32, tail: [UInt8])?
    /// The highest frame that this connection wrote since it holds the write lock.
    var writtenFrames: UInt32 = 0
    /// Up to where the file is known to be as long already.
    var room: Int64 = 0
    /// The generation that the database's anchor is known to name.
    var anchoredLog: [UInt8] = []
    /// A frame header that SQLite wrote and whose page has not followed yet.
    var pendingHeader: (frame: UInt32, bytes: [UInt8])?
    /// While SQLite rebuilds its index: the last frame it read, of those it has to find.
    var rebuild: (reached: UInt32, expected: UInt32)?

    let sealed = Scratch(sealedFrameCount)
    let plain = Scratch(frameCount)

    init(raw: RawFile, main: PageFile, path: String) {
        self.raw = raw
        self.main = main
        self.path = path
        main.log = self
    }

    func close() { _ = flushPendingHeader() }

    func willLockIndex(first: Int32, flags: Int32) -> Int32 { SQLITE_OK }

    /// Told before a lock is taken on the index: the write lock starts a fresh view of the log, and any lock ends a
    /// rebuild, which must have found every frame that is known to be on the disk.
    func willLock(first: Int32, exclusively: Bool) -> Int32 {
        if let rebuild, rebuild.reached < rebuild.expected { return ResultCode.damaged }
        rebuild = nil
        guard exclusively, first == 0 else { return SQLITE_OK }
        pendingHeader = nil
        unsynced = nil
        writtenFrames = 0
        isFreshView = false
        return SQLITE_OK
    }

    /// Whether `position` was read since this connection took the write lock.
    var isFreshView = false

    func size() -> (code: Int32, bytes: Int64) {
        var code = flushPendingHeader()
        if code == SQLITE_OK { code = refresh() }
        guard code == SQLITE_OK else { return (code, 0) }
        guard let position, !position.header.isEmpty else { return (SQLITE_OK, 0) }
        let (sizeCode, bytes) = raw.size()
        let frames = max(0, bytes - Self.headCount) / Int64(Self.sealedFrameCount)
        guard frames >= Int64(position.frames) else { return (ResultCode.damaged, 0) }
        return (sizeCode, Int64(LogPosition.headerCount) + frames * Int64(Self.frameCount))
    }

    /// Reads the position again where the log's head has changed, and checks that it fits the database.
    func refresh() -> Int32 {
        // Another process may write between our reads of the two files; then the head has changed once more.
        for _ in 0..<8 {
            var head = [UInt8](repeating: 0, count: Int(Self.headCount))
            let code = unsafe head.withUnsafeMutableBytes { unsafe raw.read($0, at: 0) }
            guard code == SQLITE_OK || code == ResultCode.shortRead else { return code }
            if head == seenHead { return SQLITE_OK }
            let verdict = judge(head)
            guard verdict == ResultCode.damaged else { return verdict }
            guard headChanged(since: head) else { return verdict }
        }
        return SQLITE_BUSY
    }

    /// Remembers the head after a write of our own.
    func rememberHead() {
        seenHead = [UInt8](repeating: 0, count: Int(Self.headCount))
        let code = unsafe seenHead.withUnsafeMutableBytes { unsafe raw.read($0, at: 0) }
        if code != SQLITE_OK && code != ResultCode.shortRead { seenHead = [] }
    }

    private func headChanged(since old: [UInt8]) -> Bool {
        var head = [UInt8](repeating: 0, count: Int(Self.headCount))
        _ = unsafe head.withUnsafeMutableBytes { unsafe raw.read($0, at: 0) }
        return head != old
    }

    private func judge(_ head: [UInt8]) -> Int32 {
        let (sizeCode, bytes) = raw.size()
        let (headCode, records) = FileHead.read(main.raw, cipher)
        guard sizeCode == SQLITE_OK, headCode == SQLITE_OK else { return sizeCode == SQLITE_OK ? headCode : sizeCode }
        guard let records else { return ResultCode.damaged }
        guard let newest = unsafe head.withUnsafeBytes({ unsafe Self.place.newest(in: $0, cipher) }) else {
            // A log may only be missing before the first commit; later its absence is a loss.
            guard records.anchor.generation == 0, bytes <= Self.headCount else { return ResultCode.damaged }
            position = nil
            seenHead = head
            return SQLITE_OK
        }
        guard newest.fits(anchor: records.anchor, mark: records.mark) else { return ResultCode.damaged }
        position = newest
        seenHead = head
        return SQLITE_OK
    }
}
