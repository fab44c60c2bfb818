internal import PaviseCrypto
internal import PavisePrimitives

/// The cryptography of containers, from OpenSSL; the adapter for Apple's systems has the same functions over CryptoKit.
///
/// HKDF is RFC 5869 with SHA-256, key wrap RFC 3394, agreement X25519 of RFC 7748 with the concatenation KDF of SP
/// 800-56A.
enum StorageCrypto {
    /// How many bytes the key of a class has.
    static func keyLength(_ protection: ProtectionClass) -> Int { protection == .completeUnlessOpen ? 64 : 32 }

    /// A fresh key of a class.
    static func freshKey(_ protection: ProtectionClass) throws(StorageFailure) -> SecretBytes {
        do { return try .random(count: keyLength(protection)) } catch { throw .crypto }
    }

    /// The public half that belongs to a key of class B.
    static func publicHalf(_ key: borrowing SecretBytes) throws(StorageFailure) -> [UInt8] {
        try attempt { try key.withBytes { try privateHalf($0).publicKey.raw } }
    }

    /// The key of the container's databases of a class: HKDF over the class's own 32 bytes.
    static func databaseKey(
        _ key: borrowing SecretBytes, _ protection: ProtectionClass
    ) throws(StorageFailure) -> SecretBytes {
        let start = keyLength(protection) - 32
        return try attempt {
            try key.withBytes { bytes in
                try KDF.hkdf(
                    bytes.extracting(start..<bytes.count), salt: [], info: Array("pavise storage database 1".utf8),
                    count: 32)
            }
        }
    }

    /// HMAC-SHA-256, for the names of databases.
    static func tag(_ text: [UInt8], _ key: Span<UInt8>) -> [UInt8] { HMAC.sha256(key: key, text.span) }

    static func privateHalf(_ key: Span<UInt8>) throws -> Curve25519PrivateKey {
        try Curve25519PrivateKey(raw: key.extracting(0..<32), use: .agreement)
    }

    static func attempt<Value: ~Copyable>(_ body: () throws -> Value) throws(StorageFailure) -> Value {
        do { return try body() } catch { throw .crypto }
    }
}

// MARK: Files

extension StorageCrypto {
    /// Wraps the key of a file under a symmetric class key (40 bytes).
    static func wrap(_ fileKey: borrowing SecretBytes, with key: borrowing SecretBytes) throws(StorageFailure)
        -> [UInt8]
    {
        try attempt { try fileKey.withBytes { file in try key.withBytes { try AESKeyWrap.wrap(file, with: $0) } } }
    }

    /// Unwraps the key of a file; anything else is damage of the head.
    static func unwrap(_ wrapped: [UInt8], with key: borrowing SecretBytes) throws(StorageFailure) -> SecretBytes {
        do { return try key.withBytes { try AESKeyWrap.unwrap(wrapped, with: $0) } } catch { throw .damaged(.head) }
    }

    /// Wraps the key of a file for a public half: ephemeral public key (32) ‖ RFC 3394 (40).
    static func wrap(_ fileKey: borrowing SecretBytes, to publicKey: [UInt8]) throws(StorageFailure) -> [UInt8] {
        try attempt {
            let recipient = try Curve25519PublicKey(raw: publicKey, use: .agreement)
            let ephemeral = try Curve25519PrivateKey(generating: .agreement)
            let agreed = agreedKey(try ephemeral.sharedSecret(with: recipient), ephemeral.publicKey.raw, publicKey)
            let wrapped = try fileKey.withBytes { file in
                try agreed.withBytes { try AESKeyWrap.wrap(file, with: $0) }
            }
            return ephemeral.publicKey.raw + wrapped
        }
    }

    /// Unwraps it with the private half; anything else, also a point of small order, is damage of the head.
    static func unwrapUnlessOpen(
        _ wrapped: [UInt8], with key: borrowing SecretBytes
    ) throws(StorageFailure) -> SecretBytes {
        do {
            let own = try key.withBytes { try privateHalf($0) }
            let ephemeral = try Curve25519PublicKey(raw: Array(wrapped[..<32]), use: .agreement)
            let agreed = agreedKey(try own.sharedSecret(with: ephemeral), ephemeral.raw, own.publicKey.raw)
            return try agreed.withBytes { try AESKeyWrap.unwrap(Array(wrapped[32...]), with: $0) }
        } catch {
            throw .damaged(.head)
        }
    }

    // SHA-256(00000001 ‖ Z ‖ ephemeral ‖ recipient).
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
