import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@Suite struct `Following redirects` {
    private struct Pair {
        let first: TestLab
        let second: LabServer
        let target: String
    }

    private func pair(_ status: Int = 302) throws -> Pair {
        let lab = try TestLab()
        let second = try LabServer.start(try lab.authority.issue()) { _ in .text("second") }
        let target = second.address("/second", host: "localhost")
        lab.server.answer { _ in .redirect(status, to: target) }
        return Pair(first: lab, second: second, target: target)
    }

    private func bearer(_ url: WebURL) -> Authorization {
        Authorization(scheme: "Bearer", credential: SecretBytes(utf8: "canary"), origin: url.origin)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `to another origin asks first, shows its certificate, and takes no credential along`(_ status: Int)
        async throws
    {
        let pair = try pair(status)
        let url = try pair.first.url()
        let shown = Mutex<String?>(nil)
        let outcome = try await pair.first.client.send(
            HTTPRequest("GET", url), with: bearer(url), following: .withConsent
        ) { hop, target in
            shown.withLock { $0 = target.summary?.names.first }
            return hop.to?.description == pair.target
        }
        #expect(outcome.response.body == Array("second".utf8))
        #expect(outcome.stop == nil)
        #expect(shown.withLock { $0 } == "localhost")
        let hop = try #require(outcome.hops.first)
        #expect(hop.consent == .given)
        #expect(!hop.carriesCredentials)
        #expect(hop.target?.decision == .allow(.valid))
        #expect(hop.connection.leafSPKI == pair.first.identity.pin)
        #expect(pair.first.server.requests.map { $0.field("Authorization") } == ["Bearer canary"])
        #expect(pair.second.requests.map { $0.field("Authorization") } == [nil])
    }

    @Test func `that a person refuses sends no byte of a request there`() async throws {
        let pair = try pair()
        let outcome = try await pair.first.client.send(
            HTTPRequest("GET", pair.first.url()), following: .withConsent
        ) { _, _ in false }
        #expect(outcome.response.status == 302)
        #expect(outcome.hops.first?.consent == .refused)
        #expect(pair.second.counters.applicationBytes == 0)
    }

    @Test func `to a server that is not trusted is refused before the question`() async throws {
        let pair = try pair()
        try pair.second.use(try pair.first.authority.issue(LeafProfile(validity: .expired)))
        let request = HTTPRequest("GET", try pair.first.url())
        let end = await failure { () throws(TransportFailure) in
            try await pair.first.client.send(request, following: .withConsent) { _, _ in
                Issue.record("asked")
                return true
            }
        }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.expired])
        #expect(pair.second.counters.applicationBytes == 0)
    }

    @Test func `whose certificate is swapped between the question and the request gives no answer`() async throws {
        let pair = try pair()
        let other = try pair.first.authority.issue()
        let outcome = try await pair.first.client.send(
            HTTPRequest("GET", pair.first.url()), following: .withConsent
        ) { _, _ in
            try? pair.second.use(other)
            return true
        }
        #expect(outcome.response.status == 302)
        guard case .certificateChanged = outcome.stop else {
            Issue.record("\(String(describing: outcome.stop))")
            return
        }
    }

    @Test(arguments: [true, false])
    func `whose certificate is swapped between the question and the request leaves no cookie and no wish for https`(
        _ isSwapped: Bool
    ) async throws {
        let pair = try pair()
        let other = try pair.first.authority.issue()
        pair.second.answer { _ in
            LabResponse.text("second").with("Set-Cookie", "a=b").with("Strict-Transport-Security", "max-age=100")
        }
        let (jar, hosts) = (CookieJar(), HSTSStore())
        let client = try HTTPClient(
            policy: TrustPolicy(anchors: .only([pair.first.authority.anchor])),
            options: ClientOptions(cookies: jar, strictTransport: hosts))
        _ = try await client.send(HTTPRequest("GET", pair.first.url()), following: .withConsent) { _, _ in
            if isSwapped { try? pair.second.use(other) }
            return true
        }
        let target = try WebURL(pair.target)
        #expect(jar.cookies(for: target, at: 0).map(\.name) == (isSwapped ? [] : ["a"]))
        #expect(hosts.entries.map(\.host) == (isSwapped ? [] : ["localhost"]))
    }

    @Test func `takes no longer than the request's time, the handshakes that are shown included, a person's not`()
        async throws
    {
        let boot = Mutex<Int64>(0)
        let time = TimeSource(
            wall: { TimeSource.system.wallMilliseconds }, boot: { boot.withLock { $0 } }, epoch: { "" })
        let limits = Mutex<[Duration]>([])
        let client = HTTPClient(
            time: time,
            answering: { (order) throws(TransportFailure) in
                let count = limits.withLock { limits in
                    limits.append(order.request.limits.total)
                    return limits.count
                }
                var fields = HTTPFields()
                fields.append("Location", "https://b\(count).example/")
                return HTTPResponse(
                    status: 302, fields: fields, body: [],
                    redirect: RedirectReport(status: 302, fields: fields, from: order.request.url))
            },
            inspecting: { (origin) throws(TransportFailure) in
                boot.withLock { $0 += 25_000 }
                return ServerInspection(
                    origin: origin, decision: .allow(.valid),
                    chain: EvaluatedChain(failures: [], path: [], summary: nil), connection: ConnectionFacts())
            })
        let request = HTTPRequest("GET", try WebURL("https://a.example/"))
        let end = await failure { () throws(TransportFailure) in
            try await client.send(request, following: .withConsent) { _, _ in
                boot.withLock { $0 += 1_000_000 }
                return true
            }
        }
        #expect(end == .timeout(sent: true))
        #expect(limits.withLock { $0 } == [.seconds(60), .seconds(35), .seconds(10)])
    }

    @Test func `keeps a POST and its body after 307, and not after 302`() async throws {
        let lab = try TestLab(handler: {
            switch $0.path {
            case "/307": .redirect(307, to: "/end")
            case "/302": .redirect(302, to: "/end")
            default: LabResponse(body: .fixed($0.body))
            }
        })
        let kept = try await lab.client.send(
            HTTPRequest("POST", lab.url("/307"), body: [1, 2, 3]), following: .sameOrigin)
        #expect(kept.response.body == [1, 2, 3])
        let stopped = try await lab.client.send(
            HTTPRequest("POST", lab.url("/302"), body: [1, 2, 3]), following: .sameOrigin)
        #expect(stopped.response.status == 302)
        #expect(stopped.stop == .notRepeatable(method: "POST"))
        #expect(lab.server.requests.map(\.path) == ["/307", "/end", "/302"])
    }
}
