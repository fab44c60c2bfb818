internal import PaviseCrypto
internal import PavisePrimitives

/// The key and the cipher of a backup, from OpenSSL and libargon2; the adapter for Apple's systems has the same over
/// CryptoKit.
struct BackupCipher: ~Copyable {
    /// What a new backup is stretched with.
    static let stretching = BackupStretching.today
    private let cipher: AESGCM

    init(
        _ passphrase: Span<UInt8>, salt: [UInt8], _ stretching: BackupStretching
    ) throws(ProtectedDatabaseError) {
        do throws(CryptoFailure) {
            let key = try Self.key(passphrase, salt, stretching)
            cipher = try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
        } catch {
            throw .storage(.crypto)
        }
    }

    private static func key(
        _ passphrase: Span<UInt8>, _ salt: [UInt8], _ stretching: BackupStretching
    ) throws(CryptoFailure) -> SecretBytes {
        switch stretching {
        case .argon2id(let kibibytes, let passes, let lanes):
            guard let cost = Argon2id.Cost(kibibytes: kibibytes, passes: passes, lanes: lanes) else {
                throw .invalidParameter("Argon2 cost")
            }
            return try Argon2id.derive(passphrase, salt: salt, cost: cost)
        case .pbkdf2(let rounds): return try KDF.pbkdf2(passphrase, salt: salt, rounds: rounds, count: 32)
        }
    }

    /// Ciphertext ‖ tag of 16 bytes.
    borrowing func seal(
        _ plain: Span<UInt8>, nonce: [UInt8], bound: [UInt8]
    ) throws(ProtectedDatabaseError) -> [UInt8] {
        do throws(CryptoFailure) { return try cipher.seal(plain, nonce: nonce, associatedData: bound) } catch {
            throw .storage(.crypto)
        }
    }

    /// What was sealed; `nil` for anything else.
    borrowing func open(_ sealed: [UInt8], nonce: [UInt8], bound: [UInt8]) -> [UInt8]? {
        guard let plain = try? cipher.open(sealed.span, nonce: nonce, associatedData: bound) else { return nil }
        return plain.withBytes { plain in Array(plain) }
    }
}
