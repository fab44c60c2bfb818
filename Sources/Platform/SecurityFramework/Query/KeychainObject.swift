/// An object that a query may carry in `kSecValueRef`, and that the keychain stores and gives back.
package protocol KeychainObject: AnyObject {
    /// The code of the object's class: `keys`, `cert` or `idnt`.
    var keychainClass: String { get }

    /// The attributes that name and describe the object, by code, with the values that a caller would give.
    func keychainAttributes() -> [String: Any]

    /// The bytes to store as the item's value.
    ///
    /// - Throws: ``StatusFailure`` where the object has none to give.
    func keychainData() throws -> [UInt8]
}
