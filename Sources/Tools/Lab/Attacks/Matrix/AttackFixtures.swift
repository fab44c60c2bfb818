internal import PaviseCrypto
internal import PavisePrimitives

/// Makes the certificates of all scenes, from one root that clients trust and others that they do not.
public final class AttackFixtures: Sendable {
    private let authority: CertificateAuthority
    private let unknown: CertificateAuthority
    private let namesake: CertificateAuthority
    private let keys = KeyRing()
    /// The secrets that must not go astray.
    public let canaries = AttackCanaries()

    /// A workshop with fresh roots.
    public init() throws(LabFailure) {
        authority = try CertificateAuthority()
        unknown = try CertificateAuthority(name: "Nobody's Root")
        namesake = try CertificateAuthority(name: authority.name)
    }

    /// The certificate of the trusted root, DER.
    public var anchor: [UInt8] { authority.anchor }

    /// The same as PEM.
    public var anchorPEM: String { authority.anchorPEM }

    var rootPin: String { authority.rootPin }
    var strangerPin: String { unknown.rootPin }

    /// The chain and key of a server.
    func identity(_ certificate: AttackCertificate) throws(LabFailure) -> ServerIdentity {
        let issuer =
            switch certificate.root {
            case .trusted: authority
            case .unknown: unknown
            case .namesake: namesake
            }
        var made = try issuer.issue(certificate.leaf, below: certificate.authorities, keys: keys)
        if certificate.hidesAuthorities { made = made.alone }
        if certificate.isForged { made = made.forged }
        if certificate.sendsStranger { made = made.sending(more: [unknown.anchor]) }
        if let status = certificate.status { made.staple = try issuer.statusAnswer(about: made, status) }
        return made
    }
}

extension CertificateAuthority {
    fileprivate var rootPin: String { Base64.encode(Hash.digest(.sha256, root.key.spki)) }
}

extension ServerIdentity {
    /// The same without the authorities between.
    fileprivate var alone: ServerIdentity { ServerIdentity(chain: [leaf], key: key) }

    /// The same with the last bit of the leaf, which belongs to its signature, turned over.
    fileprivate var forged: ServerIdentity {
        var bytes = leaf
        bytes[bytes.count - 1] ^= 1
        return ServerIdentity(chain: [bytes] + chain.dropFirst(), key: key)
    }
}
