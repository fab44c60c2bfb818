internal import PavisePrimitives

/// A row of the store, still sealed.
struct StoredRow: Sendable {
    let row: Int64
    let primaryKey: [UInt8]
    let header: ItemHeader
    /// What both halves are bound to: header and primary key.
    let binding: [UInt8]
    let attributes: [UInt8]
    let secret: [UInt8]
}

/// An item in clear.
struct Item: Sendable {
    var identifier: [UInt8]
    var itemClass: ItemClass
    var group: String
    var isSynchronizable: Bool
    var generation: UInt64
    /// Every attribute but group and synchronizable, accessibility and dates included.
    var attributes: ItemAttributes
    /// The secret; `nil` for an item that was stored without one.
    var data: [UInt8]?
    /// The stored form of its access control, where it has one.
    var accessControl: [UInt8]?
    /// What must be shown before the secrets can be read; they are absent meanwhile.
    var need: AuthenticationNeeded.Proof?

    /// Without anything in it.
    static let empty = Item(
        identifier: [], itemClass: .genericPassword, group: "", isSynchronizable: false, generation: 0, attributes: [:])

    /// Overwrites the value, where nobody else has it.
    mutating func wipe() {
        guard var bytes = data else { return }
        data = nil
        Wipe.bytes(&bytes)
    }

    /// Attributes that lie among the secrets: six of internet passwords, and of a key on a token its handle and what
    /// judges its password.
    static let secretCodes = Set(
        ["binn", "bini", "bin0", "bin1", "bin2", "bin3", "toid", "apwv"].compactMap { AttributeCode($0) })

    var accessibility: String {
        guard case .text(let code)? = attributes[.accessible] else { return Accessibility.standard(itemClass) }
        return code
    }

    /// The plain bytes of the first half.
    var encodedAttributes: [UInt8] {
        var writer = ByteWriter()
        writer.raw(ItemCoding.encode(attributes.filter { !Self.secretCodes.contains($0.key) }))
        writer.block(accessControl ?? [])
        return writer.bytes
    }

    /// The plain bytes of the second half.
    var encodedSecret: [UInt8] {
        var writer = ByteWriter()
        writer.raw(ItemCoding.encode(attributes.filter { Self.secretCodes.contains($0.key) }))
        writer.integer(UInt8(data == nil ? 0 : 1))
        writer.block(data ?? [])
        return writer.bytes
    }

    mutating func readAttributes(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        attributes.merge(try ItemCoding.decode(&reader)) { _, new in new }
        let control = try reader.block(limit: 65_536)
        accessControl = control.isEmpty ? nil : control
        // Rules that this version does not know are not the same as none.
        guard control.isEmpty || self.control != nil else { throw ItemSeal.Damaged() }
        guard reader.isAtEnd else { throw ItemSeal.Damaged() }
    }

    mutating func readSecret(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        attributes.merge(try ItemCoding.decode(&reader)) { _, new in new }
        let hasData = try reader.integer(UInt8.self) == 1
        let bytes = try reader.block(limit: .max)
        data = hasData ? bytes : nil
        guard reader.isAtEnd else { throw ItemSeal.Damaged() }
    }
}
