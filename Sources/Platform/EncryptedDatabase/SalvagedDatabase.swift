internal import CPaviseSQLite
package import PavisePrimitives

/// What can still be read of a database that does not open, or only in part.
///
/// Only blocks that authenticate are used: nothing here was made up by whoever damaged the files. What they no longer
/// tell is which of two authentic states of a page is the newer one, where the log has a gap.
package struct SalvagedDatabase: Sendable {
    /// One row of some table: the key of the row, and its columns. SQLite keeps no names here; the caller knows its
    /// tables by their columns.
    package struct Row: Sendable {
        /// The row's key.
        package let row: Int64
        /// The columns in their order, as far as they could be read.
        package let values: [DatabaseValue]
        /// Whether columns are missing at the end.
        package let isCut: Bool
    }

    /// The rows of all tables.
    package var rows: [Row] = []
    /// How many pages of 4,096 bytes are authentic.
    package var intactPages = 0
    /// How many pages of the database, and frames of the log, are not.
    package var damagedPages = 0
    /// Whether changes may be missing: the log is damaged, gone, or of another moment.
    package var mayBeOlder = false
}

extension Database {
    /// Reads what is authentic in the files of the database at `path`. Nothing is changed, and no lock is taken.
    ///
    /// - Parameter key: 32 bytes.
    /// - Throws: ``DatabaseFailure/io(code:_:)`` when a file cannot be read. Damage is no failure here.
    package static func salvage(_ path: String, key: borrowing SecretBytes) throws(DatabaseFailure) -> SalvagedDatabase
    {
        do throws(SystemFailure) {
            let main = try DurableFile.readIfPresent(path, limit: SalvageReader.mostBytes) ?? []
            let log = try DurableFile.readIfPresent("\(path)-wal", limit: SalvageReader.mostBytes) ?? []
            return SalvageReader(main: main, log: log, key: key).result
        } catch {
            throw .io(code: SQLITE_CANTOPEN, error)
        }
    }
}

/// Opens pages and frames one by one.
struct SalvageReader {
    /// A keychain of 100,000 items has a tenth of this.
    static let mostBytes = 2 << 30

    private(set) var result = SalvagedDatabase()
    private var pages: [UInt32: [UInt8]] = [:]
    private var logPages: Set<UInt32> = []

    init(main: [UInt8], log: [UInt8], key: borrowing SecretBytes) {
        guard main.count >= Int(FileHead.count), let cipher = Self.cipher(main, key) else {
            result.damagedPages = (main.count + PageFile.pageCount - 1) / PageFile.pageCount
            result.mayBeOlder = true
            return
        }
        let anchor = Self.newest(FileHead.anchorPlace, in: main, cipher)
        readLog(log, anchor, cipher)
        readPages(main, cipher)
        collectRows()
    }

    // The file's identifier goes into every key. Where one bit of it is wrong, nothing opens: each bit is tried.
    private static func cipher(_ main: [UInt8], _ key: borrowing SecretBytes) -> PageEncryption? {
        let stored = Array(main[FileHead.identifierRange])
        if let cipher = try? PageEncryption(key: key, file: stored), opensAnything(main, cipher) { return cipher }
        for bit in 0..<stored.count * 8 {
            var changed = stored
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if let cipher = try? PageEncryption(key: key, file: changed), opensAnything(main, cipher) { return cipher }
        }
        return nil
    }

    private static func opensAnything(_ main: [UInt8], _ cipher: PageEncryption) -> Bool {
        if newest(FileHead.anchorPlace, in: main, cipher) != nil { return true }
        if newest(FileHead.markPlace, in: main, cipher) != nil { return true }
        return (0..<min(64, pageCount(main))).contains { page($0 + 1, of: main, cipher) != nil }
    }

