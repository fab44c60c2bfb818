import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// A server of the lab and a client that trusts it, with a configuration whose exceptions are for `localhost`.
struct EnforcedLab {
    let server: LabServer
    let client: HTTPClient

    init(
        _ configuration: ATSConfiguration, profile: LeafProfile = LeafProfile(key: .rsa(bits: 2048)), tls: LabTLS,
        profile named: TrustPolicy.TLSProfile = .ats
    ) throws {
        let authority = try CertificateAuthority()
        server = try LabServer.start(try authority.issue(profile), tls: tls) { _ in .text("hello") }
        var policy = TrustPolicy(anchors: .only([authority.anchor]))
        policy.tls = named
        client = try HTTPClient(policy: policy, configuration: configuration)
    }

    init(_ exception: ATSException?, profile: LeafProfile = LeafProfile(key: .rsa(bits: 2048)), tls: LabTLS) throws {
        try self.init(.localhost(exception), profile: profile, tls: tls)
    }

    func get(host: String = "localhost") async throws(TransportFailure) -> HTTPResponse {
        guard let url = try? WebURL(server.address(host: host)) else { throw .unusableRequest(host) }
        return try await client.send(HTTPRequest("GET", url))
    }
}

extension ATSConfiguration {
    /// The strict configuration with an entry for `localhost`.
    static func localhost(_ exception: ATSException?) -> ATSConfiguration {
        ATSConfiguration(localNetworking: false, exceptions: exception.map { ["localhost": $0] } ?? [:])
    }
}

/// What servers of a kind need, and what they agree on when they get it.
struct NeedyServer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let tls: LabTLS
    /// An exception that is enough; `nil` for a server that needs none.
    let enough: ATSException?
    /// Exceptions that are not.
    let tooLittle: [ATSException?]
    let agreed: String

    static let all: [NeedyServer] = [
        NeedyServer(
            testDescription: "TLS 1.1", tls: LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0),
            enough: ATSException(minimumTLSVersion: .tls11),
            tooLittle: [
                nil, ATSException(), ATSException(requiresForwardSecrecy: false),
                ATSException(allowsInsecureHTTPLoads: true), ATSException(minimumTLSVersion: .tls12),
                ATSException(minimumTLSVersion: .tls13),
            ], agreed: "TLSv1.1"),
        NeedyServer(
            testDescription: "TLS 1.0", tls: LabTLS(minimum: .tls10, maximum: .tls10, securityLevel: 0),
            enough: ATSException(minimumTLSVersion: .tls10),
            tooLittle: [nil, ATSException(minimumTLSVersion: .tls11)], agreed: "TLSv1"),
        NeedyServer(
            testDescription: "RSA key transport",
            tls: LabTLS(maximum: .tls12, suites: "AES256-GCM-SHA384:AES128-GCM-SHA256"),
            enough: ATSException(requiresForwardSecrecy: false),
            tooLittle: [
                nil, ATSException(allowsInsecureHTTPLoads: true), ATSException(minimumTLSVersion: .tls10),
            ], agreed: "AES256-GCM-SHA384"),
        NeedyServer(
            testDescription: "a suite of the old list alone",
            tls: LabTLS(maximum: .tls12, suites: "ECDHE-RSA-AES256-SHA384"),
            enough: ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false),
            tooLittle: [
                nil, ATSException(requiresForwardSecrecy: false), ATSException(allowsInsecureHTTPLoads: true),
            ], agreed: "ECDHE-RSA-AES256-SHA384"),
        NeedyServer(
            testDescription: "TLS 1.2", tls: LabTLS(maximum: .tls12), enough: nil,
            tooLittle: [ATSException(minimumTLSVersion: .tls13)], agreed: "TLSv1.2"),
    ]
}

