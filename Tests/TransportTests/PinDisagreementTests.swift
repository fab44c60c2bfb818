import PavisePrimitives
import PaviseTransport
import Testing

/// The pins of an app and of its Info.plist, host by host.
@Suite struct PinDisagreementTests {
    private static func bytes(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
    private static func pin(_ number: UInt8) throws -> Pin { try #require(Pin(Base64.encode(bytes(number)))) }

    private func set(
        _ host: String = "a.example", leaf: [UInt8] = [], authority: [UInt8] = [],
        subdomains: PinSet.Subdomains = .none, expires: Int64? = nil, enforcement: PinSet.Enforcement = .enforced,
        certificates: Set<CertificateDigest> = []
    ) throws -> PinSet {
        try PinSet(
            hosts: [host], subdomains: subdomains, leaf: Set(leaf.map { try Self.pin($0) }),
            authority: Set(authority.map { try Self.pin($0) }), leafCertificates: certificates, expires: expires,
            enforcement: enforcement, backup: .notRequired)
    }

    private func domains(_ entries: [String: PinnedDomains.Entry]) -> PinnedDomains { PinnedDomains(entries) }
    private func entry(
        leaf: [UInt8]? = nil, authority: [UInt8]? = nil, subdomains: Bool = false
    ) -> PinnedDomains.Entry {
        PinnedDomains.Entry(
            includesSubdomains: subdomains, leaf: leaf.map { Set($0.map(Self.bytes)) },
            authority: authority.map { Set($0.map(Self.bytes)) })
    }

    private func differences(
        _ entries: [String: PinnedDomains.Entry], _ pins: [PinSet]
    ) -> [PinDisagreement.Difference] { domains(entries).disagreements(with: pins).map(\.difference) }

    @Test func `the same pins are no finding, whatever their order and however many sets say it`() throws {
        let list = ["A.example": entry(leaf: [1, 2], authority: [3], subdomains: true)]
        let whole = try set(leaf: [2, 1], authority: [3], subdomains: .oneLabel)
        #expect(differences(list, [whole]) == [])
        let parts = [
            try set(leaf: [1], authority: [3], subdomains: .oneLabel), try set(leaf: [2], subdomains: .oneLabel),
        ]
        #expect(differences(list, parts) == [])
        #expect(differences([:], []) == [])
        // An entry that demands nothing.
        #expect(differences(["b.example": entry()], []) == [])
    }

    @Test func `a host that one side alone pins is named`() throws {
        let found = domains(["b.example": entry(leaf: [1])]).disagreements(with: [try set(leaf: [1])])
        #expect(found.map(\.host) == ["a.example", "b.example"])
        #expect(found.map(\.difference) == [.onlyInApp, .onlyInInfoPlist])
        #expect(differences(["a.example": entry()], [try set(leaf: [1])]) == [.onlyInApp])
    }

    @Test func `a name that the other side covers by its subdomains is pinned by both`() throws {
        let parent = try set(leaf: [1], subdomains: .oneLabel)
        let both = ["a.example": entry(leaf: [1], subdomains: true), "b.a.example": entry(leaf: [1])]
        #expect(domains(both).disagreements(with: [parent]) == [])
        let list = ["a.example": entry(leaf: [1], subdomains: true)]
        #expect(domains(list).disagreements(with: [parent, try set("b.a.example", leaf: [1])]) == [])
        // Not below: two labels more.
        let deep = ["a.example": entry(leaf: [1], subdomains: true), "c.b.a.example": entry(leaf: [1])]
        let found = domains(deep).disagreements(with: [parent])
        #expect(found.map(\.host) == ["c.b.a.example"] && found.map(\.difference) == [.onlyInInfoPlist])
        // Other keys, and names below that one side covers alone.
        let other = domains(["b.a.example": entry(leaf: [2])]).disagreements(with: [parent])
        #expect(other.map(\.host) == ["a.example", "b.a.example"])
        let (one, two) = (try Self.pin(1), try Self.pin(2))
        #expect(other.map(\.difference) == [.onlyInApp, .leaf(onlyInInfoPlist: [two], onlyInApp: [one])])
        let wide = ["a.example": entry(leaf: [1], subdomains: true), "b.a.example": entry(leaf: [1], subdomains: true)]
        let below = domains(wide).disagreements(with: [parent])
        #expect(below.map(\.host) == ["b.a.example"] && below.map(\.difference) == [.subdomains])
    }

    @Test func `keys that differ are named on their side`() throws {
        let found = differences(["a.example": entry(leaf: [1, 2])], [try set(leaf: [2, 3], authority: [4])])
        let (one, three, four) = (try Self.pin(1), try Self.pin(3), try Self.pin(4))
        #expect(
            found == [
                .leaf(onlyInInfoPlist: [one], onlyInApp: [three]), .authority(onlyInInfoPlist: [], onlyInApp: [four]),
            ])
    }

    @Test func `what an Info.plist cannot say is told`() throws {
        let list = ["a.example": entry(leaf: [1])]
        #expect(differences(list, [try set(leaf: [1], subdomains: .oneLabel)]) == [.subdomains])
        #expect(
            differences(["a.example": entry(leaf: [1], subdomains: true)], [try set(leaf: [1], subdomains: .all)])
                == [.subdomains])
        #expect(differences(list, [try set(leaf: [1], expires: 5)]) == [.expires])
        let digest = try #require(CertificateDigest(String(repeating: "ab", count: 32)))
        #expect(differences(list, [try set(leaf: [1], certificates: [digest])]) == [.certificates])
    }

    @Test func `a digest that no key can have is told, also where only the Info.plist has the host`() throws {
        let broken = PinnedDomains.Entry(leaf: [[1, 2, 3]])
        #expect(differences(["a.example": broken], []) == [.onlyInInfoPlist, .unusableDigest])
    }

    @Test func `a set that only reports enforces nothing`() throws {
        let report = try set(leaf: [1], enforcement: .reportOnly)
        #expect(differences(["a.example": entry(leaf: [1])], [report]) == [.onlyInInfoPlist])
        #expect(differences([:], [report]) == [])
    }

    @Test func `an Info.plist is read and compared in one go`() throws {
        let plist = """
            <?xml version="1.0"?><plist \
            version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key>
            <dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key>
            <string>\(try Self.pin(1).base64)</string></dict></array></dict></dict></dict></dict></plist>
            """
        let list = try PinnedDomains(infoPlist: Array(plist.utf8))
        #expect(list.disagreements(with: [try set(leaf: [1])]) == [])
        let found = list.disagreements(with: [try set(leaf: [2])])
        let base64 = try Self.pin(1).base64
        #expect(found.count == 1 && found[0].description.contains(base64))
        // This program has no Info.plist.
        let own = try set(leaf: [1])
        #expect(try InfoPropertyList.pinDisagreements(with: [own]).map(\.difference) == [.onlyInApp])
    }
}
