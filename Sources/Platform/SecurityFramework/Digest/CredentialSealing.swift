internal import PaviseCrypto
internal import PavisePrimitives

/// Seals a secret to a TPM's endorsement key, so that it opens only beside the object of one name: what
/// TPM2_MakeCredential does (TPM 2.0 part 1, §24, annexes B and C), for a key named with SHA-256. No TPM is needed for
/// it.
package enum CredentialSealing {
    /// The endorsement key.
    package enum Recipient: Hashable, Sendable {
        /// RSA, two big-endian numbers.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// The point of a P-256 key, X9.63.
        case p256(point: [UInt8])
    }

    /// Seals `secret`, at most 32 bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the object, algorithm and digest.
    ///   - symmetricBits: The size of the endorsement key's AES key: 128 or 256.
    /// - Returns: TPMS_ID_OBJECT, and the seed as TPM2_ActivateCredential takes it; `nil` for a key that is none.
    package static func seal(
        _ secret: [UInt8], to recipient: Recipient, tiedTo name: [UInt8], symmetricBits: Int
    ) -> (credential: [UInt8], seed: [UInt8])? {
        guard secret.count <= 32 else { return nil }
        do throws(CryptoFailure) {
            switch recipient {
            case .rsa(let modulus, let exponent):
                let key = try RSAPublicKey(modulus: modulus, exponent: exponent)
                let seed = try random(32)
                let sealed = try seed.withBytes { seed throws(CryptoFailure) in
                    try key.encrypt(seed, .labelledOAEP(.sha256, label: Array("IDENTITY\0".utf8)))
                }
                return (try credential(secret, name, symmetricBits, seed), sealed)
            case .p256(let point):
                let peer = try ECPublicKey(x963: point, curve: .p256)
                let own = try ECPrivateKey(generating: .p256)
                let seed = try agreedSeed(own, peer)
                return (try credential(secret, name, symmetricBits, seed), pointBytes(own.publicKey.x963))
            }
        } catch {
            return nil
        }
    }

    private static func random(_ count: Int) throws(CryptoFailure) -> SecretBytes {
        do throws(EntropyFailure) { return try SecretBytes.random(count: count) } catch { throw .entropy }
    }

    // KDFe(SHA-256, Z, "IDENTITY", x of the fresh key, x of the endorsement key, 256).
    private static func agreedSeed(_ own: ECPrivateKey, _ peer: ECPublicKey) throws(CryptoFailure) -> SecretBytes {
        let info = Array("IDENTITY\0".utf8) + own.publicKey.x963[1..<33] + peer.x963[1..<33]
        let shared = try own.sharedSecret(with: peer)
        return try shared.withBytes { shared throws(CryptoFailure) in
            try KDF.singleStep(shared, info: info, count: 32)
        }
    }

    // TPMS_ECC_POINT.
    private static func pointBytes(_ point: [UInt8]) -> [UInt8] { sized(point[1..<33]) + sized(point[33...]) }

    private static func sized(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    // encIdentity = CFB(KDFa(seed, "STORAGE", name), TPM2B(secret)); then HMAC(KDFa(seed, "INTEGRITY"), that ‖ name)
    // stands before it.
    private static func credential(
        _ secret: [UInt8], _ name: [UInt8], _ symmetricBits: Int, _ seed: borrowing SecretBytes
    ) throws(CryptoFailure) -> [UInt8] {
        let cipherKey = try seed.withBytes { seed throws(CryptoFailure) in
            try KDF.counter(seed, label: "STORAGE", context: name, count: symmetricBits / 8)
        }
        var plain = sized(secret)
        defer { Wipe.bytes(&plain) }
        let sealed = try cipherKey.withBytes { [plain] key throws(CryptoFailure) in
            try AESCFB.encrypt(plain.span, onceUnder: key)
        }
        let codeKey = try seed.withBytes { seed throws(CryptoFailure) in
            try KDF.counter(seed, label: "INTEGRITY", context: [], count: 32)
        }
        return sized(codeKey.withBytes { HMAC.sha256(key: $0, sealed + name) }) + sealed
    }
}
