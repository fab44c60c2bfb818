// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name follows Apple's.

/// Signatures with Ed25519 keys.
extension SecKeyAlgorithm {
    /// Ed25519 over a message (RFC 8032), signature of 64 bytes.
    public static let edDSASignatureMessageCurve25519SHA512 =
        SecKeyAlgorithm("algid:sign:EdDSA:message-Curve25519:SHA512")
}
