internal import PaviseCrypto
internal import PavisePrimitives

extension KeyMaterial {
    /// Reads an external representation.
    ///
    /// - Throws: -50 for bytes of another kind, and for a private key whose halves do not belong together.
    init(external bytes: [UInt8], kind: KeyKind, isPrivate: Bool) throws(KeyFailure) {
        self = try KeyFailure.reporting {
            switch (kind, isPrivate) {
            case (.ec, false): .ecPublic(try Self.publicKey(bytes))
            case (.ec, true): .ecPrivate(try Self.privateKey(bytes))
            case (.rsa, false): .rsaPublic(try RSAPublicKey(pkcs1: bytes))
            case (.rsa, true): .rsaPrivate(try RSAPrivateKey(pkcs1: bytes))
            case (.ed25519, _): try Self.curve25519(bytes, .signing, isPrivate: isPrivate)
            case (.x25519, _): try Self.curve25519(bytes, .agreement, isPrivate: isPrivate)
            }
        }
    }

    /// Makes a fresh private key.
    ///
    /// - Throws: -25311 for a size that the kind does not have.
    init(generating kind: KeyKind, bits: Int) throws(KeyFailure) {
        self = try KeyFailure.reporting {
            switch kind {
            case .ec:
                guard let curve = Curve(bits: bits) else { throw KeyFailure.sizeNotOffered(bits) }
                return .ecPrivate(try ECPrivateKey(generating: curve))
            case .rsa:
                guard (512...8192).contains(bits) else { throw KeyFailure.sizeNotOffered(bits) }
                return .rsaPrivate(try RSAPrivateKey(generating: bits))
            case .ed25519, .x25519:
                guard bits == 256 else { throw KeyFailure.sizeNotOffered(bits) }
                return .curve25519Private(
                    try Curve25519PrivateKey(generating: kind == .ed25519 ? .signing : .agreement))
            }
        }
    }

    private static func curve25519(
        _ bytes: [UInt8], _ use: Curve25519Use, isPrivate: Bool
    ) throws(CryptoFailure) -> KeyMaterial {
        guard isPrivate else { return .curve25519Public(try Curve25519PublicKey(raw: bytes, use: use)) }
        return .curve25519Private(try Curve25519PrivateKey(raw: bytes.span, use: use))
    }

    // 97 bytes are a public key of P-384 or a private one of P-256: the class decides, not the length.
    private static func publicKey(_ bytes: [UInt8]) throws(CryptoFailure) -> ECPublicKey {
        guard let curve = Curve.allCases.first(where: { $0.pointBytes == bytes.count }) else { throw .invalidKey }
        return try ECPublicKey(x963: bytes, curve: curve)
    }

    private static func privateKey(_ bytes: [UInt8]) throws(CryptoFailure) -> ECPrivateKey {
        guard let curve = Curve.allCases.first(where: { $0.pointBytes + $0.fieldBytes == bytes.count }) else {
            throw .invalidKey
        }
        let scalar = bytes.span.extracting(curve.pointBytes...)
        let key = try ECPrivateKey(scalar: scalar, curve: curve)
        guard key.publicKey.x963 == Array(bytes.prefix(curve.pointBytes)) else { throw .invalidKey }
        return key
    }
}
