import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

private func pin(_ byte: UInt8) throws -> Pin { try #require(Pin(Base64.encode([UInt8](repeating: byte, count: 32)))) }

private func digest(_ byte: UInt8) throws -> CertificateDigest {
    try #require(CertificateDigest(Hex.encode([UInt8](repeating: byte, count: 32))))
}

@Suite struct `Pins of whole certificates` {
    @Test(arguments: [
        ("AA:BB" + String(repeating: ":00", count: 30), true), (String(repeating: "ab", count: 32), true),
        (String(repeating: "AB", count: 32), true), ("", false), (String(repeating: "a", count: 63), false),
        (String(repeating: "g", count: 64), false), (String(repeating: "a", count: 65), false),
    ])
    func `are 32 bytes of hexadecimal`(_ text: String, _ isOne: Bool) {
        #expect((CertificateDigest(text) != nil) == isOne)
    }

    @Test func `match the certificate, and a pin of the key beside them is enough`() throws {
        let set = try PinSet(hosts: ["a.example"], leaf: [pin(1)], leafCertificates: [digest(9)])
        func match(_ key: UInt8, _ certificate: UInt8) throws -> PinMatch {
            PinSet.match(
                [set], host: "a.example", path: [try pin(key)], certificates: [try digest(certificate)], at: 0)
        }
        #expect(try match(1, 2) == .matched)
        #expect(try match(2, 9) == .matched)
        #expect(try match(2, 1) != .matched)
        let above = try PinSet(hosts: ["a.example"], authorityCertificates: [digest(8), digest(9)])
        func matchAbove(_ path: [UInt8]) throws -> PinMatch {
            PinSet.match(
                [above], host: "a.example", path: try path.map(pin), certificates: try path.map(digest), at: 0)
        }
        #expect(try matchAbove([1, 9]) == .matched)
        #expect(try matchAbove([9]) != .matched)
        #expect(try matchAbove([9, 1]) != .matched)
    }

    @Test func `stop a renewed certificate with the same key`() async throws {
        let lab = try TestLab()
        let own = try #require(CertificateDigest(lab.identity.fingerprint))
        var policy = lab.client.policy
        policy.pins = [try PinSet(hosts: ["localhost"], leafCertificates: [own], backup: .notRequired)]
        lab.client.use(policy)
        #expect(try await lab.get().status == 200)
        try lab.server.use(try lab.authority.renew(lab.identity))
        lab.server.dropConnections()
        let before = lab.server.counters.applicationBytes
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.pinMismatch])
        #expect(lab.server.counters.applicationBytes == before)
    }
}

