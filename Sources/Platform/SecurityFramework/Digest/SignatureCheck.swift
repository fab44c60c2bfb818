internal import PaviseCrypto

/// Signatures of strangers that the Kit checks by themselves.
package enum SignatureCheck {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    ///
    /// - Parameter key: PKCS#1 RSAPublicKey in DER.
    /// - Returns: `nil` when the key itself cannot be used.
    package static func isRS256(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool? {
        guard let key = try? RSAPublicKey(pkcs1: key) else { return nil }
        return key.verify(signature: signature, digest: Hash.digest(.sha256, message), padding: .pkcs1(.sha256))
    }
}
