/// A server that a careful client refuses, each for one reason of its own.
///
/// ```swift
/// for weakness in WeakServer.allCases {
///     let server = try weakness.start(authority)
///     // … the client refuses, and …
///     print(server.counters.applicationBytes)        // is 0
/// }
/// ```
public enum WeakServer: String, CaseIterable, Hashable, Sendable {
    /// The certificate's time is over.
    case expired
    /// The certificate's time has not begun.
    case notYetValid
    /// The certificate is for another host.
    case wrongHost
    /// No authority signed the certificate.
    case selfSigned
    /// An authority that the client does not know signed the certificate.
    case unknownAuthority
    /// The certificate has a common name but no alternative name.
    case noAlternativeName
    /// The certificate is for clients, not for servers.
    case wrongPurpose
    /// The key is RSA with 1024 bits.
    case rsa1024
    /// The authority signed a SHA-1 hash.
    case sha1
    /// The server speaks no version above TLS 1.1.
    case tls11
    /// The server agrees on keys only by RSA encryption, without forward secrecy.
    case rsaKeyExchange
}

extension WeakServer {
    /// What the certificate says.
    public var profile: LeafProfile {
        switch self {
        case .expired: LeafProfile(validity: .expired)
        case .notYetValid: LeafProfile(validity: .notYetValid)
        case .wrongHost: LeafProfile(names: ["other.example"], addresses: [], commonName: "other.example")
        case .selfSigned: LeafProfile(isSelfSigned: true)
        case .unknownAuthority: LeafProfile()
        case .noAlternativeName: LeafProfile(names: [], addresses: [], commonName: "127.0.0.1")
        case .wrongPurpose: LeafProfile(purposes: [.client])
        case .rsa1024: LeafProfile(key: .rsa(bits: 1024))
        case .sha1: LeafProfile(signature: .sha1)
        case .tls11: LeafProfile()
        case .rsaKeyExchange: LeafProfile(key: .rsa(bits: 2048))
        }
    }

    /// What the server speaks.
    public var tls: LabTLS {
        switch self {
        case .tls11: LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        case .rsaKeyExchange: LabTLS(maximum: .tls12, suites: "AES256-GCM-SHA384:AES128-GCM-SHA256")
        case .rsa1024, .sha1: LabTLS(securityLevel: 0)
        default: LabTLS()
        }
    }

    /// What is wrong, in a few words for a person.
    public var words: String {
        switch self {
        case .expired: "certificate expired"
        case .notYetValid: "certificate not yet valid"
        case .wrongHost: "certificate for another host"
        case .selfSigned: "self-signed certificate"
        case .unknownAuthority: "unknown authority"
        case .noAlternativeName: "no alternative name"
        case .wrongPurpose: "certificate not for servers"
        case .rsa1024: "RSA key of 1024 bits"
        case .sha1: "SHA-1 signature"
        case .tls11: "TLS 1.1 only"
        case .rsaKeyExchange: "RSA key exchange only"
        }
    }

    /// Starts the server with a certificate from `authority`, except where the weakness is another one.
    public func start(
        _ authority: CertificateAuthority, handler: @escaping LabServer.Handler = { _ in .text("secret page") }
    ) throws(LabFailure) -> LabServer {
        let issuer = self == .unknownAuthority ? try CertificateAuthority(name: "Nobody's Root") : authority
        return try LabServer.start(try issuer.issue(profile), tls: tls, handler: handler)
    }
}
