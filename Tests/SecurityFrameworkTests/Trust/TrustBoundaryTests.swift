import PaviseCrypto
import SecurityFramework
import Testing

/// Rules that begin on a day or end at a number, on both sides of it.
@Suite struct `The edges of the rules` {
    static let spring2018: Int64 = 1_519_862_400
    static let summer2019: Int64 = 1_561_935_600
    static let autumn2020: Int64 = 1_598_918_400
    static let day: Int64 = 86_400

    /// What is found against a leaf that is valid for `seconds` from `start` on, at its first second.
    private static func codes(
        from start: Int64, for seconds: Int64 = 90 * day, _ origin: TrustAnchors.Origin,
        _ change: (inout TrustFixture) -> Void = { _ in }
    ) throws -> [Int32] {
        var fixture = TrustFixture()
        fixture.leaf.notBefore = start
        fixture.leaf.notAfter = start + seconds
        for path in [\TrustFixture.root, \.middle] {
            fixture[keyPath: path].notBefore = 1_400_000_000
            fixture[keyPath: path].notAfter = 1_900_000_000
        }
        change(&fixture)
        return try fixture.chain().verdict(at: start, origin: origin).failures.map(\.code)
    }

    @Test func `lifetimes under public roots: 825 days and an hour from March 2018, 398 days later`() throws {
        let long = 825 * Self.day + 3_600
        #expect(try Self.codes(from: Self.spring2018 - 1, for: long + 1, .system).isEmpty)
        #expect(try Self.codes(from: Self.spring2018, for: long + 1, .system) == [-67901])
        #expect(try Self.codes(from: Self.spring2018, for: long, .system).isEmpty)
        #expect(try Self.codes(from: Self.autumn2020 - 1, for: long, .system).isEmpty)
        #expect(try Self.codes(from: Self.autumn2020, for: 398 * Self.day + 1, .system) == [-67901])
        #expect(try Self.codes(from: Self.autumn2020, for: 398 * Self.day, .system).isEmpty)
    }

    @Test(arguments: [TrustAnchors.Origin.application, .administrator])
    func `lifetimes under one's own roots begin with the first second of the rule`(_ origin: TrustAnchors.Origin) throws
    {
        let long = 825 * Self.day + 3_600
        #expect(try Self.codes(from: Self.summer2019 - 1, for: long + 1, origin).isEmpty)
        #expect(try Self.codes(from: Self.summer2019, for: long + 1, origin) == [-67901])
        #expect(try Self.codes(from: Self.summer2019, for: long, origin).isEmpty)
    }

    @Test func `an app's own root asks for the purpose one second later than for the lifetime`() throws {
        func codes(_ start: Int64, _ purposes: String?) throws -> [Int32] {
            try Self.codes(from: start, .application) { $0.leaf.set("extendedKeyUsage", purposes) }
        }
        for purposes in [nil, "anyExtendedKeyUsage", "msSGC", "nsSGC"] {
            #expect(try codes(Self.summer2019, purposes).isEmpty)
            #expect(try codes(Self.summer2019 + 1, purposes) == [-67609])
        }
        #expect(try codes(Self.summer2019, "clientAuth") == [-67609])
        #expect(try codes(Self.summer2019 + 1, "serverAuth,clientAuth").isEmpty)
    }

    @Test func `RSA keys below 2048 bits are weak, below 1024 beyond repair`() throws {
        func verdict(_ bits: Int) throws -> TrustVerdict {
            var fixture = TrustFixture()
            fixture.leafKind = .rsa(bits: bits)
            return try fixture.chain().verdict()
        }
        #expect(try verdict(2048).isTrusted)
        let weak = try verdict(2047)
        #expect(weak.failures.map(\.code) == [-67735] && !weak.isFatal)
        #expect(try !verdict(1024).isFatal && verdict(1023).isFatal)
    }

    @Test func `keys and hashes of authorities count too, except the hash of a root that a person added`() throws {
        var fixture = TrustFixture()
        fixture.rootKind = .rsa(bits: 1536)
        #expect(try fixture.chain().verdict().failures.map(\.code) == [-67735])
        fixture = TrustFixture()
        fixture.middle.hash = .sha1
        #expect(try fixture.chain().verdict(origin: .administrator).failures.map(\.code) == [-67815])
    }

    @Test func `a person's own server certificate need not keep the limits of sizes and lifetimes`() throws {
        let key = try IssuingKey(generating: .rsa(bits: 1024))
        var template = TrustFixture.certificate("Own", ["subjectAltName": "DNS:own.example.com"])
        template.notAfter = template.notBefore + 3_650 * Self.day
        let leaf = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
        func codes(_ origin: TrustAnchors.Origin) -> [Int32] {
            ServerTrust.evaluate(
                chain: [leaf], host: "own.example.com", at: TrustFixture.now, anchors: .only([leaf], origin: origin)
            ).failures.map(\.code)
        }
        #expect(codes(.administrator).isEmpty)
        #expect(codes(.application) == [-67735, -67901, -67609])
    }

    @Test func `a serial number has up to 37 bytes`() throws {
        func verdict(_ count: Int) throws -> TrustVerdict {
            var fixture = TrustFixture()
            fixture.leaf.serial = [UInt8](repeating: 1, count: count)
            return try fixture.chain().verdict()
        }
        #expect(try verdict(37).isTrusted)
        #expect(try verdict(38).failures.first?.kind == .notCompliant(.unreadable("certificate")))
    }

