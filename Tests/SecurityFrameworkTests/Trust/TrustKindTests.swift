import PaviseCrypto
import SecurityFramework
import Testing

/// Keys and signatures of every kind that certificates have.
@Suite struct `Kinds of keys` {
    private static func codes(_ change: (inout TrustFixture) -> Void) throws -> [Int32] {
        var fixture = TrustFixture()
        change(&fixture)
        let chain = try fixture.chain()
        let verdict = chain.verdict()
        #expect(ServerTrust.isTrusted(TrustFixture.request(chain)) == verdict.isTrusted)
        return verdict.failures.map(\.code)
    }

    @Test(
        arguments: [
            (.ec384, []), (.other("EC", curve: "P-521"), []), (.rsa(bits: 3_072), []),
            (.other("EC", curve: "P-224"), [-67735]), (.other("EC", curve: "P-192"), [-67735]),
            (.other("ED25519"), [-67735]), (.other("ED448"), [-67735]), (.other("RSA-PSS"), [-67735]),
            (.other("EC", curve: "secp256k1"), [-67735]),
        ] as [(IssuingKey.Kind, [Int32])])
    func `a server's key is of a kind that TLS servers may have, or weak`(
        _ kind: IssuingKey.Kind, _ expected: [Int32]
    ) throws {
        #expect(try Self.codes { $0.leafKind = kind } == expected)
    }

    @Test(
        arguments: [
            (.other("EC", curve: "P-521"), []), (.other("EC", curve: "P-224"), [-67735]),
            (.other("ED25519"), [-67735]), (.other("ED448"), [-67735]),
        ] as [(IssuingKey.Kind, [Int32])])
    func `an authority's key signs, and must be of such a kind too`(
        _ kind: IssuingKey.Kind, _ expected: [Int32]
    ) throws {
        #expect(try Self.codes { $0.middleKind = kind } == expected)
    }

    @Test func `a key of Ed25519 is not too weak by itself: nobody need refuse it for good`() throws {
        var fixture = TrustFixture()
        fixture.leafKind = .other("ED25519")
        #expect(try !fixture.chain().verdict().isFatal)
        fixture.leafKind = .other("RSA-PSS")
        #expect(try fixture.chain().verdict().isFatal)
    }

    @Test func `a signature padded as RSASSA-PSS is checked, and a changed one is refused`() throws {
        var fixture = TrustFixture()
        fixture.middleKind = .rsa(bits: 2_048)
        fixture.leaf.hash = .sha256PSS
        let chain = try fixture.chain()
        #expect(chain.verdict().failures.isEmpty)
        var request = TrustFixture.request(chain)
        request.chain[0][chain.leaf.count - 1] ^= 1
        #expect(ServerTrust.evaluate(request).failures.map(\.code) == [-25318])
        #expect(!ServerTrust.isTrusted(request))
    }
}
