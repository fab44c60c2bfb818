import PavisePrimitives
import PaviseTransport
import Testing

@Suite struct `App Transport Security` {
    private let remote = Origin(scheme: .http, host: "a.example", port: 80)

    @Test(arguments: [nil, true, false] as [Bool?], [nil, true, false] as [Bool?])
    func `never blocks https and by default blocks http`(_ arbitrary: Bool?, _ local: Bool?) {
        let configuration = ATSConfiguration(arbitraryLoads: arbitrary, localNetworking: local)
        let secure = Origin(scheme: .https, host: "a.example", port: 443)
        #expect(ATSDecision(secure, isDirect: false, configuration: configuration).isAllowed)
        let decision = ATSDecision(remote, isDirect: false, configuration: configuration)
        #expect(decision.isAllowed == (arbitrary == true && local == nil))
    }

    @Test func `lets direct targets through when the key is absent, and Pavise's own client does not`() {
        #expect(ATSDecision(remote, isDirect: true, configuration: .absent).isAllowed)
        #expect(!ATSDecision(remote, isDirect: true, configuration: .strict).isAllowed)
        #expect(ATSDecision(remote, isDirect: true, configuration: .strict).reasons == [.plainHTTP])
    }

    @Test func `reads a narrow key as an answer even when it is false`() {
        let silenced = ATSConfiguration(arbitraryLoads: true, media: false)
        #expect(!ATSDecision(remote, isDirect: false, configuration: silenced).isAllowed)
        #expect(
            ATSDecision(remote, isDirect: false, configuration: silenced).reasons
                == [.narrowKeySilencesArbitraryLoads, .plainHTTP])
        let media = ATSConfiguration(media: true)
        #expect(ATSDecision(remote, isDirect: false, client: .media, configuration: media).isAllowed)
        #expect(!ATSDecision(remote, isDirect: false, client: .webContent, configuration: media).isAllowed)
        let web = ATSConfiguration(webContent: true)
        #expect(ATSDecision(remote, isDirect: false, client: .webContent, configuration: web).isAllowed)
    }

    @Test(arguments: [
        ("localhost", true), ("printer", true), ("nas.local", true), ("nas.local.", true), ("127.0.0.1", true),
        ("127.9.9.9", true),
        ("::1", true), ("fe80::1", true), ("a.example", false), ("203.0.113.1", false), ("fe00::1", false),
        ("2001:db8::", false),
        ("127.evil.example", false), ("local.evil", false),
    ])
    func `knows which names are direct`(_ host: String, _ isDirect: Bool) {
        #expect(Origin(scheme: .http, host: host, port: 80).isDirectByName == isDirect)
    }

    @Test(arguments: [
        ("10/8", "10.1.2.3", true), ("10/8", "11.1.2.3", false), ("198.51.100/24", "198.51.100.7", true),
        ("198.51.100.7/24", "198.51.100.200", true), ("0.0.0.0/0", "203.0.113.9", true), ("::/0", "203.0.113.9", false),
        ("2001:db8/32", "2001:db8::1", true), ("2001:db8/32", "2001:db9::1", false),
        ("2001:db8::/32", "2001:0db8::7", true),
        ("127.0.0.1/32", "127.0.0.1", true), ("127.0.0.1/32", "127.0.0.2", false),
    ])
    func `an address range covers its addresses and no others`(_ range: String, _ address: String, _ isIn: Bool) throws
    {
        let number = try #require(ATSAddress(address))
        #expect(try #require(ATSAddressRange(range)).contains(number) == isIn)
    }

    @Test(arguments: [
        "192.168.100.128/25", "198.51.100.100/32", "2001:0db8:0000:0000:0000:0000:0000:0001/128", "fe80::1%eth0/64",
        "10.0.0.0/8x", "10.0.0.0/8/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "/8", "1.2.3.4.5/8", "example.org/8",
        "10.0.0.0/-1",
        "10.0.0.0/+8", "10..0/8", "10.0.0.0/99999999999999999999",
    ])
    func `what Apple's parser does not read is no range`(_ text: String) { #expect(ATSAddressRange(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/010", 8), ("10.0.0.0/08", 0), ("10.0.0.0/09", 0), ("10.0.0.0/00", 0), ("10.0.0.0/012", 10),
    ])
    func `a prefix that begins with zero is octal`(_ text: String, _ prefix: Int) {
        #expect(ATSAddressRange(text)?.prefix == prefix)
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7", "00.1.2.3", "1.2.3.04", "1.2.3.0004", "1.2.3.", ".1.2.3.4", "1..2.3", "1.2.3.4.",
        "1.2.3.4:5", "a.b.c.d", "1.2.3.-4", "+1.2.3.4",
        "12345::", "::g", "1:2:3:4:5:6:7::8:9", "::1.2.3", ":1::", "1:", "::ffff:1.2.3.4:5",
    ])
    func `what is no address is not read`(_ text: String) { #expect(ATSAddress(text) == nil) }

    @Test(arguments: [
        ("::", "0:0:0:0:0:0:0:0"), ("1::", "1:0:0:0:0:0:0:0"), ("::ffff:1.2.3.4", "::ffff:102:304"), ("a::B", "A::b"),
    ])
    func `an address has many texts`(_ one: String, _ other: String) {
        #expect(ATSAddress(one) != nil && ATSAddress(one) == ATSAddress(other))
    }

    @Test func `an entry is found whatever its length, by its own name and by names below`() throws {
        let label = String(repeating: "a", count: 40)
        for labels in 0...4 {
            let name = String(repeating: "\(label).", count: labels) + "example"
            let configuration = ATSConfiguration(exceptions: [name: ATSException(includesSubdomains: true)])
            for (host, depth) in [(name, 0), ("x.\(name)", 1), ("x.\(label).y.\(name)", 3)] {
                let decision = ATSDecision(
                    ATSTarget(host: host, isAddress: false, isDirect: false), scheme: .https,
                    configuration: configuration)
                #expect(decision.reasons.first == .exceptionMatches(key: name, labelsBelow: depth))
            }
            for host in ["x\(name)", "\(name).x", String(name.dropFirst())] {
                let decision = ATSDecision(
                    ATSTarget(host: host, isAddress: false, isDirect: false), scheme: .https,
                    configuration: configuration)
                #expect(decision.exception == nil)
            }
        }
    }

    @Test(arguments: [
        ("192.0.2.1", true), ("::1", true), ("fe80::abcd", true), ("::ffff:192.0.2.1", true), ("example.org", false),
        ("a1", false), ("abc.de", false), ("1a.2", false), ("xn--bcher-kva.example", false), ("123.example", false),
    ])
    func `a host is an address or a name`(_ host: String, _ isAddress: Bool) {
        let origin = Origin(scheme: .https, host: host, port: 443)
        #expect(ATSTarget(origin, isDirect: false).isAddress == isAddress)
    }

    @Test func `the narrowest range decides about an address, and its own text before any`() {
        let insecure = ATSException(allowsInsecureHTTPLoads: true)
        let configuration = ATSConfiguration(exceptions: [
            "10/8": insecure, "10.1/16": ATSException(), "10.1.2.3": insecure, "10.2.0.0/16": ATSException(),
        ])
        let allowed = ["10.9.9.9": true, "10.1.9.9": false, "10.1.2.3": true, "10.2.1.1": false, "11.1.1.1": false]
        for (host, isAllowed) in allowed {
            let origin = Origin(scheme: .http, host: host, port: 80)
            #expect(
                ATSDecision(origin, isDirect: false, configuration: configuration).isAllowed == isAllowed, "\(host)")
        }
    }

    @Test(arguments: [
        (ATSMode.current, false, false), (.ios16, false, true), (.ios9, false, true), (.beforeATS, false, true),
    ])
    func `the systems differ about addresses and narrow keys`(_ mode: ATSMode, _ isDirect: Bool, _ isAllowed: Bool) {
        let configuration = ATSConfiguration(arbitraryLoads: true, media: false)
        let address = Origin(scheme: .http, host: "203.0.113.5", port: 80)
        let decision = ATSDecision(address, isDirect: isDirect, configuration: configuration, mode: mode)
        #expect(decision.isAllowed == isAllowed)
    }

    @Test func `iOS 9 has no local networking, and before iOS 17 no address has an exception`() {
        let local = Origin(scheme: .http, host: "nas.local", port: 80)
        #expect(!ATSDecision(local, isDirect: true, configuration: .absent, mode: .ios9).isAllowed)
        #expect(ATSDecision(local, isDirect: true, configuration: .absent, mode: .ios16).isAllowed)
        let address = Origin(scheme: .http, host: "203.0.113.5", port: 80)
        let configuration = ATSConfiguration(
            localNetworking: false, exceptions: ["203.0.113.5": ATSException(allowsInsecureHTTPLoads: true)])
        #expect(ATSDecision(address, isDirect: false, configuration: configuration).isAllowed)
        #expect(!ATSDecision(address, isDirect: false, configuration: configuration, mode: .ios16).isAllowed)
    }

    @Test func `code and documentation differ where facts say so`() {
        let deep = Origin(scheme: .http, host: "a.b.example", port: 80)
        let configuration = ATSConfiguration(exceptions: [
            "example": ATSException(includesSubdomains: true, allowsInsecureHTTPLoads: true)
        ])
        let decision = ATSDecision(deep, isDirect: false, configuration: configuration)
        let documented = ATSDecision(deep, isDirect: false, configuration: configuration, profile: .documented)
        #expect(decision.isAllowed && !documented.isAllowed)
        #expect(
            decision.differences(from: documented) == [.isAllowed(false), .exception(nil)])
        #expect(decision.differences(from: decision).isEmpty)
    }

    @Test func `the lists of suites have the published lengths`() {
        #expect(ATSCipherSuite.forwardSecret.count == 13)
        #expect(ATSCipherSuite.rsaKeyTransport.count == 4)
        #expect(ATSCipherSuite.documented2016.count == 11)
        #expect(ATSParameters.full.cipherSuites()?.contains { $0.number == 0x009C } == false)
        #expect(ATSParameters.none.cipherSuites() == nil)
    }

    @Test func `a link makes the addresses of its prefix direct`() {
        let links = LocalLinks(prefixes: ["192.168.1.5/24", "fd00::/8", "nonsense"])
        for (host, isDirect) in [
            ("192.168.1.77", true), ("192.168.2.77", false), ("fd00::9", true), ("2001:db8::1", false),
            ("127.0.0.1", true),
            ("169.254.3.4", true), ("nas.local", true), ("192.168.1.77.example", false), ("printer", true),
        ] { #expect(links.isDirect(Origin(scheme: .http, host: host, port: 80)) == isDirect, "\(host)") }
    }

    @Test func `our own client offers what the entry says`() {
        func profile(_ exception: ATSException) -> TLSClientProfile {
            let origin = Origin(scheme: .https, host: "a.example", port: 443)
            let configuration = ATSConfiguration(exceptions: ["a.example": exception])
            return ATSDecision(origin, isDirect: false, configuration: configuration).parameters.clientProfile
        }
        #expect(profile(ATSException()) == .ats)
        #expect(ATSParameters.none.clientProfile.minimumVersion == .tls10)
        #expect(ATSParameters.none.clientProfile.signatures == TLSClientProfile.ats.signatures)
        #expect(ATSParameters.full.clientProfile == .ats)
        #expect(profile(ATSException(minimumTLSVersion: .tls13)).minimumVersion == .tls13)
        #expect(profile(ATSException(minimumTLSVersion: .tls11)).minimumVersion == .tls11)
        #expect(profile(ATSException(minimumTLSVersion: .tls10)).minimumVersion == .tls10)
        #expect(profile(ATSException(minimumTLSVersion: .tls10)).suites == TLSClientProfile.ats.suites)
        #expect(profile(ATSException(requiresForwardSecrecy: false)).suites.hasSuffix(":AES128-SHA"))
        #expect(profile(ATSException(allowsInsecureHTTPLoads: true)) == .ats)
        let open = profile(ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false))
        #expect(open.minimumVersion == .tls12)
        #expect(open.suites.hasSuffix(":ALL:!aNULL:!eNULL:!PSK:!SRP"))
    }

    // One list of suites for two readers: what is offered on connections and what a decision names.
    @Test func `the offered suites are those of the decision`() {
        let names = TLSClientProfile.ats.modernSuites + ":" + TLSClientProfile.ats.suites
        #expect(names == ATSCipherSuite.forwardSecret.map(\.libraryName).joined(separator: ":"))
    }
}
