internal import CPaviseSQLite
internal import PavisePrimitives

/// The tag of a sealed page: it tells this writing of the page from every other one.
struct PageTag: Equatable {
    static let count = PageEncryption.sealCount - nonceCount
    private static let nonceCount = 12
    private let words: (UInt64, UInt64)

    /// - Parameter page: The page as it lies on the disk.
    init(ofPage page: UnsafeRawBufferPointer) {
        let start = PageFile.pageCount - PageFile.reservedCount + Self.nonceCount
        words = unsafe (
            page.loadUnaligned(fromByteOffset: start, as: UInt64.self),
            page.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
        )
    }

    /// - Parameter list: A list of tags, as it is stored.
    init(_ list: [UInt8], at index: Int) {
        words = unsafe list.withUnsafeBytes { list in
            unsafe (
                list.loadUnaligned(fromByteOffset: index * Self.count, as: UInt64.self),
                list.loadUnaligned(fromByteOffset: index * Self.count + 8, as: UInt64.self)
            )
        }
    }

    /// Puts the tag to its place in a list.
    func write(to list: inout [UInt8], at index: Int) {
        unsafe list.withUnsafeMutableBytes { list in
            unsafe list.storeBytes(of: words.0, toByteOffset: index * Self.count, as: UInt64.self)
            unsafe list.storeBytes(of: words.1, toByteOffset: index * Self.count + 8, as: UInt64.self)
        }
    }

    static func == (one: Self, other: Self) -> Bool { one.words == other.words }
}

/// What a connection that keeps the list of tags knows between two syncs.
struct PageTracker {
    /// Pages that a checkpoint wrote since the last sync.
    var changed: [UInt64: PageTag] = [:]
    /// Whether the file was made shorter since.
    var isCut = false
    /// How much of which log the checkpoint moves.
    var checkpoint: LogPosition?
    /// The list that was read or written last, by its identifier.
    var list: (name: [UInt8], tags: [UInt8])?
}

/// The list of the tags of all pages. It is a file of its own, sealed under a key of its own, and named by a record in
/// the head of the database. The anchor of the next generation of the log names it too, so that an older list with its
/// record is refused as long as the log is not put back as well; see Decisions/0002.
extension PageFile {
    /// The two files that lists are written to in turn: the valid one is never written over.
    static let listSuffixes = ["-tags0", "-tags1"]
    /// 16 bytes for each page: a database of 128 GiB.
    private static let mostListBytes = 512 << 20

    /// After a checkpoint has made its pages durable: writes the list as it is now, then the record that names it.
    func keepTags(_ flags: Int32) -> Int32 {
        guard let tracker, tracker.isCut || !tracker.changed.isEmpty else { return SQLITE_OK }
        // Without a mark the log had frames that no position promised yet.
        guard let checkpoint = tracker.checkpoint ?? log?.position else { return SQLITE_OK }
        let (sizeCode, bytes) = size()
        guard sizeCode == SQLITE_OK else { return sizeCode }
        let count = Int(bytes) / Self.pageCount
        let (lastCode, last) = FileHead.tags(raw, cipher)
        guard lastCode == SQLITE_OK else { return lastCode }
        guard var tags = tags(of: last, whole: count) else { return ResultCode.write }
        tags.resize(to: count * PageTag.count)
        for (page, tag) in tracker.changed where page <= count { tag.write(to: &tags, at: Int(page) - 1) }
        guard let name = try? Entropy.kernel.bytes(LogPosition.nameCount) else { return ResultCode.write }
        var next = LogPosition()
        next.sequence = (last?.sequence ?? 0) + 1
        next.generation = checkpoint.generation
        next.log = name
        next.previous = checkpoint.log
        next.frames = checkpoint.frames
        var code = write(tags, named: next)
        if code == SQLITE_OK { code = FileHead.tagsPlace.write(next, to: raw, cipher) }
        if code == SQLITE_OK { code = raw.sync(flags) }
        guard code == SQLITE_OK else { return code }
        self.tracker = PageTracker(list: (name, tags))
        return SQLITE_OK
    }

    /// The list that `record` names; `nil` when it is gone or not authentic. Where the system does not let it be read,
    /// the code says so, and nothing is known.
    func storedTags(_ record: LogPosition) -> (code: Int32, tags: [UInt8]?) {
        if let list = tracker?.list, list.name == record.log { return (SQLITE_OK, list.tags) }
        let file = path + Self.listSuffixes[Int(record.sequence & 1)]
        let found: [UInt8]?
        do throws(SystemFailure) { found = try DurableFile.readIfPresent(file, limit: Self.mostListBytes) } catch {
            // What is too long, or a link, is no list of ours.
            return (error.isTooLarge || error.isRefusedForGood ? SQLITE_OK : ResultCode.read, nil)
        }
        guard let sealed = found, sealed.count >= PageEncryption.sealCount else { return (SQLITE_OK, nil) }
        var tags = [UInt8](repeating: 0, count: sealed.count - PageEncryption.sealCount)
        let isAuthentic = unsafe tags.withUnsafeMutableBytes { tags in
            unsafe sealed.withUnsafeBytes { sealed in
                unsafe cipher.open(
                    UnsafeRawBufferPointer(rebasing: sealed[PageEncryption.sealCount...]),
                    seal: UnsafeRawBufferPointer(rebasing: sealed[..<PageEncryption.sealCount]), into: tags,
                    .log(record.log), .tagList, record.sequence)
            }
        }
        return (SQLITE_OK, isAuthentic ? tags : nil)
    }

    /// The list to go on from: the valid one, or, where none was ever kept, that of the pages as they are. A list that
    /// is gone or damaged is not made anew in silence: `nil`.
    private func tags(of record: LogPosition?, whole count: Int) -> [UInt8]? {
        if let record { return storedTags(record).tags }
        let (code, records) = FileHead.read(raw, cipher)
        guard code == SQLITE_OK, let records, !records.anchor.hasTags else { return nil }
        var tags = [UInt8](repeating: 0, count: count * PageTag.count)
        let scratch = Scratch(Self.pageCount)
        for index in 0..<count {
            let offset = FileHead.count + Int64(index * Self.pageCount)
            guard unsafe raw.read(scratch.bytes, at: offset) == SQLITE_OK else { return nil }
            unsafe PageTag(ofPage: UnsafeRawBufferPointer(scratch.bytes)).write(to: &tags, at: index)
        }
        return tags
    }

    private func write(_ tags: [UInt8], named record: LogPosition) -> Int32 {
        var sealed = [UInt8](repeating: 0, count: PageEncryption.sealCount + tags.count)
        let isSealed = unsafe sealed.withUnsafeMutableBytes { sealed in
            unsafe tags.withUnsafeBytes { tags in
                unsafe cipher.seal(
                    tags, into: UnsafeMutableRawBufferPointer(rebasing: sealed[PageEncryption.sealCount...]),
                    seal: UnsafeMutableRawBufferPointer(rebasing: sealed[..<PageEncryption.sealCount]),
                    .log(record.log),
                    .tagList, record.sequence)
            }
        }
        guard isSealed else { return ResultCode.write }
        do throws(SystemFailure) {
            try DurableFile.write(sealed.span, to: path + Self.listSuffixes[Int(record.sequence & 1)])
            return SQLITE_OK
        } catch {
            return error.isDiskFull ? SQLITE_FULL : ResultCode.write
        }
    }
}

extension [UInt8] {
    fileprivate mutating func resize(to count: Int) {
        if count < self.count { removeLast(self.count - count) }
        append(contentsOf: repeatElement(0, count: count - self.count))
    }
}
