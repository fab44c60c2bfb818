internal import Foundation
package import Security

/// Identities of the keychain in a form without pointers, for the Kit.
package enum IdentityBridge {
    /// The identity under a persistent reference; `nil` with the keychain's status when there is none.
    package static func find(persistentReference: [UInt8]) -> (status: OSStatus, identity: SecIdentity?) {
        let answer = KeychainBridge.copyMatching([
            kSecClass as String: kSecClassIdentity, kSecValuePersistentRef as String: Data(persistentReference),
            kSecReturnRef as String: true,
        ])
        guard answer.status == errSecSuccess else { return (answer.status, nil) }
        let identity = ([answer.result] as? [SecIdentity])?.first
        return (identity == nil ? errSecItemNotFound : errSecSuccess, identity)
    }
}
