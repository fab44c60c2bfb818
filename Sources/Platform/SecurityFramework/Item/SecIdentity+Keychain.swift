internal import Foundation

extension SecIdentity: KeychainObject {
    /// Identities.
    package var keychainClass: String { ItemClass.identity.rawValue }

    /// What a search for the identity looks for: the certificate's names, and the hash that both halves have.
    package func keychainAttributes() -> [String: Any] {
        var attributes = certificate.keychainAttributes()
        attributes["klbl"] = Data(key.applicationLabel)
        return attributes
    }

    /// Nothing: an identity is stored as its two halves.
    package func keychainData() throws -> [UInt8] { throw StatusFailure(errSecInvalidItemRef) }
}
