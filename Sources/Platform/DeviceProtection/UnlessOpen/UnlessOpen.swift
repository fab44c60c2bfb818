internal import PaviseCrypto
internal import PavisePrimitives

/// One-pass Diffie-Hellman for keys of files that are written while locked (NIST SP 800-56A).
///
/// The bytes: ephemeral public key (32) ‖ file key under the agreed key, RFC 3394 (40).
enum UnlessOpen {
    static let count = 72

    /// Wraps a file key of 32 bytes for the class's public key.
    static func wrap(
        _ key: borrowing SecretBytes, to publicKey: [UInt8], ephemeral: Curve25519PrivateKey? = nil
    ) throws -> [UInt8] {
        guard key.count == 32 else { throw DeviceFailure.invalidInput }
        let recipient = try Curve25519PublicKey(raw: publicKey, use: .agreement)
        let ephemeral = try ephemeral ?? Curve25519PrivateKey(generating: .agreement)
        let secret = try ephemeral.sharedSecret(with: recipient)
        let agreed = agreedKey(secret, ephemeral.publicKey.raw, publicKey)
        let wrapped = try key.withBytes { key in try agreed.withBytes { try AESKeyWrap.wrap(key, with: $0) } }
        return ephemeral.publicKey.raw + wrapped
    }

    /// Unwraps what ``wrap(_:to:ephemeral:)`` gave.
    ///
    /// - Throws: ``DeviceFailure/unknownKey`` for anything else, also for a point of small order.
    static func unwrap(_ blob: [UInt8], with privateKey: borrowing SecretBytes) throws -> SecretBytes {
        guard blob.count == count else { throw DeviceFailure.unknownKey }
        do {
            let key = try privateKey.withBytes { try Curve25519PrivateKey(raw: $0, use: .agreement) }
            let ephemeral = try Curve25519PublicKey(raw: Array(blob[..<32]), use: .agreement)
            let secret = try key.sharedSecret(with: ephemeral)
            let agreed = agreedKey(secret, ephemeral.raw, key.publicKey.raw)
            return try agreed.withBytes { try AESKeyWrap.unwrap(Array(blob[32...]), with: $0) }
        } catch {
            throw DeviceFailure.unknownKey
        }
    }

    // The concatenation KDF with both public keys as OtherInfo: SHA-256(00000001 ‖ Z ‖ ephemeral ‖ recipient).
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
