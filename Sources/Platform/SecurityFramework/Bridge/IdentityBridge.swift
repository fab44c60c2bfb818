internal import Foundation

/// Identities of the keychain in a form without pointers, for the Kit.
package enum IdentityBridge {
    /// The identity under a persistent reference; `nil` with the keychain's status when there is none.
    package static func find(persistentReference: [UInt8]) -> (status: OSStatus, identity: SecIdentity?) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecValuePersistentRef: Data(persistentReference), kSecReturnRef: true,
        ]
        let answer = SecItem.copyMatching(query as NSDictionary)
        guard answer.status == errSecSuccess else { return (answer.status, nil) }
        let identity = answer.result as? SecIdentity
        return (identity == nil ? errSecItemNotFound : errSecSuccess, identity)
    }
}
