package import SecurityFramework

/// How a token is signed (RFC 7518 §3.1, RFC 8037 §3.1). `none` is none of them.
///
/// RS256, PS256, ES256 and EdDSA are for new systems. The longer hashes are for authorities that use them. HS256 and
/// its kin are shared secrets: a key for them is always given by hand, and never stands in a set with public keys.
public enum TokenAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// ECDSA on P-521 with SHA-512.
    case es512 = "ES512"
    /// Ed25519.
    case edDSA = "EdDSA"
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"

    /// What kind of key it takes.
    enum Kind: Hashable {
        case rsa
        /// The curve's name (RFC 7518 §6.2.1.1) and the size of its field in bits.
        case curve(String, bits: Int)
        case edwards
        /// A shared secret of at least so many bytes (RFC 7518 §3.2).
        case secret(least: Int)
    }

    var kind: Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .curve("P-256", bits: 256)
        case .es384: .curve("P-384", bits: 384)
        case .es512: .curve("P-521", bits: 521)
        case .edDSA: .edwards
        case .hs256: .secret(least: 32)
        case .hs384: .secret(least: 48)
        case .hs512: .secret(least: 64)
        }
    }

    var form: SignatureForm {
        switch self {
        case .rs256, .rs384, .rs512: .rsa(digest)
        case .ps256, .ps384, .ps512: .pss(digest)
        case .es256: .ecdsa(digest, bits: 256)
        case .es384: .ecdsa(digest, bits: 384)
        case .es512: .ecdsa(digest, bits: 521)
        case .edDSA, .hs256, .hs384, .hs512: .edDSA
        }
    }

    /// The hash below the signature; for Ed25519 that of its own inside (RFC 8032 §5.1).
    package var digest: SignatureForm.Digest {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .hs512, .edDSA: .sha512
        }
    }

    /// The hash of a shared-secret algorithm.
    var secretDigest: SignatureForm.Digest? {
        guard case .secret = kind else { return nil }
        return digest
    }

    /// Whether it is a shared secret.
    public var isSymmetric: Bool { secretDigest != nil }
}
