internal import Foundation

/// Where permanent keys go: the keychain.
enum PermanentKeys {
    /// Stores a key as an item.
    ///
    /// - Parameter attributes: What the caller gave beside the key; it wins over what the key says of itself.
    /// - Throws: -25299 when there is one with the same primary attributes.
    static func add(_ key: SecKey, _ attributes: [String: Any]) throws(KeyFailure) {
        var query = attributes
        query[kSecClass as String] = kSecClassKey
        query[kSecValueRef as String] = key
        let status = SecItem.add(query as NSDictionary).status
        guard status == errSecSuccess else {
            throw .status(status, StatusNames.message(for: status) ?? "The key could not be stored.")
        }
    }

    /// Takes a half out of the keychain again.
    static func remove(_ key: SecKey) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationLabel as String: Data(key.applicationLabel),
            kSecAttrKeyClass as String: key.material.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
        ]
        _ = SecItem.delete(query as NSDictionary)
    }
}