/// A path that the system trusts and that breaks one rule of App Transport Security, with Apple's number for it.
struct BrokenRule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let path: [ATSChainJudgement.Facts]
    let number: Int
    let failure: TrustFailure

    static let all = [
        BrokenRule(
            testDescription: "an RSA key of 2047 bits", path: [facts(bits: 2047), facts(), root], number: -9883,
            failure: .weakKey),
        BrokenRule(
            testDescription: "a key of 255 bits on a curve", path: [facts(isRSA: false, bits: 255), facts(), root],
            number: -9883, failure: .weakKey),
        BrokenRule(
            testDescription: "a small key comes before a weak hash", path: [facts(bits: 1024, hash: "SHA-1"), root],
            number: -9883, failure: .weakKey),
        BrokenRule(
            testDescription: "a leaf signed with SHA-224", path: [facts(hash: "SHA-224"), facts(), root],
            number: -9884, failure: .weakSignature),
        BrokenRule(
            testDescription: "a leaf with a hash that nobody knows", path: [facts(hash: nil), root], number: -9884,
            failure: .weakSignature),
        BrokenRule(
            testDescription: "an authority signed with SHA-224", path: [facts(), facts(hash: "SHA-224"), root],
            number: -9885, failure: .weakSignature),
        BrokenRule(
            testDescription: "the second authority signed with SHA-1",
            path: [facts(), facts(), facts(hash: "SHA-1"), root], number: -9885, failure: .weakSignature),
    ]

    // What a root says of itself does not matter.
    private static let root = ATSChainJudgement.Facts(
        isRSA: true, isEC: false, keyBits: 2048, hash: "SHA-1", isSelfIssued: true)

    private static func facts(
        isRSA: Bool = true, bits: Int = 2048, hash: String? = "SHA-256"
    ) -> ATSChainJudgement.Facts {
        ATSChainJudgement.Facts(isRSA: isRSA, isEC: !isRSA, keyBits: bits, hash: hash, isSelfIssued: false)
    }
}

@Suite struct `App Transport Security on a live connection` {
    @Test(arguments: NeedyServer.all)
    func `lets in what its exception asks for`(_ needy: NeedyServer) async throws {
        let lab = try EnforcedLab(needy.enough, tls: needy.tls)
        let answer = try await lab.get()
        #expect(answer.status == 200)
        #expect([answer.connection.tlsVersion, answer.connection.cipherSuite].contains(needy.agreed))
    }

    @Test(.long, arguments: NeedyServer.all)
    func `lets nothing in that asks for more, and no byte of a request leaves`(_ needy: NeedyServer) async throws {
        let lab = try EnforcedLab(nil, tls: needy.tls)
        for exception in needy.tooLittle {
            lab.client.use(.localhost(exception))
            let end = await failure { () throws(TransportFailure) in try await lab.get() }
            guard case .tls = end else {
                Issue.record("\(String(describing: exception)): \(String(describing: end))")
                continue
            }
        }
        #expect(lab.server.counters.applicationBytes == 0)
        #expect(lab.server.counters.handshakes == 0)
    }

    @Test(arguments: NeedyServer.all.filter { $0.enough != nil })
    func `asks of one host what an exception gave to another`(_ needy: NeedyServer) async throws {
        let lab = try EnforcedLab(needy.enough, tls: needy.tls)
        #expect(try await lab.get().status == 200)
        let bytes = lab.server.counters.applicationBytes
        let end = await failure { () throws(TransportFailure) in try await lab.get(host: "127.0.0.1") }
        guard case .tls = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(lab.server.counters.applicationBytes == bytes)
    }

    @Test(.long, arguments: NeedyServer.all)
    func `never reuses a connection of a looser configuration`(_ needy: NeedyServer) async throws {
        let lab = try EnforcedLab(needy.enough, tls: needy.tls)
        #expect(try await lab.get().status == 200)
        #expect(try await lab.get().status == 200)
        #expect(lab.server.counters.connections == 1)
        for exception in needy.tooLittle {
            lab.client.use(.localhost(exception))
            _ = await failure { () throws(TransportFailure) in try await lab.get() }
        }
        #expect(lab.server.counters.requests == 2)
        lab.client.use(.localhost(needy.enough))
        #expect(try await lab.get().status == 200)
        #expect(lab.server.counters.handshakes == 1, "what is still asked for is still kept")
    }

