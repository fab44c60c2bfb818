import PaviseCrypto
import SecurityFramework
import Testing

/// Certificates whose subject is their issuer's name. What RFC 5280 §6.1 forgives them is for authorities, not for the
/// leaf, and a self-issued certificate is not a self-signed one.
@Suite struct SelfIssuedTests {
    private static func codes(_ request: TrustRequest) -> [Int32] {
        let verdict = ServerTrust.evaluate(request)
        #expect(ServerTrust.isTrusted(request) == verdict.isTrusted)
        return verdict.failures.map(\.code)
    }

    private static func codes(_ change: (inout TrustFixture) -> Void) throws -> [Int32] {
        var fixture = TrustFixture()
        change(&fixture)
        return codes(TrustFixture.request(try fixture.chain()))
    }

    @Test(
        arguments: [
            ("permitted;DNS:example.org", [-67689]), ("excluded;DNS:example.com", [-67689]),
            ("permitted;DNS:example.com", []), ("excluded;DNS:example.org", []),
        ] as [(String, [Int32])])
    func `a constrained authority that names the leaf as itself does not leave its names`(
        _ constraint: String, _ expected: [Int32]
    ) throws {
        let codes = try Self.codes {
            $0.middle.set("nameConstraints", "critical,\(constraint)")
            $0.leaf.subject = $0.middle.subject
        }
        #expect(codes == expected)
    }

    @Test func `an authority that names itself is exempt, and the leaf below it is not`() throws {
        func codes(_ host: String) throws -> [Int32] {
            var fixture = TrustFixture()
            // The root renews its own key: the middle has its name, and a name outside of what the root permits.
            fixture.root.set("nameConstraints", "critical,permitted;DNS:example.com")
            fixture.middle.subject = fixture.root.subject
            fixture.middle.set("subjectAltName", "DNS:authority.example.org")
            fixture.leaf.set("subjectAltName", "DNS:\(host)")
            var request = TrustFixture.request(try fixture.chain())
            request.peer = .server(host: host)
            return Self.codes(request)
        }
        #expect(try codes("test.example.com").isEmpty)
        #expect(try codes("test.example.org") == [-67689])
    }

    @Test func `an authority with a name of its own is held to its issuer's names`() throws {
        let codes = try Self.codes {
            $0.root.set("nameConstraints", "critical,permitted;DNS:example.com")
            $0.middle.set("subjectAltName", "DNS:authority.example.org")
        }
        #expect(codes == [-67689])
    }

    @Test func `a weak hash counts unless the certificate's own key made the signature`() throws {
        // The root's new key, certified with its old one: subject and issuer are the same, the keys are not.
        #expect(try Self.codes { ($0.middle.subject, $0.middle.hash) = ($0.root.subject, .sha1) } == [-67815])
        #expect(try Self.codes { $0.middle.subject = $0.root.subject }.isEmpty)
        // A leaf that its issuer names as itself.
        #expect(try Self.codes { ($0.leaf.subject, $0.leaf.hash) = ($0.middle.subject, .sha1) } == [-67815])
        #expect(try Self.codes { $0.root.hash = .sha1 }.isEmpty)
    }
}
