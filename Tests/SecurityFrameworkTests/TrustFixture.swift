import PaviseCrypto
import SecurityFramework

/// A root, an intermediate and a leaf; a test changes what one of them says.
struct TrustFixture {
    static let now: Int64 = 1_900_000_000
    static let host = "test.example.com"
    static let day: Int64 = 86_400

    var root = certificate("Root", ["basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign"])
    var middle = certificate(
        "Middle", ["basicConstraints": "critical,CA:TRUE,pathlen:0", "keyUsage": "critical,keyCertSign"])
    var leaf = certificate("Leaf", ["subjectAltName": "DNS:\(host)", "extendedKeyUsage": "serverAuth"])
    var rootKind = IssuingKey.Kind.ec256
    var middleKind = IssuingKey.Kind.ec256
    var leafKind = IssuingKey.Kind.ec256

    struct Chain {
        let root, middle, leaf: [UInt8]
        let rootKey, middleKey, leafKey: IssuingKey

        /// The verdict with this root as the only one.
        func verdict(
            _ host: String = TrustFixture.host, at time: Int64 = TrustFixture.now,
            origin: TrustAnchors.Origin = .application
        ) -> TrustVerdict {
            ServerTrust.evaluate(
                chain: [leaf, middle], host: host, at: time, anchors: .only([root], origin: origin))
        }
    }

    /// A question about the chain, to be changed before it is asked.
    static func request(_ chain: Chain, origin: TrustAnchors.Origin = .application) -> TrustRequest {
        TrustRequest(
            chain: [chain.leaf, chain.middle], peer: .server(host: host), at: now,
            anchors: .only([chain.root], origin: origin))
    }

    /// Issues the three.
    func chain() throws -> Chain {
        let rootKey = try IssuingKey(generating: rootKind)
        let middleKey = try IssuingKey(generating: middleKind)
        let leafKey = try IssuingKey(generating: leafKind)
        let root = try CertificateIssuing.issue(root, for: rootKey, issuer: nil, issuerKey: rootKey)
        let middle = try CertificateIssuing.issue(middle, for: middleKey, issuer: root, issuerKey: rootKey)
        let leaf = try CertificateIssuing.issue(leaf, for: leafKey, issuer: middle, issuerKey: middleKey)
        return Chain(
            root: root, middle: middle, leaf: leaf, rootKey: rootKey, middleKey: middleKey, leafKey: leafKey)
    }

    /// A certificate that is valid for 90 days around now.
    static func certificate(_ name: String, _ extensions: KeyValuePairs<String, String>) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [1, 2, 3], notBefore: now - 30 * day, notAfter: now + 60 * day, hash: .sha256,
            extensions: extensions.map { CertificateTemplate.Extension($0.key, $0.value) })
    }
}

extension CertificateTemplate {
    /// Puts another value in the place of an extension, adds it, or removes it with `nil`.
    mutating func set(_ name: String, _ value: String?) {
        extensions.removeAll { $0.name == name }
        if let value { extensions.append(Extension(name, value)) }
    }
}