    @Test func `is off for every host when the configuration says so`() async throws {
        for needy in NeedyServer.all {
            let lab = try EnforcedLab(ATSConfiguration(arbitraryLoads: true), tls: needy.tls)
            #expect(try await lab.get().status == 200, "\(needy.testDescription)")
        }
    }

    @Test func `says which version the server would need`() async throws {
        let lab = try EnforcedLab(ATSException(minimumTLSVersion: .tls13), tls: LabTLS(maximum: .tls12))
        #expect(
            await failure { () throws(TransportFailure) in try await lab.get() }
                == .tls("The server offers no TLS 1.3 or later.", code: .peerProtocolVersion))
    }

    @Test(arguments: [ATSVersion.dtls10, .dtls12])
    func `makes no connection under a floor that none can have`(_ version: ATSVersion) async throws {
        let lab = try EnforcedLab(ATSException(minimumTLSVersion: version), tls: LabTLS())
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .refusedByATS(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.code == .minimumVersion)
        #expect(refusal.reasons.contains(.minimumVersion(version)))
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `never accepts a certificate because an old version was asked for`() async throws {
        let old = LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0)
        for (profile, found) in [
            (LeafProfile(key: .rsa(bits: 1024)), TrustFailure.weakKey),
            (LeafProfile(key: .rsa(bits: 2048), signature: .sha1), .weakSignature),
        ] {
            let lab = try EnforcedLab(ATSConfiguration(arbitraryLoads: true), profile: profile, tls: old)
            let end = await failure { () throws(TransportFailure) in try await lab.get() }
            guard case .untrusted(let refusal) = end else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(refusal.failures == [found])
            #expect(lab.server.counters.applicationBytes == 0)
        }
    }

    @Test(arguments: BrokenRule.all)
    func `refuses a trusted certificate that breaks its own rules, with Apple's number`(_ rule: BrokenRule) async throws
    {
        let (authority, seen) = (try CertificateAuthority(), LabTLS())
        let server = try LabServer.start(try authority.issue(), tls: seen) { _ in .text("hello") }
        let client = try HTTPClient(
            policy: TrustPolicy(), configuration: .strict, time: .system,
            rules: { _ in
                { _, _, _ in
                    var chain = EvaluatedChain(failures: [], path: [], summary: nil)
                    chain.strength = ATSChainJudgement(trusted: rule.path)
                    return chain
                }
            })
        let url = try WebURL(server.address())
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .refusedByATS(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.code.rawValue == rule.number)
        let decision = try await client.inspect(url.origin).decision
        #expect(!decision.isAllowed && decision.refusal?.failures == [rule.failure])
        #expect(server.counters.applicationBytes == 0)
        client.use(ATSConfiguration(arbitraryLoads: true))
        #expect(try await client.send(HTTPRequest("GET", url)).status == 200)
    }
}

@Suite struct `Plain http under App Transport Security` {
    @Test func `is loaded where an entry allows it, and nowhere else`() async throws {
        let server = try LabServer.start(nil) { _ in .text("hello") }
        let client = try HTTPClient(configuration: .localhost(ATSException(allowsInsecureHTTPLoads: true)))
        let allowed = try WebURL(server.address(host: "localhost"))
        let refused = try WebURL(server.address())
        #expect(try await client.send(HTTPRequest("GET", allowed)).status == 200)
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", refused)) }
        guard case .refusedByATS(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.code.rawValue == -1022)
        #expect(refusal.origin == refused.origin)
        #expect(refusal.reasons == [.plainHTTP])
        #expect(server.counters.connections == 1)
    }

    @Test func `to an address of a link is local, and behind a router is not`() throws {
        let client = try HTTPClient(
            configuration: .absent, options: ClientOptions(localLinks: { LocalLinks(prefixes: ["192.0.2.0/24"]) }))
        let here = Origin(scheme: .http, host: "192.0.2.9", port: 80)
        let elsewhere = Origin(scheme: .http, host: "198.51.100.9", port: 80)
        #expect(client.decision(about: here).isAllowed)
        #expect(!client.decision(about: elsewhere).isAllowed)
        client.use(.strict)
        #expect(!client.decision(about: here).isAllowed)
    }

