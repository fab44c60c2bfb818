internal import PaviseCrypto
internal import PavisePrimitives

/// Keyed digests that items are found by. A stolen database does not tell which account names are in it.
///
/// The key comes from a class that is always available, so that a locked item can be found, and answered as locked.
final class ItemDigests: Sendable {
    private let key: HMACKey

    init(_ key: consuming SecretBytes) { self.key = HMACKey(key) }

    /// The digest of one attribute: HMAC-SHA256 over class, code and compared bytes, 16 bytes of it.
    func attribute(_ itemClass: ItemClass, _ code: AttributeCode, _ value: ItemValue) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([1, itemClass.number])
        writer.integer(code.number)
        writer.raw(value.comparedBytes)
        return Array(authenticate(writer.bytes).prefix(16))
    }

    /// The digest of the class's own part of the primary key, where a search by all of its attributes starts.
    func name(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
        Array(authenticate([2, itemClass.number] + nameBytes(itemClass, attributes)).prefix(16))
    }

    /// The digest of the whole primary key, which no two items share.
    func primaryKey(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, group: String, isSynchronizable: Bool
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([3, itemClass.number, isSynchronizable ? 1 : 0])
        writer.block(Array(group.utf8))
        for code in [AttributeCode.token, .viewHint, .sharingGroup] {
            writer.block(attributes[code]?.comparedBytes ?? [])
        }
        writer.raw(nameBytes(itemClass, attributes))
        return authenticate(writer.bytes)
    }

    /// The digest by which an identifier is found.
    func identifier(_ identifier: [UInt8]) -> [UInt8] { Array(authenticate([4] + identifier).prefix(16)) }

    /// A header with its tag, so that damage to it is seen while the item's class is locked, too.
    func tagged(_ header: [UInt8], _ primaryKey: [UInt8]) -> [UInt8] { header + tag(header, primaryKey) }

    /// The header in front of a tag that fits it; `nil` otherwise.
    func checked(_ tagged: [UInt8], _ primaryKey: [UInt8]) -> [UInt8]? {
        let header = Array(tagged.dropLast(16))
        let found = Array(tagged.suffix(16))
        let expected = tag(header, primaryKey)
        return ConstantTime.equal(found.span, expected.span) ? header : nil
    }

    private func tag(_ header: [UInt8], _ primaryKey: [UInt8]) -> [UInt8] {
        Array(authenticate([5] + header + primaryKey).prefix(16))
    }

    /// All digests of an item's attributes, and those of them that a search may start from.
    func all(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> (digests: [UInt8], starts: [[UInt8]]) {
        let schema = Schema.of(itemClass)
        let indexed = Set(schema.indexed)
        var digests = name(itemClass, attributes)
        var starts = [digests]
        for (code, value) in Self.compared(schema, attributes) {
            let digest = attribute(itemClass, code, value)
            digests += digest
            if indexed.contains(code) { starts.append(digest) }
        }
        return (digests, starts)
    }

    // Absent attributes of the primary key are compared as 0 or as empty.
    private static func compared(
        _ schema: Schema, _ attributes: ItemAttributes
    ) -> ItemAttributes {
        var compared = attributes
        for code in schema.key where compared[code] == nil { compared[code] = absent(schema, code) }
        for code in schema.zeroes where compared[code] == nil { compared[code] = absent(schema, code) }
        return compared
    }

    private static func absent(_ schema: Schema, _ code: AttributeCode) -> ItemValue {
        switch schema.kinds[code] {
        case .number: .number(0)
        case .date: .date(0)
        default: .data([])
        }
    }

    private func nameBytes(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
        let schema = Schema.of(itemClass)
        var writer = ByteWriter()
        for code in schema.key {
            writer.block((attributes[code] ?? Self.absent(schema, code)).comparedBytes)
        }
        return writer.bytes
    }

    private func authenticate(_ bytes: [UInt8]) -> [UInt8] { key.authenticate(bytes) }
}
