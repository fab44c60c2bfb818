internal import PaviseCrypto
internal import PavisePrimitives

extension KeyMaterial {
    /// Reads an external representation.
    ///
    /// - Throws: -50 for bytes of another kind, and for a private key whose halves do not belong together.
    init(external bytes: [UInt8], isEC: Bool, isPrivate: Bool) throws(KeyFailure) {
        self = try KeyFailure.reporting {
            switch (isEC, isPrivate) {
            case (true, false): .ecPublic(try Self.publicKey(bytes))
            case (true, true): .ecPrivate(try Self.privateKey(bytes))
            case (false, false): .rsaPublic(try RSAPublicKey(pkcs1: bytes), pkcs1: bytes)
            case (false, true): try Self.rsa(RSAPrivateKey(pkcs1: bytes))
            }
        }
    }

    /// A private RSA key and its public half.
    static func rsa(_ key: RSAPrivateKey) throws(CryptoFailure) -> KeyMaterial {
        let publicKey = try key.publicKey()
        return .rsaPrivate(key, publicKey, pkcs1: try publicKey.pkcs1())
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