    private static func newest(_ place: SlotPair, in bytes: [UInt8], _ cipher: PageEncryption) -> LogPosition? {
        guard bytes.count >= Int(place.offset) + 2 * SlotPair.stride else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe place.newest(in: UnsafeRawBufferPointer(rebasing: bytes[Int(place.offset)...]), cipher)
        }
    }

    private static func pageCount(_ main: [UInt8]) -> Int {
        max(0, main.count - Int(FileHead.count)) / PageFile.pageCount
    }

    private static func page(_ number: Int, of main: [UInt8], _ cipher: PageEncryption) -> [UInt8]? {
        let start = Int(FileHead.count) + (number - 1) * PageFile.pageCount
        let contentCount = PageFile.pageCount - PageFile.reservedCount
        var plain = [UInt8](repeating: 0, count: PageFile.pageCount)
        let isAuthentic = unsafe main.withUnsafeBytes { main in
            let page = unsafe UnsafeRawBufferPointer(rebasing: main[start..<start + PageFile.pageCount])
            let epoch = unsafe UInt32(
                bigEndian: page.loadUnaligned(fromByteOffset: PageFile.pageCount - 4, as: UInt32.self))
            return unsafe plain.withUnsafeMutableBytes { plain in
                unsafe cipher.open(
                    UnsafeRawBufferPointer(rebasing: page[..<contentCount]),
                    seal: UnsafeRawBufferPointer(
                        rebasing: page[contentCount..<contentCount + PageEncryption.sealCount]),
                    into: UnsafeMutableRawBufferPointer(rebasing: plain[..<contentCount]), .pages(epoch: epoch), .page,
                    UInt64(number))
            }
        }
        return isAuthentic ? plain : nil
    }

    // Frames of a log that belongs to the database, up to the last that was acknowledged, the later ones over the
    // earlier.
    private mutating func readLog(_ log: [UInt8], _ anchor: LogPosition?, _ cipher: PageEncryption) {
        let position = log.isEmpty ? nil : Self.newest(LogFile.place, in: log, cipher)
        let isNewEnough = (position?.generation ?? 0) >= (anchor?.generation ?? 0)
        let isKnown = position.map { $0.log == anchor?.log || $0.frames == 0 } ?? (anchor?.generation == 0)
        result.mayBeOlder = !isKnown || !isNewEnough || anchor == nil
        guard isNewEnough, let name = position?.log ?? anchor?.log else { return }
        let found = max(0, log.count - Int(LogFile.headCount)) / LogFile.sealedFrameCount
        let wanted = position.map { Int($0.frames) }
        if let wanted, wanted > found {
            result.damagedPages += wanted - found
            result.mayBeOlder = true
        }
        // Without a position nobody knows how many were acknowledged: all up to the last end of a commit.
        let frames = (0..<min(wanted ?? found, found)).map { Self.frame($0 + 1, of: log, name, cipher) }
        let end = wanted == nil ? (frames.lastIndex { $0.map { $0.commit != 0 } ?? false } ?? -1) + 1 : frames.count
        for frame in frames[..<end] {
            guard let frame else {
                result.damagedPages += 1
                result.mayBeOlder = true
                continue
            }
            pages[frame.page] = frame.content
            logPages.insert(frame.page)
        }
    }

    private static func frame(
        _ number: Int, of log: [UInt8], _ name: [UInt8], _ cipher: PageEncryption
    ) -> (page: UInt32, commit: UInt32, content: [UInt8])? {
        let start = Int(LogFile.offset(of: UInt32(number)))
        var plain = [UInt8](repeating: 0, count: LogFile.frameCount)
        defer { Wipe.bytes(&plain) }
        let isAuthentic = unsafe log.withUnsafeBytes { log in
            let frame = unsafe UnsafeRawBufferPointer(rebasing: log[start..<start + LogFile.sealedFrameCount])
            return unsafe plain.withUnsafeMutableBytes { plain in
                unsafe cipher.open(
                    UnsafeRawBufferPointer(rebasing: frame[PageEncryption.sealCount...]),
                    seal: UnsafeRawBufferPointer(rebasing: frame[..<PageEncryption.sealCount]), into: plain, .log(name),
                    .frame, UInt64(number))
            }
        }
        guard isAuthentic else { return nil }
        let page = plain[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let commit = plain[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (page, commit, Array(plain[LogFile.frameHeaderCount...]))
    }

    private mutating func readPages(_ main: [UInt8], _ cipher: PageEncryption) {
        let count = Self.pageCount(main)
        for number in 0..<count where !logPages.contains(UInt32(number + 1)) {
            if let content = Self.page(number + 1, of: main, cipher) {
                pages[UInt32(number + 1)] = content
            } else {
                result.damagedPages += 1
            }
        }
        // A file that was cut inside a page.
        if (main.count - Int(FileHead.count)) % PageFile.pageCount != 0 { result.damagedPages += 1 }
        result.intactPages = pages.count
    }

    private mutating func collectRows() {
        for (number, page) in pages.sorted(by: { $0.key < $1.key }) {
            result.rows += TableLeaf(page, isFirst: number == 1)?.rows { pages[$0] } ?? []
        }
        for number in Array(pages.keys) {
            // Taken out first: of one that is still in its place a copy would be wiped.
            if var page = pages.updateValue([], forKey: number) { Wipe.bytes(&page) }
        }
        pages = [:]
    }
}

/// A leaf of a table's tree (database file format §1.6), and the rows in it.
struct TableLeaf {
    private static let usable = PageFile.pageCount - PageFile.reservedCount
    // §1.6: how much of a row lies on the leaf itself.
    private static let mostLocal = usable - 35
    private static let leastLocal = (usable - 12) * 32 / 255 - 23

    private let page: [UInt8]
    private let start: Int
    private let count: Int

    /// `nil` for a page that is none.
    init?(_ page: [UInt8], isFirst: Bool) {
        start = isFirst ? FirstPage.headerCount : 0
        guard page.count == PageFile.pageCount, page[start] == 0x0D else { return nil }
        self.page = page
        count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        guard start + 8 + 2 * count <= Self.usable else { return nil }
    }

    /// All rows.
    ///
    /// - Parameter overflow: The page of a number, where the rest of a long row lies.
    func rows(overflow: (UInt32) -> [UInt8]?) -> [SalvagedDatabase.Row] {
        (0..<count).compactMap { index in
            let pointer = start + 8 + 2 * index
            return row(at: Int(page[pointer]) << 8 | Int(page[pointer + 1]), overflow)
        }
    }

    private func row(at offset: Int, _ overflow: (UInt32) -> [UInt8]?) -> SalvagedDatabase.Row? {
        var reader = Varints(page[..<Self.usable], at: offset)
        guard let size = reader.next().flatMap({ Int(exactly: $0) }), let row = reader.next(), size >= 0 else {
            return nil
        }
        guard let payload = payload(size, at: reader.position, overflow) else { return nil }
        guard let (values, isCut) = Self.values(of: payload, complete: payload.count == size) else { return nil }
        return SalvagedDatabase.Row(row: row, values: values, isCut: isCut)
    }

    // As much of the row as can be read.
    private func payload(_ size: Int, at offset: Int, _ overflow: (UInt32) -> [UInt8]?) -> [UInt8]? {
        var local = size
        if size > Self.mostLocal {
            let rest = Self.leastLocal + (size - Self.leastLocal) % (Self.usable - 4)
            local = rest <= Self.mostLocal ? rest : Self.leastLocal
        }
        guard offset + local + (local < size ? 4 : 0) <= Self.usable else { return nil }
        var payload = Array(page[offset..<offset + local])
        guard local < size else { return payload }
        var next = page[offset + local..<offset + local + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // A chain that bites its own tail would go on up to a size that no row has.
        var seen: Set<UInt32> = []
        while payload.count < size, next != 0, seen.insert(next).inserted, let page = overflow(next),
            page.count == PageFile.pageCount
        {
            payload += page[4..<4 + min(Self.usable - 4, size - payload.count)]
            next = page[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        return payload
    }

    // §2.1: the record format.
    private static func values(of payload: [UInt8], complete: Bool) -> (values: [DatabaseValue], isCut: Bool)? {
        var head = Varints(payload[...], at: 0)
        guard let headCount = head.next().flatMap({ Int(exactly: $0) }), headCount >= 1, headCount <= payload.count
        else {
            return nil
        }
        var values: [DatabaseValue] = []
        var position = headCount
        while head.position < headCount {
            guard let type = head.next(), let count = count(of: type) else { return nil }
            guard count <= payload.count - position else { return (values, true) }
            values.append(value(of: type, Array(payload[position..<position + count])))
            position += count
        }
        return (values, !complete)
    }

    private static func count(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(exactly: (type - 12) / 2)
        default: nil
        }
    }

    private static func value(of type: Int64, _ bytes: [UInt8]) -> DatabaseValue {
        switch type {
        case 0: .null
        case 1...6:
            .integer(bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes[0]))) { $0 << 8 | Int64($1) })
        case 7: .real(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case 8: .integer(0)
        case 9: .integer(1)
        case _ where type % 2 == 0: .blob(bytes)
        default: .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}

/// SQLite's numbers of 1 to 9 bytes (§1.6).
private struct Varints {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func next() -> Int64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard bytes.indices.contains(position) else { return nil }
            let byte = bytes[position]
            position += 1
            if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: number) }
        }
        return nil
    }
}
