import PaviseCrypto
import SecurityFramework
import Testing

/// Where Apple's systems ask less than an authority's rules do, and Pavise with them (SECURITY.md).
@Suite struct AppleLeniencyTests {
    private static func codes(_ change: (inout TrustFixture) -> Void) throws -> [Int32] {
        var fixture = TrustFixture()
        change(&fixture)
        let chain = try fixture.chain()
        let verdict = chain.verdict()
        #expect(ServerTrust.isTrusted(TrustFixture.request(chain)) == verdict.isTrusted)
        return verdict.failures.map(\.code)
    }

    @Test func `an authority's certificate that serves the host is taken as a server's`() throws {
        let codes = try Self.codes {
            $0.leaf.set("basicConstraints", "critical,CA:TRUE,pathlen:0")
            $0.leaf.set("keyUsage", "critical,keyCertSign,cRLSign")
        }
        #expect(codes.isEmpty)
        #expect(try Self.codes { $0.leaf.set("keyUsage", "critical,keyCertSign") }.isEmpty)
    }

    @Test func `all else is asked of an authority's certificate as of any other server's`() throws {
        for (name, value, code) in [
            ("subjectAltName", "DNS:other.example.com", -67602), ("extendedKeyUsage", "clientAuth", -67609),
        ] as [(String, String, Int32)] {
            let codes = try Self.codes {
                $0.leaf.set("basicConstraints", "critical,CA:TRUE")
                $0.leaf.set(name, value)
            }
            #expect(codes == [code])
        }
    }

    @Test(
        arguments: [
            ("basicConstraints", "CA:TRUE,pathlen:0", []), ("basicConstraints", "CA:FALSE", [-67605]),
            ("keyUsage", "keyCertSign", []), ("keyUsage", "digitalSignature", [-67608]),
            ("extendedKeyUsage", "critical,serverAuth", []), ("extendedKeyUsage", "critical,clientAuth", [-67609]),
            ("nameConstraints", "permitted;DNS:example.com", []),
            ("nameConstraints", "permitted;DNS:example.org", [-67689]),
            ("policyConstraints", "requireExplicitPolicy:0", [-67835]), ("inhibitAnyPolicy", "0", []),
            ("subjectKeyIdentifier", "critical,hash", []), ("authorityKeyIdentifier", "critical,keyid", []),
            ("subjectAltName", "critical,DNS:authority.example.com", []),
        ] as [(String, String, [Int32])])
    func `an extension says the same, marked critical or not`(
        _ name: String, _ value: String, _ expected: [Int32]
    ) throws {
        let isMarked = value.hasPrefix("critical,")
        let other = isMarked ? String(value.dropFirst("critical,".count)) : "critical,\(value)"
        for text in [value, other] {
            let codes = try Self.codes {
                // The root's key has a name, so that the authority can say who signed it.
                $0.root.set("subjectKeyIdentifier", "hash")
                $0.middle.set(name, text)
            }
            #expect(codes == expected, "\(text)")
        }
    }

    @Test func `a critical extension that is not known counts, and one that only helps`() throws {
        #expect(try Self.codes { $0.leaf.set("1.2.3.4", "critical,DER:0500") } == [-67603])
        let access = "OCSP;URI:http://ocsp.example.com/"
        #expect(try Self.codes { $0.leaf.set("authorityInfoAccess", access) }.isEmpty)
        #expect(try Self.codes { $0.leaf.set("authorityInfoAccess", "critical,\(access)") } == [-67603])
    }

    @Test(arguments: ["", "critical,"])
    func `a leaf without a subject has critical alternative names, or is refused`(_ mark: String) throws {
        var fixture = TrustFixture()
        fixture.leaf.set("subjectAltName", "\(mark)DNS:\(TrustFixture.host)")
        let chain = try fixture.chain()
        var request = TrustFixture.request(chain)
        request.chain[0] = try DERWriting.certificate(chain.leaf, subject: [], signedBy: chain.middleKey)
        #expect(ServerTrust.evaluate(request).failures.map(\.code) == (mark.isEmpty ? [-67655] : []))
        #expect(ServerTrust.isTrusted(request) == !mark.isEmpty)
    }
}
