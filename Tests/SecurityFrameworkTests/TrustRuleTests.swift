import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// Each rule for server chains, broken one at a time.
@Suite struct `The rules for server chains` {
    private static func codes(_ change: (inout TrustFixture) -> Void) throws -> [Int32] {
        var fixture = TrustFixture()
        change(&fixture)
        return try fixture.chain().verdict().failures.map(\.code)
    }

    @Test func `a sound chain is trusted, and the path is leaf, middle, root`() throws {
        let chain = try TrustFixture().chain()
        let verdict = chain.verdict()
        #expect(verdict.isTrusted && verdict.failures.isEmpty)
        #expect(verdict.path == [chain.leaf, chain.middle, chain.root])
        #expect(verdict.leaf?.names == [TrustFixture.host] && verdict.leaf?.key == "EC 256")
    }

    @Test func `dates count to the second, both ends included, the anchor too`() throws {
        let chain = try TrustFixture().chain()
        let start = TrustFixture.now - 30 * TrustFixture.day
        let end = TrustFixture.now + 60 * TrustFixture.day
        #expect(chain.verdict(at: start).isTrusted && chain.verdict(at: end).isTrusted)
        #expect(chain.verdict(at: start - 1).failures.first?.kind == .notYetValid(notBefore: start))
        #expect(chain.verdict(at: end + 1).failures.first?.kind == .expired(notAfter: end))
        #expect(try Self.codes { $0.root.notAfter = TrustFixture.now - 1 } == [-67818])
    }

    @Test func `an issuer must be an authority and may sign`() throws {
        #expect(try Self.codes { $0.middle.set("basicConstraints", nil) } == [-67604])
        #expect(try Self.codes { $0.middle.set("basicConstraints", "critical,CA:FALSE") } == [-67605])
        #expect(try Self.codes { $0.root.set("basicConstraints", "critical,CA:TRUE,pathlen:0") } == [-67611])
        #expect(try Self.codes { $0.middle.set("keyUsage", "critical,digitalSignature") } == [-67608])
        #expect(try Self.codes { $0.root.set("keyUsage", "critical,cRLSign") } == [-67608])
    }

    @Test func `keys and hashes have a floor`() throws {
        #expect(try Self.codes { $0.leafKind = .rsa(bits: 1024) } == [-67735])
        #expect(try Self.codes { $0.leafKind = .rsa(bits: 2048) }.isEmpty)
        #expect(try Self.codes { $0.leaf.hash = .sha1 } == [-67815])
        #expect(try Self.codes { $0.middle.hash = .sha1 } == [-67815])
        #expect(try Self.codes { $0.root.hash = .sha1 }.isEmpty)
    }

    @Test func `a key below the hard limit can never be overruled`() throws {
        var fixture = TrustFixture()
        fixture.leafKind = .rsa(bits: 512)
        let verdict = try fixture.chain().verdict()
        #expect(verdict.isFatal && verdict.failures.first?.kind == .weakKey("RSA 512", belowHardLimit: true))
    }

    @Test func `purposes must include servers, in authorities too`() throws {
        #expect(try Self.codes { $0.leaf.set("extendedKeyUsage", "clientAuth") } == [-67609])
        #expect(try Self.codes { $0.leaf.set("extendedKeyUsage", nil) } == [-67609])
        #expect(try Self.codes { $0.leaf.set("extendedKeyUsage", "anyExtendedKeyUsage") } == [-67609])
        #expect(try Self.codes { $0.middle.set("extendedKeyUsage", "emailProtection") } == [-67609])
        #expect(try Self.codes { $0.middle.set("extendedKeyUsage", "serverAuth,clientAuth") }.isEmpty)
    }

    @Test func `roots of one's own are asked for less`() throws {
        var fixture = TrustFixture()
        fixture.leaf.set("extendedKeyUsage", nil)
        #expect(try fixture.chain().verdict(origin: .administrator).isTrusted)
        #expect(try !fixture.chain().verdict(origin: .system).isTrusted)
    }