@Suite struct `Pins that only report` {
    @Test func `let the request go, and say what would have been refused`() async throws {
        let lab = try TestLab()
        let found = Mutex<[PinReport]>([])
        let set = try PinSet(
            hosts: ["localhost"], leaf: [pin(1), pin(2)], expires: 1 << 40, enforcement: .reportOnly)
        let client = try HTTPClient(
            policy: TrustPolicy(anchors: .only([lab.authority.anchor]), pins: [set]),
            options: ClientOptions(pinReports: { report in found.withLock { $0.append(report) } }))
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        let report = try #require(found.withLock { $0.first })
        #expect(!report.isEnforced)
        #expect(report.result == .noMatchingPin)
        #expect(report.path.first?.base64 == lab.identity.pin)
        let text = report.json(from: .init(application: "org.example", version: "1"))
        for part in [
            "\"noted-hostname\":\"localhost\"", "\"enforce-pinning\":false", "\"validation-result\":1",
            "pin-sha256=\\\"AQEB", "-----BEGIN CERTIFICATE-----", "\"include-subdomains\":false",
            "\"app-bundle-id\":\"org.example\"", "\"date-time\":\"20",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `say nothing when they match, and enforced ones report as well`() throws {
        let chain = EvaluatedChain(failures: [], path: [try pin(1)], summary: nil)
        let origin = Origin("https://a.example")
        let fits = try PinSet(hosts: ["a.example"], leaf: [pin(1), pin(2)], enforcement: .reportOnly)
        let not = try PinSet(hosts: ["a.example"], subdomains: .all, leaf: [pin(3), pin(4)])
        #expect(PinSet.reports([fits], on: chain, at: origin, seconds: 0).isEmpty)
        let report = try #require(PinSet.reports([fits, not], on: chain, at: origin, seconds: 0).first)
        #expect(report.isEnforced)
        #expect(report.includesSubdomains)
        #expect(report.notedHost == "a.example")
    }

    @Test func `and those that are enforced say nothing of a server that another set lets through`() throws {
        let chain = EvaluatedChain(failures: [], path: [try pin(1)], summary: nil)
        let origin = Origin("https://a.example")
        let fits = try PinSet(hosts: ["a.example"], leaf: [pin(1), pin(2)])
        let not = try PinSet(hosts: ["a.example"], leaf: [pin(3), pin(4)])
        let trial = try PinSet(hosts: ["a.example"], leaf: [pin(5), pin(6)], enforcement: .reportOnly)
        let joined = PinSet.reports([fits, not, trial], on: chain, at: origin, seconds: 0)
        #expect(joined.map(\.isEnforced) == [false])
        #expect(joined.first?.knownPins == trial.leaf)
        // An administrator's pins are compared apart: the app's own do not do for them.
        var policy = TrustPolicy(pins: [fits, trial])
        policy.managed.requiredPins = [not]
        let reports = policy.pinReports(on: chain, at: origin, seconds: 0)
        #expect(reports.map(\.isEnforced) == [false, true])
        #expect(!policy.decide(on: chain, at: origin, seconds: 0).isAllowed)
    }

    @Test func `are sent once a day`() throws {
        let chain = EvaluatedChain(failures: [], path: [try pin(1)], summary: nil)
        let set = try PinSet(hosts: ["a.example"], leaf: [pin(3), pin(4)])
        func report(_ seconds: Int64) throws -> PinReport {
            try #require(PinSet.reports([set], on: chain, at: Origin("https://a.example"), seconds: seconds).first)
        }
        var limit = PinReportLimit()
        let first = limit.admits(try report(0))
        let second = limit.admits(try report(86_399))
        let third = limit.admits(try report(86_400))
        #expect(first && !second && third)
        // A clock that was ten years ahead silences nobody when it is right again.
        var ahead = PinReportLimit()
        let early = ahead.admits(try report(315_360_000))
        let now = ahead.admits(try report(0))
        #expect(early && now)
    }
}

@Suite struct `Pins of an Info plist` {
    private func plist(_ pins: String, _ top: String = "") -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>\
            <plist version="1.0"><dict>\(top)<key>NSAppTransportSecurity</key><dict>\
            <key>NSPinnedDomains</key><dict>\(pins)</dict></dict></dict></plist>
            """.utf8)
    }

    private static func list(_ kind: String, _ bytes: [UInt8]) -> String {
        let items = bytes.map {
            "<dict><key>SPKI-SHA256-BASE64</key><string>"
                + Base64.encode([UInt8](repeating: $0, count: 32)) + "</string></dict>"
        }
        return "<key>\(kind)</key><array>\(items.joined())</array>"
    }

    static let leaf = "NSPinnedLeafIdentities"
    static let authority = "NSPinnedCAIdentities"
    static let below = "<key>NSIncludesSubdomains</key><true/>"

    struct Row: Sendable {
        var entry: String
        var host = "a.example"
        var path: [UInt8] = [1, 2, 3]
        /// `nil` for not pinned.
        var fits: Bool?
        var top = ""
    }

    @Test(arguments: [
        Row(entry: list(leaf, [1]), fits: true), Row(entry: list(leaf, [2]), fits: false),
        Row(entry: list(authority, [3]), fits: true), Row(entry: list(authority, [1]), fits: false),
        Row(entry: list(authority, [1]), path: [1], fits: false),
        Row(entry: list(leaf, [1]) + list(authority, [2]), fits: true),
        Row(entry: list(leaf, [1]) + list(authority, [9]), fits: false),
        Row(entry: list(leaf, [9]) + list(authority, [2]), fits: false),
        Row(entry: list(leaf, []), fits: false), Row(entry: list(authority, []), fits: false),
        Row(entry: "<key>\(leaf)</key><string>x</string>", fits: false),
        Row(entry: "<key>\(leaf)</key><array><string>x</string></array>", fits: false),
        Row(entry: "", fits: nil), Row(entry: below, fits: nil),
        Row(entry: list(leaf, [1]), host: "A.Example.", fits: true),
        Row(entry: list(leaf, [1]), host: "b.a.example", fits: nil),
        Row(entry: list(leaf, [1]) + below, host: "b.a.example", fits: true),
        Row(entry: list(leaf, [1]) + below, host: "c.b.a.example", fits: nil),
        Row(
            entry: list(leaf, [1]) + "<key>NSIncludesSubdomains</key><integer>1</integer>", host: "b.a.example",
            fits: nil),
        Row(entry: list(leaf, [9]), host: "other.example", fits: nil),
        Row(
            entry: list(leaf, []) + list(authority, []), fits: nil, top: "<key>SecTrustPinningRequired</key><true/>"),
        Row(entry: list(leaf, []) + list(authority, []), fits: false),
        Row(entry: list(leaf, []), fits: false, top: "<key>SecTrustPinningRequired</key><true/>"),
    ])
    func `mean what they mean on Apple's systems`(_ row: Row) throws {
        let bytes = plist("<key>a.example</key><dict>\(row.entry)</dict>", row.top)
        let domains = try PinnedDomains(infoPlist: bytes)
        let match = domains.match(host: row.host, path: try row.path.map(pin))
        switch row.fits {
        case nil: #expect(match == .notPinned)
        case true?: #expect(match == .matched)
        case false?:
            guard case .mismatch = match else {
                Issue.record("\(match)")
                return
            }
        }
    }

    @Test func `of a name with a dot at its end hold for the name without it, unless that has its own`() throws {
        let domains = PinnedDomains(["A.example.": .init(includesSubdomains: true, leaf: [[1]])])
        for host in ["a.example", "a.example.", "b.a.example"] {
            #expect(domains.match(host: host, path: [try pin(2)]) != .notPinned, "\(host)")
        }
        for _ in 0..<20 {
            let both = PinnedDomains([
                "a.example.": .init(leaf: [[UInt8](repeating: 1, count: 32)]),
                "a.example": .init(leaf: [[UInt8](repeating: 2, count: 32)]),
            ])
            #expect(both.entries == ["a.example": .init(leaf: [[UInt8](repeating: 2, count: 32)])])
        }
    }

    @Test func `are joined when the host and its parent have entries`() throws {
        let domains = try PinnedDomains(
            infoPlist: plist(
                "<key>a.example</key><dict>\(Self.list(Self.leaf, [1]))\(Self.below)</dict>"
                    + "<key>b.a.example</key><dict>\(Self.list(Self.leaf, [2]))</dict>"))
        #expect(domains.match(host: "b.a.example", path: [try pin(1)]) == .matched)
        #expect(domains.match(host: "b.a.example", path: [try pin(2)]) == .matched)
        #expect(domains.match(host: "b.a.example", path: [try pin(3)]) != .matched)
    }

    @Test func `stop a man in the middle, and make no certificate trusted`() async throws {
        let lab = try TestLab()
        var policy = lab.client.policy
        let own = try #require(Base64.decode(lab.identity.pin))
        policy.pinnedDomains = PinnedDomains(["LOCALHOST": .init(leaf: [own])])
        lab.client.use(policy)
        #expect(try await lab.get().status == 200)
        try lab.server.use(try lab.authority.issue())
        lab.server.dropConnections()
        let before = lab.server.counters.applicationBytes
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.pinMismatch])
        #expect(lab.server.counters.applicationBytes == before)
        policy.anchors = .only([])
        lab.client.use(policy)
        try lab.server.use(lab.identity)
        let untrusted = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted = untrusted else {
            Issue.record("\(String(describing: untrusted))")
            return
        }
    }
}
