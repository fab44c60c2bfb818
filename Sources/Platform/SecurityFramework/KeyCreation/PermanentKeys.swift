internal import Foundation

/// Where permanent keys go: the keychain.
enum PermanentKeys {
    /// A key that is to be stored.
    struct Half {
        let key: SecKey
        /// What the caller gave beside the key; it wins over what the key says of itself.
        let attributes: [String: Any]
    }

    /// Stores keys as items: all of them, or none.
    ///
    /// - Throws: -25299 when there is one with the same primary attributes.
    static func add(_ halves: [Half]) throws(KeyFailure) {
        guard !halves.isEmpty else { return }
        let queries = halves.map { half in
            let object: [String: Any] = [kSecClass as String: kSecClassKey, kSecValueRef as String: half.key]
            return half.attributes.merging(object) { $1 } as NSDictionary
        }
        let status = SecItem.addTogether(queries)
        guard status == errSecSuccess else {
            throw .status(status, StatusNames.message(for: status) ?? "The key could not be stored.")
        }
    }
}
