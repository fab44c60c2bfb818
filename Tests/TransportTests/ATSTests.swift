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
}
