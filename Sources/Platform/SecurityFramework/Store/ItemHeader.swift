internal import PaviseDevice
internal import PavisePrimitives

/// What is known of a stored item without a class key: enough to find it, and to say that it is locked.
///
/// The encoded header is associated data of both encrypted halves, so that no field can be changed, and no half moved
/// to another item, without the item being refused.
struct ItemHeader: Hashable, Sendable {
    /// The item's random identifier of 16 bytes; the persistent reference carries it.
    var identifier: [UInt8]
    var itemClass: ItemClass
    var keyClass: KeyClass
    /// Grows with every change.
    var generation: UInt64
    var isSynchronizable: Bool
    /// A deleted synchronised item, of which only the primary key is left.
    var isTombstone: Bool
    var group: String
    /// Keyed digests of the attributes, 16 bytes each, one after the other.
    var digests: [UInt8]
    /// The identifier of the metadata key that opens the attributes; empty in version 1, which had none.
    var metadataKey: [UInt8] = []

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt8(metadataKey.isEmpty ? 1 : 2))
        writer.raw(identifier)
        writer.raw([itemClass.number, keyClass.rawValue, isSynchronizable ? 1 : 0, isTombstone ? 1 : 0])
        writer.integer(generation)
        writer.block(Array(group.utf8))
        writer.block(digests)
        writer.raw(metadataKey)
        return writer.bytes
    }

    init(
        identifier: [UInt8], itemClass: ItemClass, keyClass: KeyClass, generation: UInt64, isSynchronizable: Bool,
        isTombstone: Bool, group: String, digests: [UInt8], metadataKey: [UInt8] = []
    ) {
        self.identifier = identifier
        self.itemClass = itemClass
        self.keyClass = keyClass
        self.generation = generation
        self.isSynchronizable = isSynchronizable
        self.isTombstone = isTombstone
        self.group = group
        self.digests = digests
        self.metadataKey = metadataKey
    }

    /// Reads the encoded form; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let header = try? Self.read(&reader), reader.isAtEnd else { return nil }
        self = header
    }

    private static func read(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> ItemHeader {
        let version = try reader.integer(UInt8.self)
        guard version == 1 || version == 2 else { throw ByteReader.Truncated() }
        let identifier = try reader.read(16)
        guard let itemClass = ItemClass(number: try reader.integer()),
            let keyClass = KeyClass(rawValue: try reader.integer())
        else { throw ByteReader.Truncated() }
        let isSynchronizable = try reader.integer(UInt8.self) == 1
        let isTombstone = try reader.integer(UInt8.self) == 1
        let generation: UInt64 = try reader.integer()
        let group = String(decoding: try reader.block(limit: 4096), as: UTF8.self)
        let digests = try reader.block(limit: 16_384)
        let metadataKey = version == 1 ? [] : try reader.read(MetadataKeys.identifierCount)
        return ItemHeader(
            identifier: identifier, itemClass: itemClass, keyClass: keyClass, generation: generation,
            isSynchronizable: isSynchronizable, isTombstone: isTombstone, group: group, digests: digests,
            metadataKey: metadataKey)
    }

    /// Whether the item has the attribute whose digest this is.
    func has(_ digest: [UInt8]) -> Bool {
        var start = 0
        while start + 16 <= digests.count {
            if digests[start..<start + 16].elementsEqual(digest) { return true }
            start += 16
        }
        return false
    }
}
