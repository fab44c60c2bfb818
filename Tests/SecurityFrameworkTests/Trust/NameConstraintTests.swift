import PaviseCrypto
import SecurityFramework
import Testing

/// Constraints on addresses and mail addresses (RFC 5280 §4.2.1.10).
@Suite struct NameConstraintTests {
    private static func codes(_ request: TrustRequest) -> [Int32] {
        let verdict = ServerTrust.evaluate(request)
        #expect(ServerTrust.isTrusted(request) == verdict.isTrusted)
        return verdict.failures.map(\.code)
    }

    @Test(arguments: [
        ("10.1.0.5", "permitted;IP:10.1.0.0/255.255.0.0", true),
        ("10.9.0.5", "permitted;IP:10.0.0.0/255.0.255.0", false),
        ("10.1.0.5", "permitted;IP:10.1.0.4/255.255.255.5", false),
        ("10.0.0.5", "permitted;IP:0.0.0.5/0.0.0.255", false),
        ("10.9.0.5", "excluded;IP:192.0.2.0/255.255.255.0", true),
        ("10.9.0.5", "excluded;IP:192.0.2.0/255.0.255.0", false),
        ("2001:db8::5", "permitted;IP:2001:db8::/ffff:ffff::", true),
        ("2001:db8:9::5", "permitted;IP:2001:db8::/ffff:ffff:0:ffff::", false),
        ("2001:db8::5", "excluded;IP:fd00::/ff00:ffff::", false),
    ])
    func `an address constraint whose mask is no prefix refuses every address`(
        _ address: String, _ constraint: String, _ isTrusted: Bool
    ) throws {
        var fixture = TrustFixture()
        fixture.middle.set("nameConstraints", "critical,\(constraint)")
        fixture.leaf.set("subjectAltName", "IP:\(address)")
        var request = TrustFixture.request(try fixture.chain())
        request.peer = .server(host: address)
        #expect(Self.codes(request) == (isTrusted ? [] : [-67689]))
    }

    @Test(
        arguments: [
            ("permitted;email:example.com", "ada@example.com", []),
            ("permitted;email:example.com", "ada@example.org", [-67689]),
            ("permitted;email:example.com", "ada@badexample.com", [-67689]),
            ("permitted;email:example.com", "ada@mail.example.com", [-67689]),
            ("permitted;email:.example.com", "ada@mail.example.com", []),
            ("permitted;email:.example.com", "ada@example.com", [-67689]),
            ("permitted;email:ada@example.com", "eve@example.com", [-67689]),
            ("excluded;email:example.com", "ada@example.com", [-67689]),
            ("excluded;email:ada@example.com", "ada@example.com", [-67689]),
            ("permitted;email:example.com", "ada", [-67689]),
            ("permitted;email:example.com", nil, []),
        ] as [(String, String?, [Int32])])
    func `a mail address in the subject is held to the constraints where there are no alternative names`(
        _ constraint: String, _ mail: String?, _ expected: [Int32]
    ) throws {
        var fixture = TrustFixture()
        fixture.middle.set("nameConstraints", "critical,\(constraint)")
        fixture.leaf.set("subjectAltName", nil)
        fixture.leaf.set("extendedKeyUsage", "clientAuth")
        let chain = try fixture.chain()
        var request = TrustFixture.request(chain)
        let mailName = mail.map { [Self.name("1.2.840.113549.1.9.1", $0)] } ?? []
        request.chain[0] = try DERWriting.certificate(
            chain.leaf, subject: [Self.name("2.5.4.3", "Leaf")] + mailName, signedBy: chain.middleKey)
        request.peer = .client(mail: [])
        #expect(Self.codes(request) == expected)
    }

    // A relative name with one attribute, as text in ASCII.
    private static func name(_ type: String, _ text: String) -> [UInt8] {
        let pair = DERWriting.sequence(DERWriting.identifier(type), DEREncoding.element(0x16, Array(text.utf8)))
        return DEREncoding.element(DERTag.set, pair)
    }
}
