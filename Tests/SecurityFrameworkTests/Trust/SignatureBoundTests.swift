import PaviseCrypto
import SecurityFramework
import Testing

/// What a hostile set of certificates costs: checks of signatures are counted.
@Suite struct SignatureBoundTests {
    /// A chain of authorities that all bear one name, and others of that name that signed nothing, which come first.
    private struct Crowd {
        private static let authority = TrustFixture.certificate("Crowd", ["basicConstraints": "critical,CA:TRUE"])
        let root, leaf: [UInt8]
        var chain: [[UInt8]] = []
        var strangers: [[UInt8]] = []

        init(depth: Int, strangers count: Int) throws {
            var key = try IssuingKey(generating: .ec256)
            root = try CertificateIssuing.issue(Self.authority, for: key, issuer: nil, issuerKey: key)
            var issuer = root
            for _ in 0..<depth {
                let next = try IssuingKey(generating: .ec256)
                issuer = try CertificateIssuing.issue(Self.authority, for: next, issuer: issuer, issuerKey: key)
                chain.append(issuer)
                key = next
            }
            let leafKey = try IssuingKey(generating: .ec256)
            leaf = try CertificateIssuing.issue(TrustFixture().leaf, for: leafKey, issuer: issuer, issuerKey: key)
            for _ in 0..<count {
                let stranger = try IssuingKey(generating: .ec256)
                let outsider = try CertificateIssuing.issue(
                    Self.authority, for: stranger, issuer: nil, issuerKey: stranger)
                strangers.append(outsider)
            }
        }

        // Each authority of the chain is found behind all strangers and all authorities above it.
        var request: TrustRequest {
            TrustRequest(
                chain: [leaf] + strangers + chain, peer: .server(host: TrustFixture.host), at: TrustFixture.now,
                anchors: .only([root]))
        }
    }

    // For the leaf and each authority: the anchor, the strangers, and the authorities before the right one.
    private static func checks(depth: Int, strangers: Int) -> Int {
        let levels = (1...depth).reduce(0) { sum, place in sum + 1 + strangers + place }
        return levels + 1
    }

    @Test func `a chain that costs up to 200 checks of signatures is found, one that costs more is given up`() throws {
        for (strangers, isFound) in [(46, true), (47, false), (60, false)] {
            let crowd = try Crowd(depth: 4, strangers: strangers)
            #expect((Self.checks(depth: 4, strangers: strangers) <= 200) == isFound)
            let verdict = ServerTrust.evaluate(crowd.request)
            #expect(verdict.isTrusted == isFound)
            #expect(ServerTrust.isTrusted(crowd.request) == isFound)
            let isGivenUp = verdict.failures.contains { $0.kind == .notCompliant(.searchLimit) }
            #expect(isGivenUp == !isFound)
        }
    }
}
