internal import PaviseCrypto
internal import SecurityFramework

/// A chain that is trusted as it stands, and the question about it.
struct MutationChain: Sendable {
    let name: String
    /// DER, the server's own first; the root is not among them.
    let certificates: [[UInt8]]
    let root: [UInt8]
    /// Whether two certificates of the same authority are among them, so that one may be spoilt.
    let hasTwoWays: Bool

    private static let host = "test.example.com"
    private static let now: Int64 = 1_900_000_000

    func request(_ certificates: [[UInt8]]) -> TrustRequest {
        TrustRequest(
            chain: certificates, peer: .server(host: Self.host), at: Self.now, anchors: .only([root]))
    }

    /// Chains with keys of each kind, with one authority and with three, with many extensions, and with two ways to the root.
    static func all() throws -> [MutationChain] {
        [
            try make("P-256", [.ec256, .ec256], .ec256),
            try make("RSA", [.rsa(bits: 2_048), .rsa(bits: 2_048)], .ec256),
            try make("P-384", [.ec384, .ec384], .rsa(bits: 2_048)),
            try make("deep", [.ec256, .ec256, .ec384, .ec256], .ec256),
            try make("two ways", [.ec256, .ec256], .ec256, twice: true),
        ]
    }

    private static func make(
        _ name: String, _ authorities: [IssuingKey.Kind], _ leafKind: IssuingKey.Kind, twice: Bool = false
    ) throws -> MutationChain {
        var key = try IssuingKey(generating: authorities[0])
        var issuer = try CertificateIssuing.issue(authority("Root"), for: key, issuer: nil, issuerKey: key)
        let root = issuer
        var chain: [[UInt8]] = []
        for (number, kind) in authorities.dropFirst().enumerated() {
            let next = try IssuingKey(generating: kind)
            let template = authority("Authority \(number)")
            let made = try CertificateIssuing.issue(template, for: next, issuer: issuer, issuerKey: key)
            if twice {
                var again = template
                again.serial = [9]
                chain.insert(try CertificateIssuing.issue(again, for: next, issuer: issuer, issuerKey: key), at: 0)
            }
            (issuer, key) = (made, next)
            chain.insert(made, at: 0)
        }
        let leafKey = try IssuingKey(generating: leafKind)
        let leaf = try CertificateIssuing.issue(leaf(), for: leafKey, issuer: issuer, issuerKey: key)
        return MutationChain(name: name, certificates: [leaf] + chain, root: root, hasTwoWays: twice)
    }

    private static func authority(_ name: String) -> CertificateTemplate {
        template(
            name,
            [
                ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
                ("subjectKeyIdentifier", "hash"), ("nameConstraints", "critical,permitted;DNS:example.com"),
            ])
    }

    private static func leaf() -> CertificateTemplate {
        template(
            "Leaf",
            [
                ("basicConstraints", "CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("extendedKeyUsage", "serverAuth"), ("subjectAltName", "DNS:\(host),DNS:*.b.example.com,IP:192.0.2.1"),
                ("authorityInfoAccess", "OCSP;URI:http://a.example.com"),
                ("crlDistributionPoints", "URI:http://a.example.com/list"), ("2.5.29.32", "DER:3007300506032A0304"),
            ])
    }

    private static func template(_ name: String, _ extensions: [(String, String)]) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [1, 2, 3], notBefore: now - 2_592_000, notAfter: now + 5_184_000, hash: .sha256,
            extensions: extensions.map { CertificateTemplate.Extension($0.0, $0.1) })
    }
}
