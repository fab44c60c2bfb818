internal import CPaviseOpenSSL

/// A key pair that signs certificates, tokens or a TLS handshake. For test authorities, never for a person's secrets.
@safe
package final class IssuingKey: Sendable {
    /// Algorithm and size.
    package enum Kind: Hashable, Sendable {
        case ec256
        case ec384
        /// EC on a curve that TLS clients should not take, by OpenSSL's name.
        case ec(curve: String)
        case rsa(bits: Int)
        /// Rarer ones, by OpenSSL's name of the type and, for EC, of the curve: `ED25519`, `RSA-PSS`, `EC` and `P-521`.
        case other(String, curve: String? = nil)
    }

    /// What it is.
    package let kind: Kind
    // Safe to share: OpenSSL counts references with atomics and the key never changes after `init`.
    nonisolated(unsafe) let handle: OpaquePointer

    /// Makes a fresh key pair. RSA takes about a tenth of a second.
    package init(generating kind: Kind) throws(CryptoFailure) {
        self.kind = kind
        let made: OpaquePointer? =
            switch kind {
            case .ec256: unsafe Self.generateEC("P-256")
            case .ec384: unsafe Self.generateEC("P-384")
            case .ec(let curve): unsafe Self.generateEC(curve)
            case .rsa(let bits): unsafe Self.generateRSA(bits: bits)
            case .other(_, let curve?): unsafe Self.generateEC(curve)
            case .other(let name, nil): unsafe Self.generate(name) { _ in 1 }
            }
        guard let made = unsafe made else { throw CryptoFailure.last("key generation") }
        unsafe handle = made
    }

    /// The SubjectPublicKeyInfo, DER.
    package var spki: [UInt8] {
        unsafe DER.bytes { unsafe i2d_PUBKEY(handle, $0) }
    }

    /// The private key as PKCS #8, PEM, without a passphrase: for another server program in a test.
    package func privateKeyPEM() throws(CryptoFailure) -> String {
        unsafe try MemoryText.collect("private key") {
            unsafe PEM_write_bio_PKCS8PrivateKey($0, handle, nil, nil, 0, nil, nil)
        }
    }

    /// The RSA modulus and exponent, big-endian; empty for an EC key.
    package func rsaNumbers() -> (modulus: [UInt8], exponent: [UInt8]) {
        (number(OSSL_PKEY_PARAM_RSA_N), number(OSSL_PKEY_PARAM_RSA_E))
    }

    /// Whether the key hashes what it signs itself (RFC 8032).
    var hashesItself: Bool {
        guard case .other(let name, nil) = kind else { return false }
        return name == "ED25519" || name == "ED448"
    }

    /// Signs `message` with SHA-256: PKCS #1 v1.5 for RSA, DER for EC.
    package func sign(_ message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw CryptoFailure.last("sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = 0
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            unsafe EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { throw CryptoFailure.last("sign") }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            throw CryptoFailure.last("sign")
        }
        return Array(signature.prefix(count))
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    private func number(_ name: String) -> [UInt8] {
        var value: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(handle, name, &value) == 1, let value = unsafe value else { return [] }
        defer { unsafe BN_free(value) }
        var bytes = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(value)) + 7) / 8)
        unsafe BN_bn2bin(value, &bytes)
        return bytes
    }

    // EVP_EC_gen and EVP_RSA_gen are macros over a variadic function; this is the same by hand.
    private static func generateEC(_ curve: String) -> OpaquePointer? {
        unsafe generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, curve) }
    }

    private static func generateRSA(bits: Int) -> OpaquePointer? {
        unsafe generate("RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(clamping: bits)) }
    }

    private static func generate(_ algorithm: String, _ configure: (OpaquePointer) -> Int32) -> OpaquePointer? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, algorithm, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe configure(context) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { return nil }
        return unsafe key
    }
}
