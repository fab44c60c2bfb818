import PavisePrimitives
import PaviseTransport
import Testing

@Suite struct `A managed configuration` {
    private static let pin = Base64.encode([UInt8](repeating: 1, count: 32))
    private static let backup = Base64.encode([UInt8](repeating: 2, count: 32))
    private static let digest = Hex.encode([UInt8](repeating: 3, count: 32))

    private func read(_ text: String) throws(ManagedConfiguration.Failure) -> ManagedConfiguration {
        try ManagedConfiguration(json: Array(text.utf8))
    }

    @Test func `says all that management can say`() throws {
        let read = try read(
            """
            { "allowedServers": ["cloud.example.org", "*.example.org:8443"],
              "preApproved": [{ "host": "old.example.org", "port": 8443, "key": "\(Self.pin)",
                                "failures": ["selfSigned", "expired"], "expires": 2000000000 }],
              "requiredPins": [{ "hosts": ["cloud.example.org"], "subdomains": "oneLabel",
                                 "leaf": ["\(Self.pin)", "\(Self.backup)"], "expires": 1900000000,
                                 "afterExpiry": "ignorePins" }],
              "denied": { "keys": ["\(Self.backup)"], "certificates": ["\(Self.digest)"], "issuers": ["CN=bad"] },
              "plainHTTP": "warn", "renewal": "alwaysAsk", "userApproval": "onlySelfSigned",
              "transparency": ["cloud.example.org"] }
            """)
        let trust = read.trust
        #expect(read.unknownKeys.isEmpty)
        #expect(trust.allowedServers?.map(\.description) == ["cloud.example.org", "*.example.org:8443"])
        let approval = try #require(trust.preApproved.first)
        #expect(approval.host == "old.example.org" && approval.port == 8443 && approval.expires == 2_000_000_000)
        #expect(approval.failures == [.selfSigned, .expired] && approval.key?.base64 == Self.pin)
        let pins = try #require(trust.requiredPins.first)
        #expect(pins.subdomains == .oneLabel && pins.afterExpiry == .ignorePins && pins.leaf.count == 2)
        #expect(pins.enforcement == .enforced)
        #expect(trust.denied.keys.map(\.base64) == [Self.backup])
        #expect(trust.denied.certificates.map(\.hex) == [Self.digest] && trust.denied.issuers == ["CN=bad"])
        #expect(!trust.forbidsPlainHTTP && trust.renewal == .alwaysAsk && trust.personApproval == .onlySelfSigned)
        #expect(trust.transparentHosts == ["cloud.example.org"])
    }

    @Test func `that says nothing forbids plain http alone`() throws {
        #expect(try read("{}").trust == ManagedTrust(forbidsPlainHTTP: true))
    }

    @Test(
        arguments: [
            ("{ \"allowedServer\": [] }", "allowedServer", "allowedServers"),
            ("{ \"denied\": { \"key\": [] } }", "denied.key", "keys"),
            ("{ \"PlainHTTP\": \"warn\" }", "PlainHTTP", "plainHTTP"),
            ("{ \"somethingElse\": 1 }", "somethingElse", nil),
        ] as [(String, String, String?)])
    func `reports a key that it does not know, with the nearest that it does`(
        _ text: String, _ path: String, _ nearest: String?
    ) throws {
        let found = try read(text).unknownKeys
        #expect(found.map(\.path) == [path])
        #expect(found.first?.nearest == nearest)
    }

    // A rule that was meant to tighten must not disappear because of a slip.
    @Test(arguments: [
        ("{ \"plainHTTP\": \"Forbidden\" }", "plainHTTP"), ("{ \"plainHTTP\": true }", "plainHTTP"),
        ("{ \"allowedServers\": \"cloud.example.org\" }", "allowedServers"),
        ("{ \"allowedServers\": [\"https://cloud.example.org\"] }", "allowedServers[0]"),
        ("{ \"allowedServers\": [\"a.example\", 7] }", "allowedServers[1]"),
        ("{ \"renewal\": null }", "renewal"), ("{ \"userApproval\": \"never\" }", "userApproval"),
        ("{ \"denied\": [] }", "denied"), ("{ \"denied\": { \"keys\": [\"AAAA\"] } }", "denied.keys[0]"),
        ("{ \"requiredPins\": [{ \"hosts\": [\"a.example\"] }] }", "requiredPins[0]"),
        ("{ \"requiredPins\": [{ \"hosts\": [\"A.example\"], \"leaf\": [] }] }", "requiredPins[0].hosts[0]"),
        ("{ \"requiredPins\": [7] }", "requiredPins[0]"),
        ("{ \"preApproved\": [{ \"host\": \"a.example\", \"failures\": [], \"expires\": 1 }] }", "preApproved[0]"),
        ("{ \"preApproved\": [{ \"host\": \"a.example\", \"port\": 70000 }] }", "preApproved[0].port"),
        ("{ \"transparency\": [\"https://a\"] }", "transparency[0]"),
    ])
    func `with a value that cannot be used is not used at all, and the place is told`(
        _ text: String, _ place: String
    ) {
        do throws(ManagedConfiguration.Failure) {
            _ = try read(text)
            Issue.record("used")
        } catch {
            guard case .unusable(let problems) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(problems.contains { $0.hasPrefix(place + ":") }, "\(problems)")
        }
    }

    @Test func `cannot approve what nobody may`() {
        for failure in TrustFailure.allCases where failure.isHard {
            #expect(throws: ManagedConfiguration.Failure.self) {
                try read(
                    """
                    { "preApproved": [{ "host": "a.example", "key": "\(Self.pin)", "failures": ["\(failure.rawValue)"],
                                        "expires": 1 }] }
                    """)
            }
        }
    }

    @Test func `tells every place at once`() {
        do throws(ManagedConfiguration.Failure) {
            _ = try read("{ \"renewal\": 1, \"plainHTTP\": 2, \"denied\": 3 }")
            Issue.record("used")
        } catch { #expect(error.description.components(of: "expected") == 3) }
    }

    @Test(arguments: ["", "[]", "7", "{", "{\"renewal\":\"sameKey\",\"renewal\":\"sameKey\"}"])
    func `that is no object is unreadable`(_ text: String) {
        #expect(throws: ManagedConfiguration.Failure.unreadable) { try read(text) }
    }

    @Test func `beyond its bounds is refused`() {
        let long =
            "{ \"denied\": { \"issuers\": [" + Array(repeating: "\"a\"", count: 10_001).joined(separator: ",") + "] } }"
        #expect(throws: ManagedConfiguration.Failure.self) { try read(long) }
        let large = "{ \"x\": \"" + String(repeating: "a", count: ManagedConfiguration.limit) + "\" }"
        #expect(throws: ManagedConfiguration.Failure.unreadable) { try read(large) }
    }
}

extension String {
    fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
