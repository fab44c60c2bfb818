internal import Foundation
internal import Security

/// Signatures of strangers that the Kit checks by themselves.
package enum SignatureCheck {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    ///
    /// - Parameter key: PKCS#1 RSAPublicKey in DER.
    /// - Returns: `nil` when the key itself cannot be used.
    package static func isRS256(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool? {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        guard let key = unsafe SecKeyCreateWithData(Data(key) as CFData, attributes as CFDictionary, nil) else {
            return nil
        }
        return unsafe SecKeyVerifySignature(
            key, .rsaSignatureMessagePKCS1v15SHA256, Data(message) as CFData, Data(signature) as CFData, nil)
    }
}
