internal import PaviseCrypto
internal import SecurityFramework

/// A chain that is trusted as it stands, and the question about it.
struct MutationChain: Sendable {
    let name: String
    /// Those of the certificates without which the chain is refused: to change one of them must have it refused, too.
    /// The server's own is one of them always; of others there may be two, or a root that makes them superfluous.
    let needed: Set<Int>
    private let question: TrustRequest

    /// DER, the server's own first.
    var certificates: [[UInt8]] { question.chain }

    private static let host = "test.example.com"
    private static let now: Int64 = 1_900_000_000

    private init(_ name: String, _ question: TrustRequest) throws {
        guard ServerTrust.isTrusted(question) else { throw MutationFailure.refused(name) }
        self.name = name
        self.question = question
        var needed: Set<Int> = [0]
        for index in question.chain.indices.dropFirst() {
            var shorter = question
            shorter.chain.remove(at: index)
            if !ServerTrust.isTrusted(shorter) { needed.insert(index) }
        }
        self.needed = needed
    }

    func request(_ certificates: [[UInt8]]) -> TrustRequest {
        var changed = question
        changed.chain = certificates
        return changed
    }

    /// The chains of public servers in a file of x509-limbo: those whose names begin with `online::` and that are to be
    /// trusted.
    static func published(in path: String) throws -> [MutationChain] {
        let file = try LimboFile(path)
        return try file.starts.compactMap { start in
            var reader = LimboReader(file.bytes, from: start)
            let entry = try LimboCase(&reader)
            guard entry.id.hasPrefix("online::"), entry.isToBeAccepted else { return nil }
            return try MutationChain(entry.id, entry.request(now: now))
        }
    }

    /// Chains with keys of each kind, with one authority and with three, with many extensions, and with two ways to the
    /// root.
    static func made() throws -> [MutationChain] {
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
        return try MutationChain(
            name,
            TrustRequest(chain: [leaf] + chain, peer: .server(host: host), at: now, anchors: .only([root])))
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
