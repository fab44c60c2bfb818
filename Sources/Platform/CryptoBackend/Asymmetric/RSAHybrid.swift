package import PavisePrimitives

/// AES-GCM under a session key that OAEP carries: Apple's `rsaEncryptionOAEP…AESGCM`.
///
/// ```
/// packet = OAEP(session key) ‖ ciphertext ‖ tag (16 bytes)
/// ```
///
/// The nonce is sixteen zero bytes and the associated data the public key as PKCS#1; the session key is fresh.
package enum RSAHybrid {
    /// The bytes of the session key for a modulus of `bits`.
    package static func sessionBytes(modulus bits: Int) -> Int { bits < 4096 ? 16 : 32 }

    /// Encrypts for `recipient`.
    package static func seal(
        _ plain: Span<UInt8>, to recipient: RSAPublicKey, hash: HashFunction
    ) throws(CryptoFailure) -> [UInt8] {
        guard let session = try? SecretBytes.random(count: sessionBytes(modulus: recipient.bits)) else {
            throw .entropy
        }
        return try session.withBytes { session throws(CryptoFailure) in
            let cipher = try AESGCM(key: session)
            return try recipient.encrypt(session, .oaep(hash))
                // pavise:ignore CONST-IV Apple's format: each packet has a fresh key, which is used once.
                + cipher.seal(plain, nonce: zeroes, associatedData: recipient.pkcs1)
        }
    }

    /// Decrypts a packet.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package static func open(
        _ packet: [UInt8], with key: RSAPrivateKey, hash: HashFunction
    ) throws(CryptoFailure) -> SecretBytes {
        let size = key.publicKey.blockBytes
        guard packet.count >= size + AESGCM.tagCount else { throw .authentication }
        let session = try key.decrypt(packet.span.extracting(..<size), .oaep(hash))
        guard session.count == sessionBytes(modulus: key.publicKey.bits) else { throw .authentication }
        let associatedData = key.publicKey.pkcs1
        return try session.withBytes { session throws(CryptoFailure) in
            // pavise:ignore CONST-IV Apple's format: each packet has a fresh key, which is used once.
            try AESGCM(key: session).open(
                packet.span.extracting(size...), nonce: zeroes, associatedData: associatedData)
        }
    }

    private static let zeroes = [UInt8](repeating: 0, count: 16)
}
