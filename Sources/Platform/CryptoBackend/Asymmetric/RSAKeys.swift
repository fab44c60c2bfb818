internal import CPaviseOpenSSL
package import PavisePrimitives

/// How a digest becomes a number to sign (RFC 8017).
package enum RSASignaturePadding: Sendable {
    /// RSASSA-PKCS1-v1_5 with the DigestInfo of the hash.
    case pkcs1
    /// RSASSA-PSS, MGF1 with the same hash, salt as long as the digest.
    case pss
}

/// An RSA public key.
package final class RSAPublicKey: Sendable {
    let handle: KeyHandle

    init(handle: KeyHandle) { self.handle = handle }

    /// Reads a PKCS#1 RSAPublicKey, DER, that holds nothing else.
    package convenience init(pkcs1: [UInt8]) throws(CryptoFailure) {
        self.init(handle: try decodeRSA(pkcs1, privateHalf: false))
    }

    /// Reads a SubjectPublicKeyInfo of type rsaEncryption.
    package convenience init(spki: [UInt8]) throws(CryptoFailure) {
        let handle = try KeyHandle.fromSPKI(spki)
        guard unsafe EVP_PKEY_is_a(handle.pointer, "RSA") == 1 else { throw .invalidKey }
        self.init(handle: handle)
    }

    /// Makes a key from the two numbers of a JWK (RFC 7518 §6.3.1), big-endian.
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoFailure) {
        guard (64...2048).contains(modulus.count), (1...8).contains(exponent.count) else { throw .invalidKey }
        guard let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(n) }
        guard let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(e) }
        self.init(handle: try unsafe KeyHandle.adopting(pavise_rsa_public_key(n, e)))
    }

    /// The size of the modulus in bits.
    package var bits: Int { Int(unsafe EVP_PKEY_get_bits(handle.pointer)) }
    /// The public exponent, big-endian without leading zeros.
    package func exponent() throws(CryptoFailure) -> [UInt8] { try plain(OSSL_PKEY_PARAM_RSA_E) }
    /// The modulus, big-endian without leading zeros.
    package func modulus() throws(CryptoFailure) -> [UInt8] { try plain(OSSL_PKEY_PARAM_RSA_N) }
    /// The SubjectPublicKeyInfo, DER.
    package func spki() throws(CryptoFailure) -> [UInt8] { try handle.spki() }

    /// The PKCS#1 RSAPublicKey, DER.
    package func pkcs1() throws(CryptoFailure) -> [UInt8] {
        let key = try encodeRSA(handle, privateHalf: false)
        return key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// Whether `signature` belongs to `digest`, which was made by `hash`.
    package func verify(
        signature: [UInt8], digest: [UInt8], hash: HashFunction, padding: RSASignaturePadding
    ) -> Bool {
        guard digest.count == hash.byteCount else { return false }
        return unsafe handle.verify(signature: signature, digest: digest) { unsafe configureRSA($0, hash, padding) }
    }

    private func plain(_ name: String) throws(CryptoFailure) -> [UInt8] {
        let number = try handle.number(name)
        return number.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}

/// An RSA private key, in memory.
package final class RSAPrivateKey: Sendable {
    let handle: KeyHandle

    init(handle: KeyHandle) { self.handle = handle }

    /// Makes a fresh key with exponent 65537.
    ///
    /// - Parameter bits: 1024 to 8192. Takes 0.1 s for 2048 bits, seconds above 4096.
    package convenience init(generating bits: Int) throws(CryptoFailure) {
        guard (1024...8192).contains(bits) else { throw .invalidParameter("RSA size") }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { throw .last("RSA key") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw .last("RSA key") }
        self.init(handle: unsafe KeyHandle(owning: key))
    }

    /// Reads a PKCS#1 RSAPrivateKey, DER, that holds nothing else and whose parts fit together.
    package convenience init(pkcs1: [UInt8]) throws(CryptoFailure) {
        self.init(handle: try decodeRSA(pkcs1, privateHalf: true))
        guard let check = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("RSA key") }
        defer { unsafe EVP_PKEY_CTX_free(check) }
        guard unsafe EVP_PKEY_pairwise_check(check) == 1 else {
            ERR_clear_error()
            throw .invalidKey
        }
    }

    /// The public half.
    package func publicKey() throws(CryptoFailure) -> RSAPublicKey { try RSAPublicKey(spki: try handle.spki()) }

    /// The PKCS#1 RSAPrivateKey, DER.
    package func pkcs1() throws(CryptoFailure) -> SecretBytes { try encodeRSA(handle, privateHalf: true) }

    /// A signature over `digest`, which was made by `hash`.
    package func sign(
        digest: [UInt8], hash: HashFunction, padding: RSASignaturePadding
    ) throws(CryptoFailure) -> [UInt8] {
        guard digest.count == hash.byteCount else { throw .invalidParameter("digest length") }
        return try unsafe handle.sign(digest: digest) { unsafe configureRSA($0, hash, padding) }
    }
}

private func configureRSA(_ context: OpaquePointer, _ hash: HashFunction, _ padding: RSASignaturePadding) -> Bool {
    guard unsafe EVP_PKEY_CTX_set_signature_md(context, hash.method) == 1 else { return false }
    switch padding {
    case .pkcs1: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .pss:
        return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(hash.byteCount)) == 1
    }
}

// Reads PKCS#1 and nothing behind it.
private func decodeRSA(_ der: [UInt8], privateHalf: Bool) throws(CryptoFailure) -> KeyHandle {
    guard der.count <= 16_384 else { throw .invalidKey }
    var used = 0
    let key = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
        var next = buffer.baseAddress
        let key =
            unsafe privateHalf
            ? d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, buffer.count)
            : d2i_PublicKey(EVP_PKEY_RSA, nil, &next, buffer.count)
        if let start = buffer.baseAddress, let end = unsafe next { used = unsafe end - start }
        return unsafe key
    }
    let handle = try unsafe KeyHandle.adopting(key)
    // d2i_PrivateKey reads PKCS#8 as well: only what encodes back to the same bytes is PKCS#1.
    guard used == der.count, unsafe EVP_PKEY_is_a(handle.pointer, "RSA") == 1 else { throw .invalidKey }
    let same = try encodeRSA(handle, privateHalf: privateHalf).matches(SecretBytes(copying: der.span))
    guard same else { throw .invalidKey }
    return handle
}

// The older encoders write exactly PKCS#1 for RSA.
private func encodeRSA(_ handle: KeyHandle, privateHalf: Bool) throws(CryptoFailure) -> SecretBytes {
    let size = unsafe privateHalf ? i2d_PrivateKey(handle.pointer, nil) : i2d_PublicKey(handle.pointer, nil)
    guard size > 0 else { throw .last("RSA key") }
    return SecretBytes(count: Int(size)) { span in
        unsafe span.withUnsafeMutableBytes { buffer in
            var next = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            _ = unsafe privateHalf ? i2d_PrivateKey(handle.pointer, &next) : i2d_PublicKey(handle.pointer, &next)
        }
    }
}