    @Test(
        arguments: [
            (398, 0, TrustAnchors.Origin.system, true), (398, 1, .system, false), (825, 3_600, .system, false),
            (825, 3_600, .application, true), (825, 3_601, .application, false), (825, 3_601, .administrator, false),
        ] as [(Int64, Int64, TrustAnchors.Origin, Bool)])
    func `lifetimes end at the second`(
        _ days: Int64, _ more: Int64, _ origin: TrustAnchors.Origin, _ isTrusted: Bool
    ) throws {
        var fixture = TrustFixture()
        fixture.leaf.notAfter = fixture.leaf.notBefore + days * TrustFixture.day + more
        let verdict = try fixture.chain().verdict(origin: origin)
        #expect(verdict.isTrusted == isTrusted)
        #expect(isTrusted || verdict.failures.map(\.code) == [-67901])
    }

    @Test func `what is unknown, unreadable or there twice is refused`() throws {
        #expect(try Self.codes { $0.leaf.set("1.2.3.4", "critical,DER:0500") } == [-67603])
        #expect(try Self.codes { $0.leaf.set("1.2.3.4", "DER:0500") }.isEmpty)
        #expect(try Self.codes { $0.root.set("1.2.3.4", "critical,DER:0500") }.isEmpty)
        #expect(try Self.codes { $0.leaf.set("2.5.29.15", "DER:0500") } == [-67618])
        #expect(try Self.codes { $0.leaf.extensions.append(.init("extendedKeyUsage", "serverAuth")) } == [-67903])
    }

    @Test(arguments: [
        ("permitted;DNS:example.com", true), ("permitted;DNS:example.org", false), ("excluded;DNS:example.com", false),
        ("excluded;DNS:other.example.com", true), ("permitted;DNS:st.example.com", false),
        ("permitted;IP:10.0.0.0/255.0.0.0", true), ("excluded;DNS:test.example.com", false),
    ])
    func `an authority vouches only for its names`(_ constraint: String, _ isTrusted: Bool) throws {
        var fixture = TrustFixture()
        fixture.middle.set("nameConstraints", "critical,\(constraint)")
        let verdict = try fixture.chain().verdict()
        #expect(verdict.isTrusted == isTrusted)
        #expect(isTrusted || verdict.failures.map(\.code) == [-67689])
    }

    @Test(arguments: ["excluded;DNS:a.example.com", "excluded;DNS:example.com", "permitted;DNS:a.example.com"])
    func `a wildcard counts as every name it can stand for`(_ constraint: String) throws {
        var fixture = TrustFixture()
        fixture.leaf.set("subjectAltName", "DNS:*.example.com")
        fixture.middle.set("nameConstraints", "critical,\(constraint)")
        #expect(try fixture.chain().verdict("b.example.com").failures.map(\.code) == [-67689])
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.2", false), ("::1", true), ("[::1]", true), ("0:0::0:1", true),
        ("localhost", false),
    ])
    func `addresses are compared as bytes`(_ host: String, _ isTrusted: Bool) throws {
        var fixture = TrustFixture()
        fixture.leaf.set("subjectAltName", "IP:127.0.0.1,IP:::1,DNS:127.0.0.2")
        #expect(try fixture.chain().verdict(host).isTrusted == isTrusted)
    }

    @Test func `the most important finding comes first`() throws {
        let codes = try Self.codes {
            $0.leaf.notAfter = TrustFixture.now - 1
            $0.leaf.set("subjectAltName", "DNS:other.example.com")
            $0.leaf.hash = .sha1
        }
        #expect(codes == [-67815, -67602, -67818])
    }
}

/// Chains that do not end where trust begins.
@Suite struct `Chains without an anchor` {
    @Test func `a self-signed server says so, with everything else that is wrong`() throws {
        let key = try IssuingKey(generating: .ec256)
        let template = TrustFixture.certificate("Self", ["subjectAltName": "DNS:self.example.com"])
        let leaf = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
        let verdict = ServerTrust.evaluate(
            chain: [leaf], host: "other.example.com", at: TrustFixture.now + 100 * TrustFixture.day, anchors: .none)
        #expect(verdict.failures.map(\.code) == [-67843, -67602, -67818])
        #expect(verdict.failures.first?.kind == .selfSigned)
        let own = ServerTrust.evaluate(
            chain: [leaf], host: "self.example.com", at: TrustFixture.now,
            anchors: .only([leaf], origin: .administrator))
        #expect(own.isTrusted && own.path == [leaf])
    }

