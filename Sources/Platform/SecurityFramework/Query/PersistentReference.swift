internal import PavisePrimitives

/// A name for an item that can be stored: four class letters, then the item's 16-byte identifier.
struct PersistentReference: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case identifier([UInt8])
        case row(Int64)
    }
    let itemClass: ItemClass
    let target: Target

    init(_ itemClass: ItemClass, identifier: [UInt8]) {
        self.itemClass = itemClass
        target = .identifier(identifier)
    }

    /// Reads the form of 20 bytes and the older one of 12; anything else is -50.
    init(_ bytes: [UInt8]) throws(StatusFailure) {
        guard bytes.count == 20 || bytes.count == 12,
            let itemClass = ItemClass(rawValue: String(decoding: bytes.prefix(4), as: UTF8.self))
        else { throw StatusFailure(errSecParam) }
        self.itemClass = itemClass
        let rest = Array(bytes.dropFirst(4))
        target = rest.count == 16 ? .identifier(rest) : .row(rest.reduce(0) { $0 << 8 | Int64($1) })
    }

    var bytes: [UInt8] {
        switch target {
        case .identifier(let identifier): Array(itemClass.rawValue.utf8) + identifier
        case .row(let row):
            Array(itemClass.rawValue.utf8)
                + (0..<8).map { UInt8(UInt64(bitPattern: row) >> (56 - 8 * UInt64($0)) & 255) }
        }
    }
}
