internal import Foundation

/// Identities of the keychain in a form without pointers, for the Kit.
package enum IdentityBridge {
    /// The identity under a persistent reference; `nil` with the keychain's status when there is none.
    package static func find(persistentReference: [UInt8]) -> (status: OSStatus, identity: SecIdentity?) {
        let answer = KeychainBridge.copyMatching([
            kSecClass as String: kSecClassIdentity, kSecValuePersistentRef as String: Data(persistentReference),
            kSecReturnRef as String: true,
        ])
        guard answer.status == errSecSuccess else { return (answer.status, nil) }
        let identity = answer.result as? SecIdentity
        return (identity == nil ? errSecItemNotFound : errSecSuccess, identity)
    }

    /// Where a key signs.
    package enum Signing: Hashable, Sendable {
        /// In this process, at once.
        case here
        /// In the device's secure element, which may take its time.
        case elsewhere
        /// In the secure element, after a person has been asked.
        case asksPerson
    }

    /// Where the key of `identity` signs.
    package static func signing(of identity: SecIdentity) -> Signing {
        guard case .element(let element, _, _) = identity.key.material else { return .here }
        return element is GuardedElement ? .asksPerson : .elsewhere
    }
}
