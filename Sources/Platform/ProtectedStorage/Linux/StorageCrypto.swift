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
        do throws(CryptoFailure) { return try Curve25519KeyWrap.wrap(fileKey, to: publicKey) } catch { throw .crypto }
    }

    /// Unwraps it with the private half; anything else, also a point of small order, is damage of the head.
    static func unwrapUnlessOpen(
        _ wrapped: [UInt8], with key: borrowing SecretBytes
    ) throws(StorageFailure) -> SecretBytes {
        do {
            return try Curve25519KeyWrap.unwrap(wrapped, with: try key.withBytes { try privateHalf($0) })
        } catch {
            throw .damaged(.head)
        }
    }
}
