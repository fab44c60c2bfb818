internal import Foundation

/// Where permanent keys go: the keychain.
enum PermanentKeys {
    /// Stores a key as an item.
    ///
    /// - Throws: -25299 when there is one with the same primary attributes.
    static func add(_ key: SecKey, _ attributes: [String: Any]) throws(KeyFailure) {
        throw .unimplemented("Permanent keys need the keychain.")
    }
}
