internal import CPaviseOpenSSL
package import PavisePrimitives

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

    /// Makes a key from the two numbers of a JWK (RFC 7518 §6.3.1), big-endian.
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoFailure) {
        try self.init(handle: try RSACoding.key(modulus: modulus, exponent: exponent))
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
        guard padding.selfTest.isRight, digest.count == padding.hash?.byteCount ?? digest.count else { return false }
        return unsafe handle.verify(signature: signature, digest: digest) { unsafe padding.configure($0) }
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
        try padding.selfTest.require()
        guard digest.count == padding.hash?.byteCount ?? digest.count,
            padding != .pkcs1Bare || digest.count <= publicKey.blockBytes - 11
        else { throw .invalidParameter("digest length") }
        // RFC 8017 §9.2: eleven bytes around the DigestInfo.
        if case .pkcs1(let hash) = padding, publicKey.blockBytes < hash.digestInfoBytes + 11 {
            throw .invalidParameter("the RSA key of \(publicKey.bits) bits is too short for this hash")
        }
        return try unsafe handle.sign(digest: digest) { unsafe padding.configure($0) }
    }
}

extension HashFunction {
    // The length of a DigestInfo (RFC 8017 §9.2, note 1).
    fileprivate var digestInfoBytes: Int { byteCount + (self == .sha1 ? 15 : 19) }
}
