import PaviseCrypto
import PavisePrimitives
import PaviseTransport
import Testing

/// An authority that is trusted by itself and has a certificate of another one too, which servers send along.
@Suite struct CrossSignedPinTests {
    private static let now: Int64 = 1_900_000_000
    private static let host = "a.example.com"

    private static func template(_ name: String, _ extensions: KeyValuePairs<String, String>) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [1, 2, 3], notBefore: now - 86_400, notAfter: now + 86_400, hash: .sha256,
            extensions: extensions.map { CertificateTemplate.Extension($0.key, $0.value) })
    }

    private static func authority(_ name: String) -> CertificateTemplate {
        template(name, ["basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign"])
    }

    private static func pin(_ key: IssuingKey) throws -> Pin {
        try #require(Pin(Base64.encode(Hash.digest(.sha256, key.spki))))
    }

    @Test func `a pin of either authority finds its path, and one of neither refuses`() throws {
        let (own, other) = (try IssuingKey(generating: .ec256), try IssuingKey(generating: .ec256))
        let leafKey = try IssuingKey(generating: .ec256)
        let ownRoot = try CertificateIssuing.issue(Self.authority("Own"), for: own, issuer: nil, issuerKey: own)
        let otherRoot = try CertificateIssuing.issue(Self.authority("Other"), for: other, issuer: nil, issuerKey: other)
        let cross = try CertificateIssuing.issue(Self.authority("Own"), for: own, issuer: otherRoot, issuerKey: other)
        let names = Self.template("Leaf", ["subjectAltName": "DNS:\(Self.host)", "extendedKeyUsage": "serverAuth"])
        let leaf = try CertificateIssuing.issue(names, for: leafKey, issuer: ownRoot, issuerKey: own)
        let shown = PresentedChain(certificates: [leaf, cross], version: "TLSv1.3", suite: "")
        let origin = try WebURL("https://\(Self.host)").origin

        func decision(_ key: IssuingKey) throws -> (path: Int, answer: TrustDecision) {
            var policy = TrustPolicy(anchors: .only([ownRoot, otherRoot]))
            policy.pins = [try PinSet(hosts: [Self.host], authority: [Self.pin(key)], backup: .notRequired)]
            let chain = SessionCarrier.systemRules(policy)(shown, Self.host, Self.now)
            return (chain.path.count, policy.decide(on: chain, at: origin, seconds: Self.now))
        }
        for (key, count) in [(own, 2), (other, 3)] {
            let found = try decision(key)
            #expect(found.path == count && found.answer == .allow(.pinned))
        }
        let refused = try decision(leafKey)
        #expect(refused.path == 2 && refused.answer.refusal?.failures == [.pinMismatch])
    }
}
