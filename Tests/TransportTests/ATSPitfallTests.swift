import PaviseTransport
import Testing

/// The ten configurations of Documentation/AppTransportSecurity.md, with the answers that stand there.
@Suite struct `ATS configurations that people get wrong` {
    private func decide(
        _ address: String, _ keys: String, mode: ATSMode = .current, profile: ATSProfile = .current
    ) throws -> ATSDecision {
        let list = "<plist><dict><key>NSAppTransportSecurity</key><dict>\(keys)</dict></dict></plist>"
        let configuration = try ATSConfiguration(infoPlist: Array(list.utf8))
        let origin = try WebURL(address).origin
        return ATSDecision(
            origin, isDirect: origin.isDirectByName, configuration: configuration, mode: mode, profile: profile)
    }

    private func flag(_ name: String, _ value: Bool) -> String { "<key>\(name)</key><\(value)/>" }
    private func entries(_ all: (String, String)...) -> String {
        let text = all.map { "<key>\($0.0)</key><dict>\($0.1)</dict>" }.joined()
        return "<key>NSExceptionDomains</key><dict>\(text)</dict>"
    }
    private var insecure: String { flag("NSExceptionAllowsInsecureHTTPLoads", true) }
    private var open: String { flag("NSAllowsArbitraryLoads", true) }

    @Test func `1: an empty entry is an island on which ATS is on`() throws {
        let keys = open + entries(("api.example.org", ""))
        let island = try decide("http://api.example.org", keys)
        #expect(!island.isAllowed)
        #expect(island.reasons.map(\.code) == ["exception-matches", "exception-blocks-http", "plain-http"])
        #expect(try decide("http://anything.else", keys).isAllowed)
    }

    @Test func `2: a narrow key that is false switches the wide one off`() throws {
        let decision = try decide("http://example.org", open + flag("NSAllowsArbitraryLoadsForMedia", false))
        #expect(!decision.isAllowed)
        #expect(decision.reasons.map(\.code) == ["arbitrary-loads-silenced", "plain-http"])
    }

    @Test func `3: local networking closes public hosts from iOS 10 on`() throws {
        let keys = open + flag("NSAllowsLocalNetworking", true)
        #expect(
            try decide("http://example.org", keys).reasons.map(\.code) == ["arbitrary-loads-silenced", "plain-http"])
        #expect(try decide("http://example.org", keys, mode: .ios9).isAllowed)
        #expect(try decide("http://printer.local", keys).isAllowed)
    }

    @Test func `4: a string is no Boolean, and neither is the number 2`() throws {
        for (value, isAllowed) in [
            ("<string>YES</string>", false), ("<integer>1</integer>", true), ("<integer>2</integer>", false),
        ] {
            #expect(
                try decide("http://example.org", "<key>NSAllowsArbitraryLoads</key>\(value)").isAllowed == isAllowed)
        }
    }

    @Test func `5: ports, schemes, stars and capitals never match`() throws {
        let keys = entries(
            ("*.example.org", insecure), ("a.example:8080", insecure), ("https://a.example", insecure),
            ("API.example.org", insecure))
        for address in ["http://api.example.org", "http://x.example.org", "http://a.example:8080"] {
            #expect(try decide(address, keys).reasons.map(\.code) == ["plain-http"])
        }
    }

    @Test func `6: insecure loads leave https under TLS 1,2 and the suites of ATS`() throws {
        let keys = entries(("old.example.org", insecure))
        #expect(try decide("http://old.example.org", keys).isAllowed)
        let https = try decide("https://old.example.org", keys)
        #expect(https.parameters.minimumTLSVersion == .tls12)
        #expect(https.parameters.requiresForwardSecrecy)
        #expect(https.parameters.mayLoosenTrust)
        #expect(https.reasons.map(\.code) == ["exception-matches", "trust-may-be-loosened", "https"])
    }

    @Test func `7: giving up forward secrecy keeps http blocked and TLS 1,2`() throws {
        let keys = entries(("old.example.org", flag("NSExceptionRequiresForwardSecrecy", false)))
        #expect(try !decide("http://old.example.org", keys).isAllowed)
        let https = try decide("https://old.example.org", keys)
        #expect(https.parameters.minimumTLSVersion == .tls12)
        #expect(https.parameters.cipherSuites()?.count == 17 && !https.parameters.mayLoosenTrust)
        #expect(https.reasons.map(\.code) == ["exception-matches", "forward-secrecy-waived", "https"])
    }

    @Test func `8: an unknown version leaves TLS 1,2`() throws {
        for (text, version) in [
            ("1.0", ATSVersion.tls12), ("TLSv1.0", .tls10), ("tlsv1.0", .tls12), ("TLSv1.3", .tls13),
        ] {
            let keys = entries(("old.example.org", "<key>NSExceptionMinimumTLSVersion</key><string>\(text)</string>"))
            #expect(try decide("https://old.example.org", keys).parameters.minimumTLSVersion == version)
        }
    }

    @Test func `9: the nearest name above that includes subdomains decides`() throws {
        let keys = entries(
            ("example.org", flag("NSIncludesSubdomains", true) + insecure), ("cdn.example.org", ""))
        #expect(try decide("http://a.b.example.org", keys).isAllowed)
        #expect(try !decide("http://a.b.example.org", keys, profile: .documented).isAllowed)
        #expect(try !decide("http://cdn.example.org", keys).isAllowed)
        #expect(try decide("http://x.cdn.example.org", keys).exception == "example.org")
    }

    @Test func `10: a range covers the world, or nothing`() throws {
        let keys = entries(("10.0.0.0/08", insecure))
        #expect(try decide("http://203.0.113.7", keys).isAllowed)
        let dead = entries(("192.168.100.128/25", insecure))
        #expect(try !decide("http://192.168.100.130", dead).isAllowed)
        #expect(try decide("http://192.168.100.130", dead, mode: .ios16).isAllowed)
    }
}