    @Test func `key identifiers are compared when both are there, and then they must agree`() throws {
        func codes(_ issuer: String?, _ leaf: String?) throws -> [Int32] {
            var fixture = TrustFixture()
            fixture.middle.set("subjectKeyIdentifier", issuer)
            fixture.leaf.set("2.5.29.35", leaf)
            return try fixture.chain().verdict().failures.map(\.code)
        }
        #expect(try codes("0A:0B:0C:0D", "DER:300680040A0B0C0D").isEmpty)
        #expect(try codes("0A:0B:0C:0E", "DER:300680040A0B0C0D") == [-67610])
        #expect(try codes(nil, "DER:300680040A0B0C0D").isEmpty && codes("0A", nil).isEmpty)
        #expect(try codes("0A:0B:0C:0D", "critical,DER:300680040A0B0C0D").isEmpty)
    }

    @Test func `subtrees of names are counted up to 1023`() throws {
        func codes(_ count: Int) throws -> [Int32] {
            var fixture = TrustFixture()
            let names = (1..<count).map { "permitted;DNS:x\($0).example.org" } + ["permitted;DNS:example.com"]
            fixture.middle.set("nameConstraints", "critical," + names.joined(separator: ","))
            return try fixture.chain().verdict().failures.map(\.code)
        }
        #expect(try codes(1_023).isEmpty)
        #expect(try codes(1_024) == [-67843])
    }

    @Test func `names and subtrees are compared 250,000 times at the most, whoever signed the chain`() throws {
        func codes(_ names: Int, _ subtrees: Int, _ anchors: (TrustFixture.Chain) -> [[UInt8]]) throws -> [Int32] {
            var fixture = TrustFixture()
            let hosts = [TrustFixture.host] + (1..<names).map { "a\($0).example.com" }
            fixture.leaf.set("subjectAltName", hosts.map { "DNS:\($0)" }.joined(separator: ","))
            let excluded = (0..<subtrees).map { "excluded;DNS:x\($0).example.org" }
            fixture.middle.set("nameConstraints", "critical," + excluded.joined(separator: ","))
            let chain = try fixture.chain()
            var request = TrustFixture.request(chain)
            request.anchors = .only(anchors(chain))
            return ServerTrust.evaluate(request).failures.map(\.code)
        }
        // Beside its alternative names the leaf has its subject.
        #expect(try codes(249, 100) { [$0.root] }.isEmpty)
        #expect(try codes(250, 1_000) { [$0.root] } == [-67843])
        #expect(try codes(250, 1_000) { _ in [] } == [-67843, -25318])
    }

    @Test func `what a certificate says about where to learn more must be readable and may not be a demand`() throws {
        func codes(_ name: String, _ value: String) throws -> [Int32] {
            var fixture = TrustFixture()
            fixture.leaf.set(name, value)
            return try fixture.chain().verdict().failures.map(\.code)
        }
        #expect(try codes("authorityInfoAccess", "OCSP;URI:http://a.example").isEmpty)
        #expect(try codes("authorityInfoAccess", "critical,OCSP;URI:http://a.example") == [-67603])
        #expect(try codes("1.3.6.1.5.5.7.1.1", "DER:0500") == [-67618])
        #expect(try codes("crlDistributionPoints", "URI:http://a.example/list").isEmpty)
        #expect(try codes("2.5.29.31", "DER:0500") == [-67618])
        #expect(try codes("2.5.29.32", "critical,DER:3007300506032A0304").isEmpty)
        #expect(try codes("2.5.29.32", "DER:3000") == [-67618])
    }

    @Test func `an extension whose name is the number of a UUID is one of those that are not known`() throws {
        func codes(_ value: String) throws -> [Int32] {
            var fixture = TrustFixture()
            fixture.leaf.set("2.25.329800735698586629295641978511506172918", value)
            return try fixture.chain().verdict().failures.map(\.code)
        }
        #expect(try codes("DER:0500").isEmpty)
        #expect(try codes("critical,DER:0500") == [-67603])
    }

    @Test func `a demand for an answer in the handshake is not known, so it may not be critical`() throws {
        func codes(_ value: String) throws -> [Int32] {
            var fixture = TrustFixture()
            fixture.leaf.set("tlsfeature", value)
            return try fixture.chain().verdict().failures.map(\.code)
        }
        #expect(try codes("status_request").isEmpty)
        #expect(try codes("critical,status_request") == [-67603])
    }

    @Test func `a caller's limit counts authorities between leaf and root, self-issued ones not`() throws {
        let chain = try TrustFixture().chain()
        func codes(_ limit: Int?) -> [Int32] {
            var request = TrustFixture.request(chain)
            request.maximumAuthorities = limit
            return ServerTrust.evaluate(request).failures.map(\.code)
        }
        #expect(codes(nil).isEmpty && codes(1).isEmpty && codes(0) == [-67611])
    }

    @Test(arguments: [
        ("a@Example.com", ["a@example.COM"], true), ("a@example.com", ["A@example.com"], false),
        ("a@example.com", ["b@example.com"], false), ("a@example.com", ["a@example.com", "b@example.com"], false),
        ("*@example.com", ["a@example.com"], false), ("a@example.com", ["a@@example.com"], false),
    ])
    func `a client's certificate holds each mail address that is asked for, letter by letter`(
        _ presented: String, _ asked: [String], _ isTrusted: Bool
    ) throws {
        var fixture = TrustFixture()
        fixture.leaf.set("subjectAltName", "email:\(presented)")
        fixture.leaf.set("extendedKeyUsage", "clientAuth")
        var request = TrustFixture.request(try fixture.chain())
        request.peer = .client(mail: asked)
        #expect(ServerTrust.evaluate(request).failures.map(\.code) == (isTrusted ? [] : [-67602]))
    }
}
