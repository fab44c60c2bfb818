internal import CryptoKit
internal import Foundation
internal import PavisePrimitives

/// The cryptography of containers, from CryptoKit: the same functions and the same bytes as over OpenSSL on Linux.
enum StorageCrypto {
    /// How many bytes the key of a class has.
    static func keyLength(_ protection: ProtectionClass) -> Int { protection == .completeUnlessOpen ? 64 : 32 }

    /// A fresh key of a class.
    static func freshKey(_ protection: ProtectionClass) throws(StorageFailure) -> SecretBytes {
        do { return try .random(count: keyLength(protection)) } catch { throw .crypto }
    }

    /// The public half that belongs to a key of class B.
    static func publicHalf(_ key: borrowing SecretBytes) throws(StorageFailure) -> [UInt8] {
        [UInt8](try privateHalf(key).publicKey.rawRepresentation)
    }

    /// The key of the container's databases of a class.
    static func databaseKey(
        _ key: borrowing SecretBytes, _ protection: ProtectionClass
    ) throws(StorageFailure) -> SecretBytes {
        let own = symmetric(key, from: keyLength(protection) - 32)
        return derived(own, salt: [], info: "pavise storage database 1")
    }

    /// HMAC-SHA-256, for the names of databases.
    static func tag(_ text: [UInt8], _ key: Span<UInt8>) -> [UInt8] {
        let key = SymmetricKey(data: Array(key))
        return [UInt8](HMAC<SHA256>.authenticationCode(for: text, using: key))
    }

    /// Wraps the key of a file under a symmetric class key (RFC 3394).
    static func wrap(_ fileKey: borrowing SecretBytes, with key: borrowing SecretBytes) throws(StorageFailure)
        -> [UInt8]
    {
        try wrapped(fileKey, symmetric(key))
    }

    /// Unwraps the key of a file.
    static func unwrap(_ wrapped: [UInt8], with key: borrowing SecretBytes) throws(StorageFailure) -> SecretBytes {
        try unwrapped(wrapped, symmetric(key))
    }

    /// Wraps the key of a file for a public half: ephemeral public key (32) ‖ RFC 3394 (40).
    static func wrap(_ fileKey: borrowing SecretBytes, to publicKey: [UInt8]) throws(StorageFailure) -> [UInt8] {
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        let own = [UInt8](ephemeral.publicKey.rawRepresentation)
        guard let recipient = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            let secret = try? ephemeral.sharedSecretFromKeyAgreement(with: recipient)
        else { throw .crypto }
        return own + (try wrapped(fileKey, agreedKey(secret, own, publicKey)))
    }

    /// Unwraps it with the private half. CryptoKit refuses a point of small order.
    static func unwrapUnlessOpen(
        _ wrapped: [UInt8], with key: borrowing SecretBytes
    ) throws(StorageFailure) -> SecretBytes {
        let own = try privateHalf(key)
        let ephemeral = Array(wrapped[..<32])
        guard let sender = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeral),
            let secret = try? own.sharedSecretFromKeyAgreement(with: sender)
        else { throw .damaged(.head) }
        let agreed = agreedKey(secret, ephemeral, [UInt8](own.publicKey.rawRepresentation))
        return try unwrapped(Array(wrapped[32...]), agreed)
    }

    // MARK: Parts

    static func symmetric(_ key: borrowing SecretBytes, from start: Int = 0) -> SymmetricKey {
        key.withBytes { bytes in
            var copy = bytes.indices[start...].map { bytes[$0] }
            defer { Wipe.bytes(&copy) }
            return SymmetricKey(data: copy)
        }
    }

    static func derived(_ key: SymmetricKey, salt: [UInt8], info: String) -> SecretBytes {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: salt, info: Array(info.utf8), outputByteCount: 32)
        return secret(derived)
    }

    private static func secret(_ key: SymmetricKey) -> SecretBytes {
        var bytes = key.withUnsafeBytes { unsafe Array($0) }
        defer { Wipe.bytes(&bytes) }
        return SecretBytes(copying: bytes)
    }

    private static func privateHalf(
        _ key: borrowing SecretBytes
    ) throws(StorageFailure) -> Curve25519.KeyAgreement.PrivateKey {
        var bytes = key.withBytes { bytes in bytes.indices.prefix(32).map { bytes[$0] } }
        defer { Wipe.bytes(&bytes) }
        guard let own = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { throw .crypto }
        return own
    }

    private static func wrapped(
        _ fileKey: borrowing SecretBytes, _ key: SymmetricKey
    ) throws(StorageFailure) -> [UInt8] {
        guard let wrapped = try? AES.KeyWrap.wrap(symmetric(fileKey), using: key) else { throw .crypto }
        return [UInt8](wrapped)
    }

    private static func unwrapped(_ wrapped: [UInt8], _ key: SymmetricKey) throws(StorageFailure) -> SecretBytes {
        guard let key = try? AES.KeyWrap.unwrap(wrapped, using: key) else { throw .damaged(.head) }
        return secret(key)
    }

    // SHA-256(00000001 ‖ Z ‖ ephemeral ‖ recipient).
    private static func agreedKey(_ secret: SharedSecret, _ ephemeral: [UInt8], _ recipient: [UInt8])
        -> SymmetricKey
    {
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1] as [UInt8])
        secret.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        hash.update(data: ephemeral)
        hash.update(data: recipient)
        return SymmetricKey(data: hash.finalize())
    }
}
