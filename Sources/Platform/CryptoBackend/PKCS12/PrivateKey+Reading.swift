internal import CPaviseOpenSSL
internal import PavisePrimitives

extension PrivateKey {
    /// A key that OpenSSL read from PKCS#8 (RFC 5958), checked as if it had come in its own form.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` for a kind or curve that is not here, and for parts that do not fit.
    init(_ handle: KeyHandle) throws(CryptoFailure) {
        switch unsafe EVP_PKEY_get_id(handle.pointer) {
        case EVP_PKEY_RSA:
            let encoded = try RSACoding.encodePrivate(handle)
            self = .rsa(try encoded.withCopy { bytes throws(CryptoFailure) in try RSAPrivateKey(pkcs1: bytes) })
        case EVP_PKEY_EC: self = .ec(try Self.ec(handle))
        case EVP_PKEY_ED25519: self = .curve25519(try Self.curve25519(handle, .signing))
        case EVP_PKEY_X25519: self = .curve25519(try Self.curve25519(handle, .agreement))
        default: throw .invalidKey
        }
    }

    private static func ec(_ handle: KeyHandle) throws(CryptoFailure) -> ECPrivateKey {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(handle.pointer, &name, name.count, &length) == 1 else { throw .invalidKey }
        let text = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let curve = Curve.allCases.first(where: { $0.groupName == text || $0.rawValue == text }) else {
            throw .invalidKey
        }
        let scalar = try handle.number(OSSL_PKEY_PARAM_PRIV_KEY, width: curve.fieldBytes)
        return try scalar.withBytes { scalar throws(CryptoFailure) in
            try ECPrivateKey(scalar: scalar, curve: curve)
        }
    }

    private static func curve25519(
        _ handle: KeyHandle, _ use: Curve25519Use
    ) throws(CryptoFailure) -> Curve25519PrivateKey {
        let raw = try handle.raw25519()
        return try raw.withBytes { raw throws(CryptoFailure) in try Curve25519PrivateKey(raw: raw, use: use) }
    }
}
