internal import PavisePrimitives

extension SecKey: KeychainObject {
    /// Keys.
    package var keychainClass: String { "keys" }

    /// What names and describes the key.
    package func keychainAttributes() -> [String: Any] { attributes }

    /// The external representation; nothing for a key of the secure element, whose handle is an attribute.
    package func keychainData() throws -> [UInt8] {
        guard !material.isElement else { return [] }
        let bytes: SecretBytes
        do throws(KeyFailure) { bytes = try material.externalBytes() } catch { throw StatusFailure(errSecParam) }
        return bytes.withBytes { bytes in Array(bytes) }
    }
}
