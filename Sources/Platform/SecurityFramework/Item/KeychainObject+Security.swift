internal import Foundation

extension SecKey: KeychainObject {
    /// Keys.
    package var keychainClass: String { "keys" }

    /// What names and describes the key.
    package func keychainAttributes() -> [String: Any] { attributes }

    /// The external representation; nothing for a key of the secure element, whose handle is an attribute.
    package func keychainData() throws -> [UInt8] {
        guard let storage else { throw StatusFailure(errSecParam) }
        return Array(storage.data)
    }
}
