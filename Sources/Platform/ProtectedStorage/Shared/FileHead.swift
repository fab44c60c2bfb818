internal import PavisePrimitives

/// The head of a sealed file: at most 4 KiB, all of it authenticated (Documentation/DataAtRest.md).
///
/// ```
/// magic 7 ‖ format 1 ‖ class 1 ‖ chunk exponent 1 ‖ flags 2 ‖ length of the head 4 ‖ file 16 ‖ container 16
/// ‖ wrapped file key (40; class B 72) ‖ sealed attributes (n + 16) ‖ tag over all before it 16
/// ```
struct SealedFileHead: Hashable, Sendable {
    static let magic: [UInt8] = Array("PVSFILE".utf8)
    static let format: UInt8 = 1
    static let limit = 4096
    /// Up to and with the container's identifier.
    static let fixedCount = 48
    static let tagCount = 16
    static let exponents: ClosedRange<UInt8> = 12...20
    /// A flag: half of the key lies in the container's database.
    static let erasable: UInt16 = 1

    let protection: ProtectionClass
    let chunkExponent: UInt8
    let file: [UInt8]
    let container: [UInt8]
    let wrappedKey: [UInt8]
    var sealedAttributes: [UInt8]
    /// Whether half of the key lies in the container's database (``ErasableHalves``).
    var isErasable = false

    /// The size of a full chunk's content.
    var chunkCount: Int { 1 << Int(chunkExponent) }
    /// The size of the whole head.
    var count: Int { Self.fixedCount + wrappedKey.count + sealedAttributes.count + Self.tagCount }

    static func wrappedCount(_ protection: ProtectionClass) -> Int { protection == .completeUnlessOpen ? 72 : 40 }

    /// What the attributes are bound to: everything before them.
    var bound: [UInt8] {
        var writer = ByteWriter(reserving: Self.limit)
        writer.raw(Self.magic)
        writer.integer(Self.format)
        writer.integer(protection.rawValue)
        writer.integer(chunkExponent)
        writer.integer(isErasable ? Self.erasable : 0)
        writer.integer(UInt32(count))
        writer.raw(file)
        writer.raw(container)
        writer.raw(wrappedKey)
        return writer.bytes
    }

    /// All before the tag.
    var tagged: [UInt8] { bound + sealedAttributes }

    /// How many bytes of the head the first bytes of a file announce.
    ///
    /// - Throws: ``StorageFailure/damaged(_:)`` for no sealed file; ``StorageFailure/newer(version:)`` for another
    ///   format or a flag that this one does not know.
    static func announcedCount(_ start: [UInt8]) throws(StorageFailure) -> Int {
        guard !start.isEmpty else { throw .damaged(.empty) }
        do throws(ByteReader.Truncated) {
            var reader = ByteReader(start)
            let magic = try reader.read(7)
            let format: UInt8 = try reader.integer()
            guard magic == self.magic, format > 0 else { throw ByteReader.Truncated() }
            guard format == self.format else { return -Int(format) }
            _ = try reader.read(2)
            guard try reader.integer(UInt16.self) & ~erasable == 0 else { return -Int(format) }
            let count = Int(try reader.integer(UInt32.self))
            guard (fixedCount + 40 + 32...limit).contains(count) else { throw ByteReader.Truncated() }
            return count
        } catch {
            throw .damaged(.head)
        }
    }

    /// Reads a head and its tag. Pure and total; nothing is authenticated yet.
    static func decode(_ bytes: [UInt8]) throws(StorageFailure) -> (head: SealedFileHead, tag: [UInt8]) {
        let count = try announcedCount(bytes)
        guard count > 0 else { throw .newer(version: -count) }
        guard bytes.count >= count else { throw .damaged(.length) }
        do throws(ByteReader.Truncated) {
            var reader = ByteReader(Array(bytes[..<count]))
            _ = try reader.read(8)
            guard let protection = ProtectionClass(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
            let exponent: UInt8 = try reader.integer()
            guard exponents.contains(exponent) else { throw ByteReader.Truncated() }
            let flags: UInt16 = try reader.integer()
            _ = try reader.read(4)
            let (file, container) = (try reader.read(16), try reader.read(16))
            let wrapped = try reader.read(wrappedCount(protection))
            let attributes = try reader.read(reader.remaining - tagCount)
            guard attributes.count >= 16 else { throw ByteReader.Truncated() }
            let head = SealedFileHead(
                protection: protection, chunkExponent: exponent, file: file, container: container, wrappedKey: wrapped,
                sealedAttributes: attributes, isErasable: flags & erasable != 0)
            return (head, try reader.read(tagCount))
        } catch {
            throw .damaged(.head)
        }
    }
}
