public import PaviseVault

/// A P-256 key that can sign and cannot be copied: what sender-constrained tokens are bound to (RFC 9449 §2).
public protocol ProofSigner: Sendable {
    /// The public half: 04‖X‖Y, 65 bytes.
    func publicPoint() throws(VaultFailure) -> [UInt8]
    /// ECDSA over the SHA-256 of `message`, as r ‖ s, 64 bytes.
    func sign(_ message: [UInt8]) throws(VaultFailure) -> [UInt8]
}

extension EnclaveKey: ProofSigner {}
