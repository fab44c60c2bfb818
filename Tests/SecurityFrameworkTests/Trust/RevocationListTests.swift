import PaviseCrypto
import SecurityFramework
import Testing

/// RFC 5280 §6.3: what a revocation list is worth. Each fault is seen to take its good news away.
@Suite struct `Revocation lists` {
    static let serial: [UInt8] = [1, 2, 3]

    private static func chain() throws -> TrustFixture.Chain {
        var fixture = TrustFixture()
        fixture.middle.set("subjectKeyIdentifier", "hash")
        fixture.middle.set("keyUsage", "critical,keyCertSign,cRLSign")
        fixture.root.set("keyUsage", "critical,keyCertSign,cRLSign")
        return try fixture.chain()
    }

    private static func kind(
        _ chain: TrustFixture.Chain, _ lists: [[UInt8]], _ demand: RevocationDemand = .usableWhenPresent
    ) -> TrustFinding.Kind? {
        var request = TrustFixture.request(chain)
        request.evidence = RevocationEvidence(lists: lists, answers: [])
        request.revocation = demand
        return ServerTrust.evaluate(request).failures.first?.kind
    }

    private static func kind(_ change: (inout ListTemplate) -> Void) throws -> TrustFinding.Kind? {
        let chain = try chain()
        var template = ListTemplate()
        change(&template)
        return kind(chain, [try template.issue(chain.middle, chain.middleKey)])
    }

    @Test func `a certificate on its issuer's list is refused for good, under every demand that looks`() throws {
        let chain = try Self.chain()
        let list = try ListTemplate(entries: [(Self.serial, DERWriting.field("2.5.29.21", DERWriting.enumerated(1)))])
            .issue(chain.middle, chain.middleKey)
        for demand in [RevocationDemand.soft, .usableWhenPresent, .hard] {
            let kind = TrustFinding.Kind.revoked(at: TrustFixture.now - 7_200, reason: 1)
            #expect(Self.kind(chain, [list], demand) == kind)
            #expect(TrustFinding(kind, certificate: 0).isFatal && TrustFinding(kind, certificate: 0).code == -67820)
        }
        #expect(Self.kind(chain, [list], .ignored) == nil)
    }

    @Test func `a revoked intermediate is refused for good, by a list and by an answer of the root`() throws {
        var fixture = TrustFixture()
        fixture.root.set("keyUsage", "critical,keyCertSign,cRLSign")
        fixture.middle.serial = [4, 5, 6]
        let chain = try fixture.chain()
        var template = ListTemplate(entries: [([4, 5, 6], DERWriting.field("2.5.29.21", DERWriting.enumerated(1)))])
        template.keyIdentifier = []
        let list = try template.issue(chain.root, chain.rootKey)
        let answer = try AnswerTemplate(word: AnswerTemplate.revoked)
            .give(about: chain.middle, of: chain.root, chain.rootKey)
        let finding = TrustFinding(.revoked(at: TrustFixture.now - 7_200, reason: 1), certificate: 1)
        #expect(finding.isFatal)
        let (byList, byAnswer) = (
            RevocationEvidence(lists: [list], answers: []), RevocationEvidence(lists: [], answers: [answer])
        )
        for evidence in [byList, byAnswer] {
            for demand in [RevocationDemand.soft, .usableWhenPresent, .hard] {
                var request = TrustFixture.request(chain)
                request.evidence = evidence
                request.revocation = demand
                let failures = ServerTrust.evaluate(request).failures
                #expect(failures.filter { $0.certificate == 1 } == [finding], "\(demand)")
            }
        }
        #expect(Self.kind(chain, [list], .ignored) == nil)
    }

    @Test func `a certificate that is on no list is trusted`() throws {
        #expect(try Self.kind { _ in } == nil)
        #expect(try Self.kind { $0.entries = [([9, 9], [])] } == nil)
    }

