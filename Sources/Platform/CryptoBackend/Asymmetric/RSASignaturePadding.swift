internal import CPaviseOpenSSL

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

    /// Sets a context up for this padding.
    func configure(_ context: OpaquePointer) -> Bool {
        if let hash, unsafe EVP_PKEY_CTX_set_signature_md(context, hash.method) != 1 { return false }
        switch self {
        case .pkcs1, .pkcs1Bare: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .pss(let hash):
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(hash.byteCount)) == 1
        }
    }
}
