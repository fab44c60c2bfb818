/// A P-256 key that can sign and cannot be copied: what sender-constrained tokens are bound to (RFC 9449 §2).
public protocol DPoPSigner: Sendable {
    /// The public half: 04‖X‖Y, 65 bytes.
    func publicPoint() throws(VaultFailure) -> [UInt8]
    /// ECDSA over the SHA-256 of `message`, as r ‖ s, 64 bytes.
    func sign(_ message: [UInt8]) throws(VaultFailure) -> [UInt8]
}

/// A ``DPoPSigner`` with a life of its own: made when somebody signs in, destroyed when the session ends.
public protocol DPoPKey: DPoPSigner {
    /// Makes the key where there is none. An existing key is kept.
    func prepare() throws(VaultFailure)
    /// Destroys the key: what was bound to it is worth nothing any more. A key that is not there is fine.
    func destroy() throws(VaultFailure)
}

extension EnclaveKey: DPoPKey {}
