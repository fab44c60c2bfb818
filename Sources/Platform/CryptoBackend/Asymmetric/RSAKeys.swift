internal import CPaviseOpenSSL
package import PavisePrimitives

/// How a digest becomes a number to sign (RFC 8017 §8).
package enum RSASignaturePadding: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 with the DigestInfo of the hash.
    case pkcs1(HashFunction)
    /// PKCS#1 v1.5 padding around any bytes, without a DigestInfo.
    case pkcs1Bare
    /// RSASSA-PSS, MGF1 with the same hash, salt as long as the digest.
    case pss(HashFunction)

    // What the digest must be made by.
    var hash: HashFunction? {
        switch self {
        case .pkcs1(let hash), .pss(let hash): hash
        case .pkcs1Bare: nil
        }
    }
}

/// An RSA public key: an odd modulus of 512 to 8192 bits where it is read from outside.
package final class RSAPublicKey: Sendable {
    let handle: KeyHandle
    /// The PKCS#1 RSAPublicKey, DER.
    package let pkcs1: [UInt8]
    /// The size of the modulus in bits.
    package let bits: Int

    /// Takes a key, or a pair, which only its public part is ever asked for.
    init(handle: KeyHandle) throws(CryptoFailure) {
        self.handle = handle
        pkcs1 = try RSACoding.encodePublic(handle)
        bits = Int(unsafe EVP_PKEY_get_bits(handle.pointer))
    }

    /// Reads a PKCS#1 RSAPublicKey, DER, that holds nothing else.
    package convenience init(pkcs1: [UInt8]) throws(CryptoFailure) {
        try self.init(handle: try RSACoding.decode(pkcs1, privateHalf: false))
    }

    /// Reads a SubjectPublicKeyInfo of type rsaEncryption.
    package convenience init(spki: [UInt8]) throws(CryptoFailure) {
        let handle = try KeyHandle.fromSPKI(spki)
        guard unsafe EVP_PKEY_is_a(handle.pointer, "RSA") == 1 else { throw .invalidKey }
        try self.init(handle: handle)
    }

    /// Makes a key from the two numbers of a JWK (RFC 7518 §6.3.1), big-endian.
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoFailure) {
        guard (64...2048).contains(modulus.count), (1...8).contains(exponent.count) else { throw .invalidKey }
        guard let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(n) }
        guard let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(e) }
        try self.init(handle: try unsafe KeyHandle.adopting(pavise_rsa_public_key(n, e)))
    }

    /// The bytes of a block: of the modulus.
    package var blockBytes: Int { (bits + 7) / 8 }
    /// The public exponent, big-endian without leading zeros.
    package func exponent() throws(CryptoFailure) -> [UInt8] { try plain(OSSL_PKEY_PARAM_RSA_E) }
    /// The modulus, big-endian without leading zeros.
    package func modulus() throws(CryptoFailure) -> [UInt8] { try plain(OSSL_PKEY_PARAM_RSA_N) }
    /// The SubjectPublicKeyInfo, DER.
    package func spki() throws(CryptoFailure) -> [UInt8] { try handle.spki() }

    /// Whether `signature` belongs to `digest`.
    package func verify(signature: [UInt8], digest: [UInt8], padding: RSASignaturePadding) -> Bool {
        guard digest.count == padding.hash?.byteCount ?? digest.count else { return false }
        return unsafe handle.verify(signature: signature, digest: digest) { unsafe configureRSA($0, padding) }
    }

    private func plain(_ name: String) throws(CryptoFailure) -> [UInt8] {
        let number = try handle.number(name)
        return number.withBytes { bytes in Array(bytes) }
    }
}

/// An RSA private key, in memory.
package final class RSAPrivateKey: Sendable {
    let handle: KeyHandle
    /// The public half.
    package let publicKey: RSAPublicKey

    init(handle: KeyHandle) throws(CryptoFailure) {
        self.handle = handle
        publicKey = try RSAPublicKey(handle: handle)
    }

    /// Makes a fresh key with exponent 65537.
    ///
    /// - Parameter bits: 512 to 8192. Takes 0.1 s for 2048 bits, seconds above 4096.
    package convenience init(generating bits: Int) throws(CryptoFailure) {
        guard RSACoding.sizes.contains(bits) else { throw .invalidParameter("RSA size") }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { throw .last("RSA key") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw .last("RSA key") }
        try self.init(handle: unsafe KeyHandle(owning: key))
    }

    /// Reads a PKCS#1 RSAPrivateKey, DER, that holds nothing else and whose parts fit together.
    ///
    /// The numbers are believed to be prime where they claim to be: a test of that takes longer than a signature.
    package convenience init(pkcs1: [UInt8]) throws(CryptoFailure) {
        try self.init(handle: try RSACoding.decode(pkcs1, privateHalf: true))
        guard isConsistent() else { throw .invalidKey }
    }

    /// The PKCS#1 RSAPrivateKey, DER.
    package func pkcs1() throws(CryptoFailure) -> SecretBytes { try RSACoding.encodePrivate(handle) }

    /// A signature over `digest`.
    package func sign(digest: [UInt8], padding: RSASignaturePadding) throws(CryptoFailure) -> [UInt8] {
        guard digest.count == padding.hash?.byteCount ?? digest.count,
            padding != .pkcs1Bare || digest.count <= publicKey.blockBytes - 11
        else { throw .invalidParameter("digest length") }
        // RFC 8017 §9.2: eleven bytes around the DigestInfo.
        if case .pkcs1(let hash) = padding, publicKey.blockBytes < hash.digestInfoBytes + 11 {
            throw .invalidParameter("the RSA key of \(publicKey.bits) bits is too short for this hash")
        }
        return try unsafe handle.sign(digest: digest) { unsafe configureRSA($0, padding) }
    }
}

/// Sets a context up for `padding`.
func configureRSA(_ context: OpaquePointer, _ padding: RSASignaturePadding) -> Bool {
    if let hash = padding.hash, unsafe EVP_PKEY_CTX_set_signature_md(context, hash.method) != 1 { return false }
    switch padding {
    case .pkcs1, .pkcs1Bare: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .pss(let hash):
        return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(hash.byteCount)) == 1
    }
}

extension HashFunction {
    // The length of a DigestInfo (RFC 8017 §9.2, note 1).
    fileprivate var digestInfoBytes: Int { byteCount + (self == .sha1 ? 15 : 19) }
}
