/// What a server's certificate says, and what is wrong with it.
///
/// ```swift
/// let good = LeafProfile()                                    // localhost and 127.0.0.1, EC P-256, valid now
/// let old = LeafProfile(validity: .expired)
/// let weak = LeafProfile(key: .rsa(bits: 1024))
/// ```
public struct LeafProfile: Hashable, Sendable {
    /// When the certificate is valid, seen from the authority's clock at the moment of issue.
    public enum Validity: Hashable, Sendable {
        /// From an hour ago, 90 days long.
        case current
        /// 90 days that ended a day ago.
        case expired
        /// 90 days that begin in a day.
        case notYetValid
        /// From `start` to `end`, in seconds from now; negative is the past. Both inclusive.
        case seconds(from: Int64, to: Int64)
    }

    /// The algorithm and size of a key.
    public enum Key: Hashable, Sendable {
        /// EC on NIST P-256.
        case ec256
        /// EC on NIST P-384.
        case ec384
        /// EC on another curve, by OpenSSL's name, such as `secp224r1`: weak on purpose.
        case ec(curve: String)
        /// RSA with a modulus of `bits`: 1024 is weak on purpose.
        case rsa(bits: Int)
    }

    /// The hash of the authority's signature.
    public enum Signature: Hashable, Sendable {
        /// SHA-256, as today's certificates have.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-1: weak on purpose.
        case sha1
    }

    /// What a certificate may be used for (RFC 5280 §4.2.1.12).
    public enum Purpose: String, Hashable, Sendable {
        /// A TLS server.
        case server = "serverAuth"
        /// A TLS client.
        case client = "clientAuth"
        /// Signed programs.
        case codeSigning
        /// Mail.
        case mail = "emailProtection"
    }

    /// DNS names of the subject alternative name.
    public var names: [String]
    /// IP addresses of the subject alternative name.
    public var addresses: [String]
    /// The subject's common name.
    public var commonName: String
    /// When it is valid.
    public var validity: Validity
    /// The key of the server.
    public var key: Key
    /// The hash of the authority's signature.
    public var signature: Signature
    /// The extended key usage; empty leaves the extension out.
    public var purposes: [Purpose]
    /// Whether the server's own key signs, instead of the authority.
    public var isSelfSigned: Bool
    /// Whether it bears a critical extension that nobody knows.
    public var demandsUnknown = false

    /// A good certificate for loopback, changed by what is given.
    ///
    /// - Parameters:
    ///   - names: With `addresses` empty too, the certificate has no alternative name at all, only a common name.
    ///   - key: The kind of the key.
    ///   - purposes: What the certificate is for.
    ///   - signature: The hash of the signature.
    ///   - validity: From when to when, as an offset from now.
    ///   - isSelfSigned: Whether the leaf signs itself.
    ///   - commonName: The subject's common name.
    ///   - addresses: IP addresses that it is for.
    public init(
        names: [String] = ["localhost"], addresses: [String] = ["127.0.0.1"], commonName: String = "localhost",
        validity: Validity = .current, key: Key = .ec256, signature: Signature = .sha256,
        purposes: [Purpose] = [.server], isSelfSigned: Bool = false
    ) {
        self.names = names
        self.addresses = addresses
        self.commonName = commonName
        self.validity = validity
        self.key = key
        self.signature = signature
        self.purposes = purposes
        self.isSelfSigned = isSelfSigned
    }
}

extension LeafProfile.Validity {
    /// The first and the last second, for an authority whose clock shows `now`.
    func seconds(at now: Int64) -> (from: Int64, to: Int64) {
        let day: Int64 = 86_400
        return switch self {
        case .current: (now - 3600, now - 3600 + 90 * day)
        case .expired: (now - 91 * day, now - day)
        case .notYetValid: (now + day, now + 91 * day)
        case .seconds(let from, let to): (now + from, now + to)
        }
    }
}