    @Test func `to an address is decided anew when the machine has left its network`() throws {
        let isAtHome = Atomic(true)
        let gate = ATSGate(.absent) {
            LocalLinks(prefixes: isAtHome.load(ordering: .relaxed) ? ["192.0.2.0/24"] : [])
        }
        let here = Origin(scheme: .http, host: "192.0.2.9", port: 80)
        _ = try gate.admit(here)
        isAtHome.store(false, ordering: .relaxed)
        #expect(throws: TransportFailure.self) { try gate.admit(here) }
    }

    @Test func `is not decided for one name, scheme or port by what was decided for another`() throws {
        let gate = ATSGate(ATSConfiguration(exceptions: ["a.example": ATSException(allowsInsecureHTTPLoads: true)]))
        for _ in 0..<2 {
            _ = try gate.admit(Origin(scheme: .http, host: "a.example", port: 80))
            #expect(throws: TransportFailure.self) {
                try gate.admit(Origin(scheme: .http, host: "b.example", port: 80))
            }
            _ = try gate.admit(Origin(scheme: .https, host: "b.example", port: 80))
            #expect(throws: TransportFailure.self) {
                try gate.admit(Origin(scheme: .http, host: "b.example", port: 80))
            }
        }
    }

    @Test func `is decided anew for each hop of a redirect`() async throws {
        let authority = try CertificateAuthority()
        let old = try LabServer.start(
            try authority.issue(LeafProfile(key: .rsa(bits: 2048))),
            tls: LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0)
        ) { _ in .text("old") }
        let first = try LabServer.start(try authority.issue()) { request in
            .redirect(302, to: old.address(host: request.path == "/name" ? "localhost" : "127.0.0.1"))
        }
        let client = try HTTPClient(
            policy: TrustPolicy(anchors: .only([authority.anchor])),
            configuration: .localhost(ATSException(minimumTLSVersion: .tls10)))
        let allowed = try await client.send(
            HTTPRequest("GET", WebURL(first.address("/name"))), following: .withConsent
        ) { _, _ in true }
        #expect(allowed.response.body == Array("old".utf8))
        #expect(allowed.hops.first?.ats?.exception == "localhost")
        let bytes = old.counters.applicationBytes
        let address = try WebURL(first.address("/address"))
        let end = await failure { () throws(TransportFailure) in
            try await client.send(HTTPRequest("GET", address), following: .withConsent) { _, _ in true }
        }
        #expect(end == .tls("The server offers no TLS 1.2 or later.", code: .peerProtocolVersion))
        #expect(old.counters.applicationBytes == bytes)
    }
}

@Suite struct `The time of all hops together` {
    private func request(total: Duration) throws -> HTTPRequest {
        HTTPRequest("GET", try WebURL("https://a.example/"), limits: .init(total: total))
    }

    @Test func `is what the request has`() throws {
        var patience = Patience(for: try request(total: .seconds(10)))
        patience.spend(from: 1_000, to: 4_000)
        #expect(try patience.limiting(request(total: .seconds(10))).limits.total == .seconds(7))
        patience.spend(from: 9_000, to: 8_000)
        #expect(try patience.limiting(request(total: .seconds(60))).limits.total == .seconds(7))
        patience.spend(from: 0, to: 7_000)
        #expect(throws: TransportFailure.timeout(sent: true)) { try patience.limiting(request(total: .seconds(60))) }
    }

    // The clock runs eight seconds with each look at it: no time passes in the test.
    @Test func `ends a chain of redirects`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { .redirect(302, to: $0.path + "x") }
        let clock = Ticks(step: 8_000)
        let client = try HTTPClient(
            policy: TrustPolicy(anchors: .only([authority.anchor])),
            time: TimeSource(
                wall: { TimeSource.system.wallMilliseconds }, boot: { clock.next() }, epoch: { "test" }))
        let url = try WebURL(server.address("/"))
        let request = HTTPRequest("GET", url, limits: .init(total: .seconds(20)))
        let end = await failure { () throws(TransportFailure) in
            try await client.send(request, following: RedirectPolicy(.sameOrigin, limit: 100))
        }
        #expect(end == .timeout(sent: true))
        #expect(server.counters.requests == 3)
    }
}
