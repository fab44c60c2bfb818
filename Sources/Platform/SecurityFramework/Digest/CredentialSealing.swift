internal import PaviseCrypto
package import PavisePrimitives

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

    /// Why nothing was sealed.
    package enum Failure: Error, Hashable, Sendable {
        /// The endorsement key is none, its AES key is of another size, or the secret is longer than 32 bytes.
        case input
        /// The kernel gave no random bytes, or OpenSSL refused: nothing is wrong with what was given.
        case unavailable
    }

    /// Seals `secret`, at most 32 bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the object, algorithm and digest.
    ///   - symmetricBits: The size of the endorsement key's AES key: 128 or 256.
    ///   - entropy: Where the seed for an RSA key comes from.
    /// - Returns: TPMS_ID_OBJECT, and the seed as TPM2_ActivateCredential takes it.
    package static func seal(
        _ secret: [UInt8], to recipient: Recipient, tiedTo name: [UInt8], symmetricBits: Int,
        entropy: Entropy = .kernel
    ) throws(Failure) -> (credential: [UInt8], seed: [UInt8]) {
        switch recipient {
        case .rsa(let modulus, let exponent):
            guard let key = try? RSAPublicKey(modulus: modulus, exponent: exponent) else { throw .input }
            let seed = try random(32, entropy)
            let sealed = try seed.withBytes { seed throws(Failure) in
                try telling { () throws(CryptoFailure) in
                    try key.encrypt(seed, .labelledOAEP(.sha256, label: Array("IDENTITY\0".utf8)))
                }
            }
            return (try credential(secret, name, symmetricBits, seed), sealed)
        case .p256(let point):
            guard let peer = try? ECPublicKey(x963: point, curve: .p256) else { throw .input }
            let own = try telling { () throws(CryptoFailure) in try ECPrivateKey(generating: .p256) }
            let fresh = own.publicKey.x963
            let shared = try telling { () throws(CryptoFailure) in try own.sharedSecret(with: peer) }
            let seed = try agreedSeed(shared, fresh, peer.x963)
            return (try credential(secret, name, symmetricBits, seed), pointBytes(fresh))
        }
    }

    private static func random(_ count: Int, _ entropy: Entropy) throws(Failure) -> SecretBytes {
        do throws(EntropyFailure) {
            return try SecretBytes(count: count) { span throws(EntropyFailure) in try entropy.fill(&span) }
        } catch {
            throw .unavailable
        }
    }

    private static func telling<Value: ~Copyable>(
        _ body: () throws(CryptoFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(CryptoFailure) { return try body() } catch { throw error == .invalidKey ? .input : .unavailable }
    }

    /// KDFe(SHA-256, Z, "IDENTITY", x of the fresh key, x of the endorsement key, 256).
    ///
    /// - Parameters:
    ///   - shared: Z, what both keys agree on.
    ///   - fresh: The point of the fresh key, X9.63.
    ///   - endorsement: That of the endorsement key.
    package static func agreedSeed(
        _ shared: borrowing SecretBytes, _ fresh: [UInt8], _ endorsement: [UInt8]
    ) throws(Failure) -> SecretBytes {
        guard fresh.count == 65, endorsement.count == 65 else { throw .input }
        let info = Array("IDENTITY\0".utf8) + fresh[1..<33] + endorsement[1..<33]
        return try shared.withBytes { shared throws(Failure) in
            try telling { () throws(CryptoFailure) in try KDF.singleStep(shared, info: info, count: 32) }
        }
    }

    // TPMS_ECC_POINT.
    private static func pointBytes(_ point: [UInt8]) -> [UInt8] { sized(point[1..<33]) + sized(point[33...]) }

    private static func sized(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    /// TPMS_ID_OBJECT. encIdentity is CFB(KDFa(seed, "STORAGE", name), TPM2B(secret)); before it stands
    /// HMAC(KDFa(seed, "INTEGRITY"), encIdentity ‖ name).
    ///
    /// - Parameters: As for ``seal(_:to:tiedTo:symmetricBits:entropy:)``; the seed has 32 bytes.
    package static func credential(
        _ secret: [UInt8], _ name: [UInt8], _ symmetricBits: Int, _ seed: borrowing SecretBytes
    ) throws(Failure) -> [UInt8] {
        guard secret.count <= 32, symmetricBits == 128 || symmetricBits == 256 else { throw .input }
        return try seed.withBytes { seed throws(Failure) in
            try telling { () throws(CryptoFailure) in
                let cipherKey = try KDF.counter(seed, label: "STORAGE", context: name, count: symmetricBits / 8)
                let codeKey = try KDF.counter(seed, label: "INTEGRITY", context: [], count: 32)
                var plain = sized(secret)
                defer { Wipe.bytes(&plain) }
                let sealed = try cipherKey.withBytes { [plain] key throws(CryptoFailure) in
                    try AESCFB.encrypt(plain.span, onceUnder: key)
                }
                return sized(codeKey.withBytes { HMAC.sha256(key: $0, sealed + name) }) + sealed
            }
        }
    }
}
