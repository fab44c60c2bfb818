package import PavisePrimitives

/// A file key wrapped for the public half of a class key: one-pass Diffie-Hellman with X25519 (NIST SP 800-56A
/// §6.2.2.2, RFC 7748), the one-step key derivation with SHA-256 (§5.8.2.1), and AES key wrap (RFC 3394).
///
/// The bytes: ephemeral public key (32) ‖ wrapped key (8 more than the key). Whoever has the public half alone can
/// write files and not read them.
package enum Curve25519KeyWrap {
    /// Wraps `key` for `publicKey`, 32 bytes.
    ///
    /// - Parameter ephemeral: The key pair of the sender; a fresh one but in tests with published values.
    package static func wrap(
        _ key: borrowing SecretBytes, to publicKey: [UInt8], ephemeral: Curve25519PrivateKey? = nil
    ) throws(CryptoFailure) -> [UInt8] {
        let recipient = try Curve25519PublicKey(raw: publicKey, use: .agreement)
        let ephemeral = if let ephemeral { ephemeral } else { try Curve25519PrivateKey(generating: .agreement) }
        let agreed = agreedKey(try ephemeral.sharedSecret(with: recipient), ephemeral.publicKey.raw, publicKey)
        let wrapped = try key.withBytes { key throws(CryptoFailure) in
            try agreed.withBytes { agreed throws(CryptoFailure) in try AESKeyWrap.wrap(key, with: agreed) }
        }
        return ephemeral.publicKey.raw + wrapped
    }

    /// Unwraps what ``wrap(_:to:ephemeral:)`` gave.
    ///
    /// - Throws: ``CryptoFailure`` for anything else, also for a public key of small order.
    package static func unwrap(
        _ wrapped: [UInt8], with privateKey: Curve25519PrivateKey
    ) throws(CryptoFailure) -> SecretBytes {
        guard wrapped.count > 32 else { throw .invalidKey }
        let ephemeral = try Curve25519PublicKey(raw: Array(wrapped[..<32]), use: .agreement)
        let secret = try privateKey.sharedSecret(with: ephemeral)
        let agreed = agreedKey(secret, ephemeral.raw, privateKey.publicKey.raw)
        return try agreed.withBytes { agreed throws(CryptoFailure) in
            try AESKeyWrap.unwrap(Array(wrapped[32...]), with: agreed)
        }
    }

    // Both public keys are OtherInfo: SHA-256(00000001 ‖ Z ‖ ephemeral ‖ recipient).
    private static func agreedKey(
        _ secret: borrowing SecretBytes, _ ephemeral: [UInt8], _ recipient: [UInt8]
    ) -> SecretBytes {
        var digest = secret.withBytes { secret in
            var stream = IncrementalHash(.sha256)
            let counter: [UInt8] = [0, 0, 0, 1]
            stream.update(counter.span)
            stream.update(secret)
            stream.update(ephemeral.span)
            stream.update(recipient.span)
            return stream.finalize()
        }
        defer { Wipe.bytes(&digest) }
        return SecretBytes(copying: digest.span)
    }
}
