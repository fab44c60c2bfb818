internal import PaviseCrypto

extension KeyScheme {
    /// Whether a key of this material does this operation with this scheme.
    func isSupported(_ operation: SecKeyOperationType, by material: KeyMaterial) -> Bool {
        material.isPrivate == Self.needsPrivate(operation) && isFor(operation) && fits(material)
    }

    private static func needsPrivate(_ operation: SecKeyOperationType) -> Bool {
        switch operation {
        case .sign, .decrypt, .keyExchange: true
        case .verify, .encrypt: false
        }
    }

    private func isFor(_ operation: SecKeyOperationType) -> Bool {
        switch self {
        case .ecdsa, .eddsa, .rsaSignature, .rsaBareSignature, .rsaRawSignature:
            operation == .sign || operation == .verify
        case .agreement: operation == .keyExchange
        case .ecies, .rsaEncryption: operation == .encrypt || operation == .decrypt
        }
    }

    // Whether the kind is right and the key long enough.
    private func fits(_ material: KeyMaterial) -> Bool {
        switch self {
        case .ecdsa: material.kind == .ec
        case .eddsa: material.kind == .ed25519
        case .agreement, .ecies: material.kind == .ec || material.kind == .x25519
        case .rsaBareSignature, .rsaRawSignature: material.kind == .rsa
        case .rsaSignature(let input, isPSS: false):
            material.kind == .rsa && material.blockBytes >= input.encodedBytes
        case .rsaSignature(let input, isPSS: true):
            material.kind == .rsa && material.bits - 1 >= 16 * input.digestBytes + 9
        case .rsaEncryption(.plain(let padding)):
            material.kind == .rsa && material.blockBytes >= padding.overhead
        case .rsaEncryption(.hybrid(let hash)):
            material.kind == .rsa
                && material.blockBytes
                    >= RSAEncryptionPadding.oaep(hash).overhead + RSAHybrid.sessionBytes(modulus: material.bits)
        }
    }
}

extension KeyScheme.Input {
    /// The hash that the algorithm names.
    var hash: HashFunction? {
        switch self {
        case .message(let hash), .digest(let hash): hash
        case .anyDigest: nil
        }
    }

    /// The length of the digest in bytes; 0 when any will do.
    var digestBytes: Int { hash?.byteCount ?? 0 }

    /// The least length of a modulus, in bytes, that PKCS#1 v1.5 has room in (RFC 8017 §9.2): the digest, the name of
    /// its hash, and 11 bytes of padding.
    var encodedBytes: Int { hash.map { $0.byteCount + ($0 == .sha1 ? 15 : 19) + 11 } ?? 11 }

    /// The digest of what the caller gave.
    func digest(of data: [UInt8]) throws(KeyFailure) -> [UInt8] {
        switch self {
        case .message(let hash): return Hash.digest(hash, data)
        case .digest(let hash):
            guard data.count == hash.byteCount else { throw .parameter("the digest has another length than its hash") }
            return data
        case .anyDigest: return data
        }
    }
}
