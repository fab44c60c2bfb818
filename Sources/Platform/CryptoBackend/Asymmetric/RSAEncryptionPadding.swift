internal import CPaviseOpenSSL

/// How a message is padded before RSA encrypts it (RFC 8017 §7).
package enum RSAEncryptionPadding: Hashable, Sendable {
    /// RSAES-OAEP: empty label, MGF1 with the same hash.
    case oaep(HashFunction)
    /// The same with a label, which both ends have to name.
    case labelledOAEP(HashFunction, label: [UInt8])
    /// RSAES-PKCS1-v1_5, for formats that ask for it. Who tells a stranger whether a packet opened gives the key's
    /// work away (Bleichenbacher): use OAEP.
    case pkcs1
    /// None: the message is a number below the modulus, zeros in front.
    case none

    /// The bytes that the padding takes.
    package var overhead: Int {
        switch self {
        case .oaep(let hash), .labelledOAEP(let hash, _): 2 * hash.byteCount + 2
        case .pkcs1: 11
        case .none: 0
        }
    }

    /// Sets a context up for this padding.
    func configure(_ context: OpaquePointer) -> Bool {
        switch self {
        case .oaep(let hash): unsafe Self.configureOAEP(context, hash)
        case .labelledOAEP(let hash, let label):
            unsafe Self.configureOAEP(context, hash) && pavise_rsa_oaep_label(context, label, label.count) == 1
        case .pkcs1:
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && pavise_rsa_explicit_rejection(context) == 1
        case .none: unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
        }
    }

    private static func configureOAEP(_ context: OpaquePointer, _ hash: HashFunction) -> Bool {
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash.method) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
    }
}
