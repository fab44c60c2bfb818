#if canImport(CryptoKit)
internal import Foundation
internal import Security
#else
internal import PaviseCrypto
#endif

/// Signatures of strangers that the Kit checks by themselves.
package enum SignatureCheck {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    ///
    /// - Parameter key: PKCS#1 RSAPublicKey in DER.
    /// - Returns: `nil` when the key itself cannot be used.
    package static func isRS256(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool? {
        #if canImport(CryptoKit)
        let attributes =
            [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
        guard let key = unsafe SecKeyCreateWithData(Data(key) as CFData, attributes, nil) else { return nil }
        return unsafe SecKeyVerifySignature(
            key, .rsaSignatureMessagePKCS1v15SHA256, Data(message) as CFData, Data(signature) as CFData, nil)
        #else
        guard let key = try? RSAPublicKey(pkcs1: key) else { return nil }
        return key.verify(signature: signature, digest: Hash.digest(.sha256, message), hash: .sha256, padding: .pkcs1)
        #endif
    }
}
