internal import PavisePrimitives
internal import SecurityFramework

/// Records that are encrypted and chained: each authenticates its number and the one before.
///
/// Format of a file: `PVSR` 1 (5 bytes) ‖ file identifier (16) ‖ number of the first record (8) ‖ tag of the record
/// before it (16), then for each record its length (4, big-endian) and a box: nonce (12) ‖ ciphertext ‖ tag (16),
/// AES-256-GCM (SP 800-38D). Associated data is the header's first 21 bytes, the record's number and the tag of the
/// record before. So a record that is changed, left out, repeated or put elsewhere does not open, and nothing behind
/// it does.
struct SealedRecords {
    static let headCount = 45
    private static let mark: [UInt8] = Array("PVSR".utf8) + [1]
    static let longestRecord = 16_384

    let identifier: [UInt8]
    let firstNumber: UInt64
    let tagBefore: [UInt8]
    /// The number that the next record gets.
    var nextNumber: UInt64
    /// The tag of the last record.
    var lastTag: [UInt8]

    /// A file that continues a chain: its first record is `number`, and `tag` is that of the record before.
    init(startingAt number: UInt64, after tag: [UInt8]) throws(EntropyFailure) {
        identifier = try Entropy.kernel.bytes(16)
        firstNumber = number
        tagBefore = tag
        nextNumber = number
        lastTag = tag
    }

    private init(identifier: [UInt8], firstNumber: UInt64, tagBefore: [UInt8]) {
        self.identifier = identifier
        self.firstNumber = firstNumber
        self.tagBefore = tagBefore
        nextNumber = firstNumber
        lastTag = tagBefore
    }

    var head: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.mark + identifier)
        writer.integer(firstNumber)
        writer.raw(tagBefore)
        return writer.bytes
    }

    /// The bytes of the next record; counts it.
    mutating func seal(_ plain: [UInt8], _ key: borrowing SecretBytes) -> [UInt8]? {
        guard plain.count <= Self.longestRecord else { return nil }
        let label = label
        guard let box = plain.withSpan({ BoxBridge.seal($0, key: key, label: label) }) else { return nil }
        var writer = ByteWriter()
        writer.integer(UInt32(box.count))
        writer.raw(box)
        nextNumber += 1
        lastTag = Array(box.suffix(16))
        return writer.bytes
    }

    private var label: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.mark + identifier)
        writer.integer(nextNumber)
        writer.raw(lastTag)
        return writer.bytes
    }

    /// What lies in a file.
    struct Content {
        /// The records that open, in order, with their numbers and tags.
        var records: [(number: UInt64, tag: [UInt8], plain: [UInt8])] = []
        /// Where the last of them ends in the file.
        var goodBytes = 0
        /// What is behind them.
        var rest = Rest.nothing
        /// The chain at the end of the good records; `nil` without a readable head.
        var chain: SealedRecords?
    }

    /// What is behind the records that open.
    enum Rest: Hashable {
        case nothing
        /// The beginning of a record: a write that did not end.
        case unfinished
        /// Bytes that are no record of this chain.
        case damaged
    }

    /// The bytes of a file of the form above; `nil` where there is none.
    ///
    /// It may be larger than its owner's limit, which may have been another one when it was written. What is larger
    /// than any file of this form is damaged, and a byte that begins none stands for it.
    static func bytes(of path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        do {
            return try DurableFile.readIfPresent(path, limit: max(limit, 64 << 20), isSecret: true)
        } catch  where error.isTooLarge {
            return [0]
        }
    }

    /// Opens all records of a file.
    static func read(_ bytes: [UInt8], _ key: borrowing SecretBytes) -> Content {
        var content = Content()
        guard !bytes.isEmpty else { return content }
        guard bytes.count >= headCount else {
            content.rest = mark.starts(with: bytes.prefix(5)) || bytes.starts(with: mark) ? .unfinished : .damaged
            return content
        }
        guard bytes.starts(with: mark) else {
            content.rest = .damaged
            return content
        }
        let number = bytes[21..<29].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var chain = SealedRecords(
            identifier: Array(bytes[5..<21]), firstNumber: number, tagBefore: Array(bytes[29..<45]))
        var place = headCount
        while place < bytes.count, content.rest == .nothing {
            guard bytes.count - place >= 4 else {
                content.rest = .unfinished
                break
            }
            let length = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard (BoxBridge.overhead...(longestRecord + BoxBridge.overhead)).contains(length) else {
                content.rest = .damaged
                break
            }
            guard bytes.count - place - 4 >= length else {
                content.rest = .unfinished
                break
            }
            let box = Array(bytes[(place + 4)..<(place + 4 + length)])
            guard chain.nextNumber < UInt64.max, let plain = BoxBridge.open(box, key: key, label: chain.label) else {
                content.rest = .damaged
                break
            }
            let tag = Array(box.suffix(16))
            content.records.append((chain.nextNumber, tag, plain.withBytes { span in Array(span) }))
            chain.nextNumber += 1
            chain.lastTag = tag
            place += 4 + length
        }
        content.goodBytes = place
        content.chain = chain
        return content
    }
}