    @Test func `a hard demand needs a list for each certificate below the anchor`() throws {
        let chain = try Self.chain()
        let first = try ListTemplate().issue(chain.middle, chain.middleKey)
        var template = ListTemplate()
        template.keyIdentifier = []
        let second = try template.issue(chain.root, chain.rootKey)
        #expect(Self.kind(chain, [], .hard) == .revocationUnknown(.nothingKnown))
        #expect(Self.kind(chain, [first], .hard) == .revocationUnknown(.nothingKnown))
        #expect(Self.kind(chain, [first, second], .hard) == nil)
        #expect(Self.kind(chain, [], .soft) == nil && Self.kind(chain, [], .usableWhenPresent) == nil)
    }

    @Test func `a list of another issuer, or of another key of the same name, says nothing`() throws {
        let chain = try Self.chain()
        let other = try Self.chain()
        let stranger = try ListTemplate(entries: [(Self.serial, [])]).issue(other.middle, other.middleKey)
        #expect(Self.kind(chain, [stranger]) == nil)
        #expect(Self.kind(chain, [stranger], .hard) == .revocationUnknown(.nothingKnown))
    }

    @Test func `a forged list revokes nothing and clears nobody`() throws {
        let chain = try Self.chain()
        let forged = try ListTemplate(entries: [(Self.serial, [])]).issue(chain.middle, chain.rootKey)
        #expect(Self.kind(chain, [forged], .soft) == nil)
        #expect(Self.kind(chain, [forged], .hard) == .revocationUnknown(.list(.badSignature)))
    }

    @Test func `an issuer without cRLSign makes no lists`() throws {
        var fixture = TrustFixture()
        fixture.middle.set("subjectKeyIdentifier", "hash")
        let chain = try fixture.chain()
        let list = try ListTemplate().issue(chain.middle, chain.middleKey)
        #expect(Self.kind(chain, [list]) == .revocationUnknown(.list(.issuerMayNotSign)))
    }

