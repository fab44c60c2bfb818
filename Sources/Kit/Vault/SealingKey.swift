public import PavisePrimitives

/// A key that never leaves its home (an enclave, a TPM) and seals small packets.
///
/// The packet form is Apple's ECIES: ephemeral point, ciphertext, 16-byte tag; 81 bytes longer than the plaintext.
public protocol SealingKey: Sendable {
    /// Makes the key where there is none. An existing key is kept.
    ///
    /// - Throws: ``VaultFailure`` without ``VaultFailure/keyLost``.
    func prepare() throws(VaultFailure)

    /// Encrypts to the key.
    ///
    /// - Throws: ``VaultFailure/keyLost`` when there is no key: none is ever made on the way.
    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8]

    /// Decrypts a packet.
    ///
    /// - Throws: ``VaultFailure/keyLost`` when there is no key, ``VaultFailure/corrupt(_:)`` when it does not open.
    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes

    /// Destroys the key: no packet that it sealed opens ever again. A key that is not there is fine.
    func destroy() throws(VaultFailure)
}
