internal import Foundation

/// What an attribute of the primary key is when nobody gave it: 0, the beginning of 2001, or nothing, as Apple's schema
/// stores it. Stored items leave it out, and every answer has it: `item[kSecAttrAccount] as! String` is safe as it is
/// on Apple's systems.
struct StandardAttributes {
    let code: AttributeCode
    let name: NSString
    let value: AnyObject

    /// Those of a class. An identity has a certificate's and a key's.
    static func of(_ itemClass: ItemClass) -> [StandardAttributes] {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        case .identity: identity
        }
    }

    private static func made(_ itemClass: ItemClass) -> [StandardAttributes] {
        let schema = Schema.of(itemClass)
        return schema.key.map { code in
            let value: ItemValue =
                switch schema.kinds[code] {
                case .number: .number(0)
                case .date: .date(0)
                case .data: .data([])
                default: .text("")
                }
            return StandardAttributes(code: code, name: code.text as NSString, value: value.object)
        }
    }

    // Safe to share: neither a list nor an object in it ever changes.
    @safe private nonisolated(unsafe) static let genericPassword = made(.genericPassword)
    @safe private nonisolated(unsafe) static let internetPassword = made(.internetPassword)
    @safe private nonisolated(unsafe) static let certificate = made(.certificate)
    @safe private nonisolated(unsafe) static let key = made(.key)
    @safe private nonisolated(unsafe) static let identity = certificate + key
}
