import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Testing

@Suite struct ManagedConfigurationTests {
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
            ("{ \"alowedServers\": [], \"allowedServers\": [] }", "alowedServers", "allowedServers"),
            ("{ \"appLock\": { \"idle\": 60 } }", "appLock.idle", "idleSeconds"),
            ("{ \"appLock\": { \"minimum\": 6 } }", "appLock.minimum", nil),
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
        // Otherwise complete: what is missing is the one problem, and not an approval that is left out in silence.
        (
            "{ \"preApproved\": [{ \"host\": \"a.example\", \"key\": \"\(pin)\", \"expires\": 1 }] }",
            "preApproved[0].failures"
        ),
        (
            "{ \"preApproved\": [{ \"host\": \"a.example\", \"key\": \"\(pin)\", \"failures\": [] }] }",
            "preApproved[0].expires"
        ),
        ("{ \"transparency\": [\"https://a\"] }", "transparency[0]"),
        ("{ \"transparencyLogs\": \"/etc/pavise/log_list.json\" }", "transparencyLogs"),
        ("{ \"transparencyLogs\": { \"operators\": [{ \"logs\": [] }] } }", "transparencyLogs"),
        (
            "{ \"transparencyLogs\": { \"operators\": [{ \"name\": \"a\", \"logs\": [{ \"key\": 7 }] }] } }",
            "transparencyLogs"
        ),
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
            #expect(problems.contains { $0.description.hasPrefix(place + ":") && $0.path == place }, "\(problems)")
        }
    }

    @Test func `that a system keeps is the same where it comes from the same place`() {
        func source() -> ManagedSource { ManagedSource("rules", ask: { nil }, write: { _ in }) }
        let (one, other) = (source(), source())
        #expect(ManagedFile(one) == ManagedFile(one) && ManagedFile(one) != ManagedFile(other))
        #expect(Set([ManagedFile(one), ManagedFile(one), ManagedFile(other), .none]).count == 3)
    }

    @Test func `cannot approve what nobody may`() {
        let hard: Set<TrustFailure> = [.blocked, .revoked, .weakKey, .weakSignature, .denied, .pinMismatch]
        for failure in TrustFailure.allCases {
            let text = """
                { "preApproved": [{ "host": "a.example", "key": "\(Self.pin)", "failures": ["\(failure.rawValue)"],
                                    "expires": 1 }] }
                """
            var places: [String] = []
            do throws(ManagedConfiguration.Failure) {
                _ = try read(text)
            } catch {
                places = error.problems.map(\.path)
            }
            #expect(places == (hard.contains(failure) ? ["preApproved[0].failures[0]"] : []), "\(failure)")
        }
    }

    @Test func `tells every place at once`() {
        do throws(ManagedConfiguration.Failure) {
            _ = try read("{ \"renewal\": 1, \"plainHTTP\": 2, \"denied\": 3 }")
            Issue.record("used")
        } catch { #expect(error.description.components(of: "expected") == 3) }
    }

    @Test(arguments: [
        (#"{ "allowedServer": ["*.example.org"] }"#, "allowedServer"),
        (#"{ "AllowedServers": ["*.example.org"] }"#, "AllowedServers"),
        (#"{ "allowed-servers": [] }"#, "allowed-servers"),
        (#"{ "authentication": { "alowed": ["oidc"] } }"#, "authentication.alowed"),
        (#"{ "authentication": { "passwordServer": [] } }"#, "authentication.passwordServer"),
        // Far from the name by its letters, and near by what it says or holds.
        (#"{ "allowedHosts": ["a.example.org"] }"#, "allowedHosts"),
        (#"{ "permittedServers": ["a.example.org"] }"#, "permittedServers"),
        (#"{ "whitelist": ["a.example.org"] }"#, "whitelist"),
        (#"{ "servers": ["a.example.org"] }"#, "servers"),
        (#"{ "authentication": { "allowedMethods": ["oidc"] } }"#, "authentication.allowedMethods"),
        (#"{ "authentification": { "allowed": ["oidc"] } }"#, "authentification"),
        (#"{ "auth": { "passwordServers": [] } }"#, "auth"),
    ])
    func `with a list of what is allowed under a wrong name is not used: all would be allowed`(
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
            #expect(problems.map(\.code) == [.misspelt] && problems[0].path == place, "\(problems)")
            #expect(problems[0].description.hasPrefix("\(place): not known. Write "))
        }
    }

    @Test func `tells the keys that it does not know beside the values that it cannot use`() {
        let text = #"{"sesion":{}, "renewal": "never", "appLock":{"attempts":"five", "idle": 3}}"#
        let problems = #expect(throws: ManagedConfiguration.Failure.self) { try read(text) }?.problems ?? []
        #expect(
            problems.map(\.description) == [
                "renewal: expected one of alwaysAsk, sameIssuers, sameKey, validIsEnough.",
                "appLock.attempts: expected 3 to 10.", "The key “sesion” is not known. Did you mean “session”?",
                "The key “appLock.idle” is not known. Did you mean “idleSeconds”?",
            ])
        #expect(problems.map(\.code) == [.unusableValue, .unusableValue, .unknownKey, .unknownKey])
        #expect(problems.map(\.path) == ["renewal", "appLock.attempts", "sesion", "appLock.idle"])
    }

    @Test(
        arguments: [
            ("", .malformed(line: 1, column: 1)), ("[]", .noObject), ("7", .noObject),
            ("{", .malformed(line: 1, column: 2)),
            ("{\n  \"renewal\": \"sameKey\",\n  \"é\": x }", .malformed(line: 3, column: 8)),
            ("{ \"a\": 1 } more", .malformed(line: 1, column: 12)),
            ("{\"renewal\":\"sameKey\",\"renewal\":\"sameKey\"}", .repeated("renewal")),
            (String(repeating: "[", count: 20), .tooLarge),
        ] as [(String, ManagedConfiguration.Failure)])
    func `that cannot be read says where and why`(_ text: String, _ failure: ManagedConfiguration.Failure) {
        #expect(throws: failure) { try read(text) }
    }

    @Test func `that is no UTF-8 says where`() {
        let bytes = Array("{\n \"é".utf8) + [0xFF] + Array("\": 1 }".utf8)
        #expect(throws: ManagedConfiguration.Failure.malformed(line: 2, column: 4)) {
            try ManagedConfiguration(json: bytes)
        }
    }

    @Test(arguments: [("{}", true), (#"{"anchors":"system"}"#, false), (#"{"userApproval":"forbidden"}"#, false)])
    func `says whether authorities of the environment count`(_ text: String, _ areTaken: Bool) throws {
        #expect(try read(text).trust.takesNamedAuthorities == areTaken)
    }

    @Test func `beyond its bounds is refused`() {
        let long =
            "{ \"denied\": { \"issuers\": [" + Array(repeating: "\"a\"", count: 10_001).joined(separator: ",") + "] } }"
        #expect(throws: ManagedConfiguration.Failure.self) { try read(long) }
        let large = "{ \"x\": \"" + String(repeating: "a", count: ManagedConfiguration.limit) + "\" }"
        #expect(throws: ManagedConfiguration.Failure.tooLarge) { try read(large) }
    }
}

extension String {
    fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