    @Test func `a list counts from its first to its last second`() throws {
        let now = TrustFixture.now
        #expect(try Self.kind { $0.thisUpdate = now } == nil)
        #expect(
            try Self.kind { $0.thisUpdate = now + 1 }
                == .revocationUnknown(.list(.notYetValid(thisUpdate: now + 1))))
        #expect(try Self.kind { $0.nextUpdate = now } == nil)
        #expect(
            try Self.kind { $0.nextUpdate = now - 1 } == .revocationUnknown(.list(.outdated(nextUpdate: now - 1))))
        #expect(try Self.kind { $0.nextUpdate = nil } == .revocationUnknown(.list(.outdated(nextUpdate: nil))))
    }

    @Test func `what an outdated list revokes stays revoked`() throws {
        let kind = try Self.kind {
            $0.nextUpdate = TrustFixture.now - 1
            $0.entries = [(Self.serial, [])]
        }
        #expect(kind == .revoked(at: TrustFixture.now - 7_200, reason: nil))
    }

    @Test func `a list must be numbered, name its key, and demand nothing unknown`() throws {
        let notConforming = TrustFinding.Kind.revocationUnknown(.list(.notConforming))
        #expect(try Self.kind { $0.number = [] } == notConforming)
        #expect(
            try Self.kind { $0.number = DERWriting.field("2.5.29.20", critical: true, [2, 1, 7]) } == notConforming)
        #expect(try Self.kind { $0.version = nil } == notConforming)
        #expect(
            try Self.kind { $0.more = DERWriting.field("1.2.3.4", critical: true, [5, 0]) }
                == .revocationUnknown(.list(.unknownCriticalExtension("1.2.3.4"))))
        #expect(try Self.kind { $0.more = DERWriting.field("1.2.3.4", [5, 0]) } == nil)
    }

    @Test func `an entry that demands something unknown makes the list useless`() throws {
        let unknown = DERWriting.field("1.2.3.4", critical: true, [5, 0])
        #expect(try Self.kind { $0.entries = [([9], unknown)] } == .revocationUnknown(.list(.unreadable)))
        #expect(try Self.kind { $0.entries = [([9], DERWriting.field("1.2.3.4", [5, 0]))] } == nil)
    }

    @Test func `a list of a part is no list of all`() throws {
        func scope(_ content: [UInt8]) throws -> TrustFinding.Kind? {
            try Self.kind { $0.more = DERWriting.field("2.5.29.28", critical: true, DERWriting.sequence(content)) }
        }
        let yes: [UInt8] = [0xFF]
        #expect(try scope(DERWriting.tagged(1, yes, constructed: false)) == nil)
        #expect(
            try scope(DERWriting.tagged(3, [1, 0x60], constructed: false)) == .revocationUnknown(.list(.partial)))
        #expect(try scope(DERWriting.tagged(4, yes, constructed: false)) == .revocationUnknown(.list(.partial)))
        let delta = DERWriting.field("2.5.29.27", critical: true, [2, 1, 6])
        #expect(try Self.kind { $0.more = delta } == .revocationUnknown(.list(.partial)))
    }

    @Test func `a list of changes that takes a certificate off again does not revoke it`() throws {
        let delta = DERWriting.field("2.5.29.27", critical: true, [2, 1, 6])
        func kind(_ reason: UInt8, _ more: [UInt8]) throws -> TrustFinding.Kind? {
            try Self.kind {
                $0.more = more
                $0.entries = [(Self.serial, DERWriting.field("2.5.29.21", DERWriting.enumerated(reason)))]
            }
        }
        let time = TrustFixture.now - 7_200
        #expect(try kind(8, delta) == .revocationUnknown(.list(.partial)))
        #expect(try kind(6, delta) == .revoked(at: time, reason: 6))
        #expect(try kind(8, []) == .revoked(at: time, reason: 8))
    }

    @Test func `a list for authorities, for attributes or for another point is not about the leaf`() throws {
        let chain = try Self.chain()
        let point = DERWriting.tagged(
            0, DERWriting.tagged(0, DERWriting.tagged(6, Array("http://a.example/l".utf8), constructed: false)))
        for content in [
            DERWriting.tagged(2, [0xFF], constructed: false), DERWriting.tagged(5, [0xFF], constructed: false), point,
        ] {
            var template = ListTemplate(entries: [(Self.serial, [])])
            template.more = DERWriting.field("2.5.29.28", critical: true, DERWriting.sequence(content))
            let list = try template.issue(chain.middle, chain.middleKey)
            #expect(Self.kind(chain, [list]) == nil)
            #expect(Self.kind(chain, [list], .hard) == .revocationUnknown(.nothingKnown))
        }
    }

    @Test func `a list for users is not about an authority`() throws {
        let chain = try Self.chain()
        let leafs = try ListTemplate().issue(chain.middle, chain.middleKey)
        var template = ListTemplate()
        template.keyIdentifier = []
        #expect(Self.kind(chain, [leafs, try template.issue(chain.root, chain.rootKey)], .hard) == nil)
        template.more = DERWriting.field(
            "2.5.29.28", critical: true, DERWriting.sequence(DERWriting.tagged(1, [0xFF], constructed: false)))
        let users = try template.issue(chain.root, chain.rootKey)
        #expect(Self.kind(chain, [leafs, users], .hard) == .revocationUnknown(.nothingKnown))
    }

    @Test func `a list for the point that the certificate names is about it`() throws {
        var fixture = TrustFixture()
        fixture.middle.set("keyUsage", "critical,keyCertSign,cRLSign")
        fixture.middle.set("subjectKeyIdentifier", "hash")
        fixture.leaf.set("crlDistributionPoints", "URI:http://a.example/l")
        let chain = try fixture.chain()
        let point = DERWriting.tagged(
            0, DERWriting.tagged(0, DERWriting.tagged(6, Array("http://a.example/l".utf8), constructed: false)))
        var template = ListTemplate(entries: [(Self.serial, [])])
        template.more = DERWriting.field("2.5.29.28", critical: true, DERWriting.sequence(point))
        let list = try template.issue(chain.middle, chain.middleKey)
        #expect(Self.kind(chain, [list]) == .revoked(at: TrustFixture.now - 7_200, reason: nil))
    }

    @Test func `every truncation of a list is no list`() throws {
        let chain = try Self.chain()
        let list = try ListTemplate(entries: [(Self.serial, [])]).issue(chain.middle, chain.middleKey)
        for count in list.indices { #expect(RevocationList(der: Array(list.prefix(count))) == nil) }
        #expect(RevocationList(der: list + [0]) == nil)
    }
}