    @Test func `an unknown root and a missing issuer are told apart`() throws {
        let chain = try TrustFixture().chain()
        func kind(_ certificates: [[UInt8]]) -> TrustFinding.Kind? {
            ServerTrust.evaluate(
                chain: certificates, host: TrustFixture.host, at: TrustFixture.now, anchors: .none
            ).failures.first?.kind
        }
        #expect(kind([chain.leaf, chain.middle, chain.root]) == .unknownAuthority(missingIssuer: nil))
        #expect(kind([chain.leaf, chain.middle]) == .unknownAuthority(missingIssuer: "CN=Root"))
        #expect(kind([chain.leaf]) == .unknownAuthority(missingIssuer: "CN=Middle"))
    }

    @Test func `a root of the same name with another key does not help`() throws {
        let chain = try TrustFixture().chain()
        let other = try TrustFixture().chain()
        let verdict = ServerTrust.evaluate(
            chain: [chain.leaf, chain.middle], host: TrustFixture.host, at: TrustFixture.now,
            anchors: .only([other.root]))
        #expect(verdict.failures.first?.kind == .unknownAuthority(missingIssuer: "CN=Root"))
    }

    @Test(arguments: [[], [[]], [[0x30, 0x00]], [[UInt8](repeating: 0xFF, count: 1000)]] as [[[UInt8]]])
    func `what is no certificate is refused for good`(_ chain: [[UInt8]]) {
        let verdict = ServerTrust.evaluate(chain: chain, host: "a.example", at: 0, anchors: .system)
        #expect(!verdict.isTrusted && verdict.isFatal && verdict.leaf == nil)
    }

    @Test func `the order of what a server sends does not matter, and strangers do no harm`() throws {
        let chain = try TrustFixture().chain()
        let strangers = try (0..<5).map { _ in try TrustFixture().chain().middle }
        for rest in [[chain.middle] + strangers, strangers + [chain.middle], strangers + [chain.root, chain.middle]] {
            let verdict = ServerTrust.evaluate(
                chain: [chain.leaf] + rest, host: TrustFixture.host, at: TrustFixture.now, anchors: .only([chain.root]))
            #expect(verdict.isTrusted && verdict.path == [chain.leaf, chain.middle, chain.root])
        }
    }

    @Test func `a certificate's name begins no line, turns no text round and writes to no terminal`() throws {
        var fixture = TrustFixture()
        fixture.leaf.subject = "a\u{2028}b\u{2029}c\u{202E}d\u{1B}[2J\ne"
        let leaf = try fixture.chain().leaf
        let facts = try #require(CertificateFacts(der: leaf))
        #expect(facts.subject == #"CN=a\u{2028}b\u{2029}c\u{202e}d\u{1b}[2J\u{a}e"#)
    }

    @Test func `the search among entangled authorities ends`() throws {
        // Each of these authorities has certified each other one; none leads to an anchor.
        let keys = try (0..<6).map { _ in try IssuingKey(generating: .ec256) }
        let names = (0..<6).map { "Authority \($0)" }
        let roots = try zip(names, keys).map { name, key in
            try CertificateIssuing.issue(
                TrustFixture.certificate(name, ["basicConstraints": "critical,CA:TRUE"]), for: key, issuer: nil,
                issuerKey: key)
        }
        var crossed: [[UInt8]] = []
        for subject in 0..<6 {
            for issuer in 0..<6 where issuer != subject {
                crossed.append(
                    try CertificateIssuing.issue(
                        TrustFixture.certificate(names[subject], ["basicConstraints": "critical,CA:TRUE"]),
                        for: keys[subject], issuer: roots[issuer], issuerKey: keys[issuer]))
            }
        }
        let leafKey = try IssuingKey(generating: .ec256)
        let leaf = try CertificateIssuing.issue(
            TrustFixture().leaf, for: leafKey, issuer: roots[0], issuerKey: keys[0])
        let verdict = ServerTrust.evaluate(
            chain: [leaf] + crossed, host: TrustFixture.host, at: TrustFixture.now, anchors: .none)
        #expect(!verdict.isTrusted)
        #expect(verdict.path.count > 1)
    }
}
