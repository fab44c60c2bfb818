/// An object that a query may carry in `kSecValueRef`, and that the keychain stores and gives back.
package protocol KeychainObject: AnyObject {
    /// The code of the object's class: `keys` or `cert`.
    var keychainClass: String { get }
    /// The attributes that name and describe the object, by code, with the values that a caller would give.
    func keychainAttributes() -> [String: Any]
    /// The bytes to store as the item's secret; for a key on a token, the token's handle.
    /// Throws where the object has none, for example a public key that is only a view.
    func keychainData() throws -> [UInt8]
}

/// What the keychain must know of a `SecAccessControl` object.
package protocol AccessControlObject: AnyObject {
    /// The code of the accessibility, for example `ak`.
    var protectionCode: String { get }
    /// Whether a person has to be asked before the item is read.
    var isConstrained: Bool { get }
    /// The bytes to store.
    var storedForm: [UInt8] { get }
}

/// Makes objects from stored items.
enum KeychainObjects {
    /// - Returns: `nil` for a class without objects, and for bytes that are not one.
    static func restore(
        _ itemClass: ItemClass, attributes: [AttributeCode: ItemValue], data: [UInt8]
    ) -> CFTypeRef? {
        nil
    }

    /// The access control that `bytes` were stored for.
    static func accessControl(_ bytes: [UInt8]) -> CFTypeRef? { nil }
}
