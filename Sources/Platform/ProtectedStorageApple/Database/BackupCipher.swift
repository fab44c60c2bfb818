internal import CommonCrypto
internal import CryptoKit
internal import Foundation
internal import PavisePrimitives

/// The key and the cipher of a backup, from CommonCrypto and CryptoKit. Apple's systems bring no Argon2id.
struct BackupCipher: ~Copyable {
    /// What a new backup is stretched with.
    static let stretching = BackupStretching.onApple
    private let key: SymmetricKey

    init(
        _ passphrase: Span<UInt8>, salt: [UInt8], _ stretching: BackupStretching
    ) throws(ProtectedDatabaseError) {
        guard case .pbkdf2(let rounds) = stretching else { throw .backupNeedsArgon2id }
        var status = Int32(kCCParamError)
        let stretched = SecretBytes(count: 32) { target in
            status = unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe CCKeyDerivationPBKDF(
                        CCPBKDFAlgorithm(kCCPBKDF2), passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
                        passphrase.count, salt, salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA512), rounds,
                        target.baseAddress?.assumingMemoryBound(to: UInt8.self), target.count)
                }
            }
        }
        guard status == kCCSuccess else { throw .storage(.crypto) }
        key = StorageCrypto.symmetric(stretched)
    }

    /// Ciphertext ‖ tag of 16 bytes.
    borrowing func seal(
        _ plain: Span<UInt8>, nonce: [UInt8], bound: [UInt8]
    ) throws(ProtectedDatabaseError) -> [UInt8] {
        var copy = Array(plain)
        defer { Wipe.bytes(&copy) }
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(copy, using: key, nonce: nonce, authenticating: bound)
        else { throw .storage(.crypto) }
        return [UInt8](box.ciphertext) + [UInt8](box.tag)
    }

    /// What was sealed; `nil` for anything else.
    borrowing func open(_ sealed: [UInt8], nonce: [UInt8], bound: [UInt8]) -> [UInt8]? {
        guard sealed.count >= 16, let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
            var plain = try? AES.GCM.open(box, using: key, authenticating: bound)
        else { return nil }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        return [UInt8](plain)
    }
}
