package import PavisePrimitives

/// Encryption to an EC public key: ephemeral ECDH, ANSI X9.63 key derivation, AES-GCM with a 16-byte nonce.
///
/// ```
/// packet = ephemeral public key (uncompressed point, or 32 bytes of X25519) ‖ ciphertext ‖ tag (16 bytes)
/// ```
///
/// The format is the one of Apple's `eciesEncryption…AESGCM` algorithms. The fixed nonce of the older family is safe
/// only because every packet has a fresh ephemeral key: nothing outside tests can choose one.
package enum ECIES {
    /// Hash, nonce family, and what both sides must know beside the keys.
    package struct Options: Sendable {
        package let hash: HashFunction
        /// Whether the nonce comes from the key derivation; otherwise it is sixteen zero bytes.
        package let derivesNonce: Bool
        /// Follows the ephemeral key in the derivation; Apple's API has none.
        package var sharedInfo: [UInt8] = []
        /// Authenticated beside the packet; Apple's API has none.
        package var associatedData: [UInt8] = []
        /// Bytes of the AES key; `nil` for the curve's own: 16 up to 256 bits, 32 above.
        package var keyBytes: Int?

        package init(hash: HashFunction, derivesNonce: Bool) {
            self.hash = hash
            self.derivesNonce = derivesNonce
        }
    }

    /// A packet in its parts.
    package struct Packet<Key: AgreementKey>: Sendable {
        /// The sender's key, known to be one.
        package let ephemeral: Key
        /// Ciphertext ‖ tag.
        package let sealed: [UInt8]
    }

    /// Encrypts for `recipient` with a fresh ephemeral key.
    package static func seal(
        _ plain: Span<UInt8>, to recipient: ECPublicKey, _ options: Options
    ) throws(CryptoFailure) -> [UInt8] {
        try seal(plain, to: recipient, options, ephemeral: ECPrivateKey(generating: recipient.curve))
    }

    /// Encrypts for an X25519 key with a fresh ephemeral key.
    package static func seal(
        _ plain: Span<UInt8>, to recipient: Curve25519PublicKey, _ options: Options
    ) throws(CryptoFailure) -> [UInt8] {
        let ephemeral = try Curve25519PrivateKey(generating: .agreement)
        let secret = try ephemeral.sharedSecret(with: recipient)
        return try seal(plain, secret: secret, ephemeral: ephemeral.publicKey, options)
    }

    // For tests with fixed vectors only: a second packet under the same ephemeral key breaks both.
    static func seal(
        _ plain: Span<UInt8>, to recipient: ECPublicKey, _ options: Options, ephemeral: ECPrivateKey
    ) throws(CryptoFailure) -> [UInt8] {
        let secret = try ephemeral.sharedSecret(with: recipient)
        return try seal(plain, secret: secret, ephemeral: ephemeral.publicKey, options)
    }

    private static func seal(
        _ plain: Span<UInt8>, secret: borrowing SecretBytes, ephemeral: some AgreementKey, _ options: Options
    ) throws(CryptoFailure) -> [UInt8] {
        let keys = try Keys(secret: secret, ephemeral: ephemeral, options)
        let cipher = try keys.cipher()
        return try ephemeral.encoded
            // pavise:ignore CONST-IV Apple's format: each packet has a fresh key, which is used once.
            + cipher.seal(plain, nonce: keys.nonce(), associatedData: options.associatedData)
    }

    /// Decrypts with the secret that the recipient's private key and the packet's ephemeral key share.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package static func open(
        _ packet: Packet<some AgreementKey>, secret: borrowing SecretBytes, _ options: Options
    ) throws(CryptoFailure) -> SecretBytes {
        let keys = try Keys(secret: secret, ephemeral: packet.ephemeral, options)
        let cipher = try keys.cipher()
        // pavise:ignore CONST-IV Apple's format: each packet has a fresh key, which is used once.
        return try cipher.open(packet.sealed.span, nonce: keys.nonce(), associatedData: options.associatedData)
    }
}

extension ECIES.Packet<ECPublicKey> {
    /// Takes a packet for a key on `curve` apart.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package init(_ bytes: [UInt8], curve: Curve) throws(CryptoFailure) {
        guard bytes.count >= curve.pointBytes + AESGCM.tagCount,
            let key = try? ECPublicKey(x963: Array(bytes.prefix(curve.pointBytes)), curve: curve)
        else { throw .authentication }
        self.init(ephemeral: key, sealed: Array(bytes.dropFirst(curve.pointBytes)))
    }
}

extension ECIES.Packet<Curve25519PublicKey> {
    /// Takes a packet for an X25519 key apart.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package init(x25519 bytes: [UInt8]) throws(CryptoFailure) {
        guard bytes.count >= 32 + AESGCM.tagCount,
            let key = try? Curve25519PublicKey(raw: Array(bytes.prefix(32)), use: .agreement)
        else { throw .authentication }
        self.init(ephemeral: key, sealed: Array(bytes.dropFirst(32)))
    }
}

/// AES key and, in the family that derives it, the nonce.
private struct Keys: ~Copyable {
    private let derived: SecretBytes
    private let keyBytes: Int

    init(
        secret: borrowing SecretBytes, ephemeral: some AgreementKey, _ options: ECIES.Options
    ) throws(CryptoFailure) {
        keyBytes = options.keyBytes ?? (ephemeral.fieldBits <= 256 ? 16 : 32)
        let count = keyBytes + (options.derivesNonce ? 16 : 0)
        let sharedInfo = ephemeral.encoded + options.sharedInfo
        derived = try secret.withBytes { secret throws(CryptoFailure) in
            try KDF.x963(options.hash, secret, sharedInfo: sharedInfo, count: count)
        }
    }

    func cipher() throws(CryptoFailure) -> AESGCM {
        try derived.withBytes { bytes throws(CryptoFailure) in try AESGCM(key: bytes.extracting(..<keyBytes)) }
    }

    func nonce() -> [UInt8] {
        guard derived.count > keyBytes else { return [UInt8](repeating: 0, count: 16) }
        return derived.withBytes { bytes in (keyBytes..<bytes.count).map { bytes[$0] } }
    }
}
