import Foundation
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Testing

/// A rule about hosts, and whether it meets the server of an address.
private struct HostRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let meets: @Sendable (WebURL) throws -> Bool

    init(_ name: String, _ meets: @escaping @Sendable (WebURL) throws -> Bool) {
        testDescription = name
        self.meets = meets
    }
}

private let pins = (1...2).compactMap { Pin(Base64.encode([UInt8](repeating: $0, count: 32))) }

private let summary = CertificateSummary(
    subject: "CN=a", names: [], issuer: "CN=a", notBefore: 0, notAfter: 1_000, key: "EC", signature: "ECDSA",
    serial: "1",
    fingerprint: String(repeating: "ab", count: 32), spki: pins[0].base64)

private func approval(of origin: Origin) throws -> CertificateApproval {
    let refusal = CertificateRefusal(failures: [.selfSigned], summary: summary, canBeApproved: true)
    return try #require(CertificateApproval(of: refusal, origin: origin, at: 0))
}

private func isEverywhereDemanded(_ policy: TrustPolicy, _ url: WebURL) -> Bool {
    policy.transparencyDemand(host: url.origin.host, timestamps: [])?.scope == .everyServer
}

// Each is written for the host in its one spelling.
private func rules(for name: String) throws -> [HostRule] {
    let text = name.contains(":") ? "[\(name)]" : name
    let own = try WebURL("https://\(text)/").origin
    let set = try PinSet(hosts: [name], leaf: Set(pins))
    let given = try approval(of: own)
    let pattern = try #require(ServerPattern(text))
    let managed = try ManagedConfiguration(json: Array(#"{"transparency":["\#(name)"]}"#.utf8)).trust
    return [
        HostRule("managed transparency") { isEverywhereDemanded(TrustPolicy(managed: managed), $0) },
        HostRule("transparency of an app") {
            let logs = TransparencyPolicy(logs: [], date: nil, requiredHosts: [name])
            return isEverywhereDemanded(TrustPolicy(transparency: logs), $0)
        },
        HostRule("pins") { set.covers($0.origin.host) },
        HostRule("pins of an Info.plist") {
            let domains = PinnedDomains([name: .init(leaf: [[1]])])
            return domains.match(host: $0.origin.host, path: []) != .notPinned
        },
        HostRule("approval of a person") { given.covers(pins[0], failures: [.selfSigned], at: $0.origin, seconds: 1) },
        HostRule("allowed servers") { pattern.covers($0.origin) },
        HostRule("approval by management") { url in
            let approval = ManagedTrust.Approval(host: name, key: pins[0], failures: [.selfSigned], expires: 10)
            let policy = TrustPolicy(managed: ManagedTrust(preApproved: [approval]))
            let chain = EvaluatedChain(failures: [.selfSigned], path: pins, summary: summary)
            return policy.decide(on: chain, at: url.origin, seconds: 1).isAllowed
        },
        HostRule("known server") { [own: true][$0.origin] == true },
        HostRule("exception of App Transport Security") { url in
            let excepted = ATSConfiguration(exceptions: [name: ATSException(allowsInsecureHTTPLoads: true)])
            let plain = Origin(scheme: .http, host: url.origin.host, port: 80)
            return ATSDecision(plain, isDirect: false, configuration: excepted).isAllowed
        },
        HostRule("no proxy") {
            let rules = ProxyRules.environment(["https_proxy": "http://127.0.0.1:3128", "no_proxy": text])
            return rules.way(to: $0.origin) == .direct
        },
        HostRule("cookie's domain") { Cookie("a=b; Domain=\(name)", from: $0, at: 0) != nil },
        HostRule("cookies that were kept") {
            let jar = CookieJar()
            var fields = HTTPFields()
            fields.append("Set-Cookie", "a=b")
            jar.store(fields, from: WebURL(of: own), at: 0)
            return jar.cookies(for: $0, at: 0).count == 1
        },
    ]
}

@Suite struct HostSpellingTests {
    private static let names = [
        "https://cloud.test/", "https://cloud.test./", "https://CLOUD.Test/", "https://Cloud.TEST.:443/x",
    ]
    private static let addresses = [
        "https://[2001:db8::1:0:0:1]/", "https://[2001:DB8:0:0:1:0:0:1]/", "https://[2001:0db8::0001:0:0:1]/",
        "https://[2001:db8:0:0:1::1]:443/",
    ]

    @Test(arguments: names)
    func `all rules see the same server, however its name is written`(_ text: String) throws {
        let url = try WebURL(text)
        #expect(url.origin.host == "cloud.test")
        for rule in try rules(for: "cloud.test") { #expect(try rule.meets(url), "\(rule.testDescription): \(text)") }
        for rule in try rules(for: "other.test") { #expect(try !rule.meets(url), "\(rule.testDescription): \(text)") }
        let known = HSTSStore([.init(host: "Cloud.test.", expires: 9, includesSubdomains: false)])
        #expect(known.covers(url.origin.host, at: 1))
    }

    @Test(arguments: addresses)
    func `all rules see the same server, however its address is written`(_ text: String) throws {
        let url = try WebURL(text)
        #expect(url.origin.host == "2001:db8::1:0:0:1")
        for rule in try rules(for: "2001:db8::1:0:0:1") {
            #expect(try rule.meets(url), "\(rule.testDescription): \(text)")
        }
        for rule in try rules(for: "2001:db8::2") { #expect(try !rule.meets(url), "\(rule.testDescription): \(text)") }
    }

    @Test(arguments: ["2001:DB8:0:0:1:0:0:1", "2001:0db8::0001:0:0:1"])
    func `a rule for an address may be written in another spelling`(_ text: String) throws {
        let url = try WebURL("https://[2001:db8::1:0:0:1]/")
        for rule in try rules(for: text) where !rule.testDescription.contains("cookie's") {
            #expect(try rule.meets(url), "\(rule.testDescription)")
        }
    }

    @Test(arguments: [
        ("Cloud.Test", "cloud.test"), ("cloud.test.", "cloud.test"), ("*.Example.Org.:8443", "*.example.org:8443"),
        ("[2001:DB8:0::1]", "[2001:db8::1]"), ("cloud.test:443", "cloud.test"),
    ])
    func `a pattern of servers is kept in the one spelling`(_ text: String, _ kept: String) {
        #expect(ServerPattern(text)?.description == kept)
    }

    @Test(arguments: [
        "cloud.test/", "cloud.test/x", "cloud.test?x", "cloud.test#x", "cloud.test..", "a@cloud.test", "", "*.",
    ])
    func `what is no server is no pattern`(_ text: String) { #expect(ServerPattern(text) == nil) }

    @Test func `an origin that was stored in another spelling is read in the one of today`() throws {
        let stored = #"{"scheme":"https","host":"Cloud.Test.","port":443}"#
        let origin = try JSONDecoder().decode(Origin.self, from: Data(stored.utf8))
        #expect(try origin == WebURL("https://cloud.test/").origin)
        let again = try JSONDecoder().decode(Origin.self, from: JSONEncoder().encode(origin))
        #expect(again == origin)
    }
}

@Suite struct InternationalLabelTests {
    @Test(arguments: [
        "xn--bcher-kva", "xn--fiqs8s", "xn--80akhbyknj4f", "xn--mgberp4a5d4ar", "xn--p1ai", "xn--strae-oqa",
        "xn--tda", "xn--zckzah", "XN--BCHER-KVA", "xn--hgbk6aj7f53bba", "xn--wgv71a119e",
    ])
    func `is taken in its one ASCII form`(_ label: String) throws {
        #expect(try WebURL("https://\(label).example/").origin.host == "\(label.lowercased()).example")
    }

    // Nothing behind the prefix; ASCII in disguise; digits that run out or over; a character that no label holds. Then
    // capital, full-width and folded letters, combining marks first or not composed, dots, slashes, invisible signs,
    // signs of direction, symbols, a hyphen at an end.
    @Test(arguments: [
        "xn--", "xn---", "xn--a", "xn--abc-", "xn--99999999", "xn--a-",
        "xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "xn--bcher-kva_", "xn--b-jfa", "xn--mi7c",
        "xn--a-wbb", "xn--a-xbb", "xn--ab-r13a", "xn--ab-c6t", "xn--ab-g1t", "xn--ab-j1t", "xn--ab-g4t", "xn--n3h",
        "xn--ls8h", "xn--jm6c", "xn--a-vca", "xn----dha", "xn----eha", "xn--e5g", "xn--wca", "xn--zug", "xn--a-ufo",
        "xn--6g7c", "xn--acom-q89x", "xn--w9g",
    ])
    func `is refused in any other form`(_ label: String) {
        #expect(throws: WebURL.Problem.self) { try WebURL("https://\(label).example/") }
        #expect(throws: WebURL.Problem.self) { try WebURL("https://www.\(label)/") }
    }
}
