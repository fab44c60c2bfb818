import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

/// What URLSession's carrier decides before and after an exchange, like the client of Linux (AP-C2).
@Suite struct CarrierRuleTests {
    @Test(arguments: ["Authorization", "cookie", "Host", "Content-Length", "Transfer-Encoding", "Proxy-Authorization"])
    func `a field that the client sets itself is refused before anything is sent`(_ name: String) async throws {
        let lab = try CarrierLab()
        var request = try lab.request()
        request.fields.append(name, "x")
        let fixed = request
        #expect(
            await failure { () throws(TransportFailure) in try await lab.client.send(fixed) }
                == .unusableRequest("The field \(name) is not set by the caller."))
        #expect(lab.network.requests.isEmpty)
    }

    @Test func `a request that may not leave any more is not given to the carrier`() async throws {
        let lab = try CarrierLab()
        var request = try lab.request()
        request.mayLeave = { false }
        let fixed = request
        #expect(
            await failure { () throws(TransportFailure) in try await lab.client.send(fixed) }
                == .cancelled(sent: false))
        #expect(lab.network.requests.isEmpty)
    }

    @Test func `a method that is no token is refused`() async throws {
        let lab = try CarrierLab()
        let request = HTTPRequest("GET\r\nX: y", try lab.request().url)
        guard
            case .unusableRequest? = await failure(of: { () throws(TransportFailure) in
                try await lab.client.send(request)
            })
        else {
            Issue.record("sent")
            return
        }
    }

    @Test func `a credential goes to its own origin, and with TLS only`() async throws {
        let lab = try CarrierLab()
        let own = Authorization(
            scheme: "Bearer", credential: SecretBytes(utf8: "t0ken"), origin: try lab.request().url.origin)
        #expect(try await lab.client.send(lab.request(), with: own).status == 200)
        #expect(lab.network.requests.first?.lines["authorization"] == "Bearer t0ken")
        let request = try lab.request(at: "https://other.example")
        var end: TransportFailure?
        do throws(TransportFailure) { _ = try await lab.client.send(request, with: own) } catch { end = error }
        #expect(end == .credentialRefused(request.url.origin))
        #expect(lab.network.requests.count == 1)
    }

    @Test func `plain http is refused before anything is sent`() async throws {
        let lab = try CarrierLab()
        let request = try lab.request(at: "http://home.example")
        #expect(await failure { () throws(TransportFailure) in try await lab.client.send(request) } != nil)
        #expect(lab.network.requests.isEmpty)
    }

    @Test func `the whole exchange ends after its total time, also where bytes trickle`() async throws {
        let reached = Signal()
        let limit = Mutex<Duration?>(nil)
        let lab = try CarrierLab(sleep: { total in
            limit.withLock { $0 = total }
            await reached.wait()
        })
        var silent = StandInServer()
        silent.answer = { _ in StandInResponse(isSilent: true) }
        lab.serve(CarrierLab.home, lab.identity, silent)
        var request = try lab.request()
        request.limits.total = .seconds(7)
        let fixed = request
        let sent = Task { await failure { () throws(TransportFailure) in try await lab.client.send(fixed) } }
        await lab.network.wait { $0.requests.count == 1 }
        reached.send()
        #expect(await sent.value == .timeout(sent: true))
        #expect(limit.withLock { $0 } == .seconds(7))
        await lab.network.wait { $0.cancellations == 1 }
    }

    @Test func `no total time is longer than a timer takes`() async throws {
        let limit = Mutex<Duration?>(nil)
        let lab = try CarrierLab(sleep: { total in limit.withLock { $0 = total } })
        var silent = StandInServer()
        silent.answer = { _ in StandInResponse(isSilent: true) }
        lab.serve(CarrierLab.home, lab.identity, silent)
        var request = try lab.request()
        request.limits.total = .seconds(Int64.max)
        let fixed = request
        #expect(await failure { () throws(TransportFailure) in try await lab.client.send(fixed) } != nil)
        #expect(limit.withLock { $0 } == .seconds(36_525 * 86_400))
    }

    @Test func `TR2: a client with the profile of TR-02102-2 sends nothing: URLSession chooses suites itself`()
        async throws
    {
        let lab = try CarrierLab()
        #expect(try await lab.client.send(lab.request()).status == 200)
        let sessions = lab.network.state.withLock { $0.sessions }
        var policy = lab.client.policy
        policy.tls = .tr02102
        lab.client.use(policy)
        let request = try lab.request()
        let ends = [
            await failure { () throws(TransportFailure) in try await lab.client.send(request) },
            await failure { () throws(TransportFailure) in try await lab.client.inspect(request.url.origin) },
        ]
        for end in ends {
            guard case .unusableRequest(let words)? = end else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(words.contains("tr-02102-2"))
        }
        // Not even a session was made, in which a handshake could begin.
        #expect(lab.network.requests.count == 1)
        #expect(lab.network.state.withLock { $0.sessions } == sessions)
        policy.tls = .ats
        lab.client.use(policy)
        #expect(try await lab.client.send(request).status == 200)
    }

    @Test func `a demand on revocation that URLSession cannot serve refuses, and is not dropped`() {
        #expect(RevocationPolicy.soft.unservedFailures == [])
        #expect(RevocationPolicy.hard.unservedFailures == [.revocationUnknown])
        #expect(RevocationPolicy(.soft, lists: [[1]]).unservedFailures == [.revocationUnknown])
    }

    @Test func `a server that became another one gets no byte`() async throws {
        let lab = try CarrierLab()
        let answer = try await lab.client.send(lab.request())
        #expect(lab.network.requests.count == 1)
        let origin = try lab.request().url.origin
        var policy = lab.client.policy
        policy.managed.renewal = .sameKey
        let known = try #require(answer.knownServer)
        policy.knownServers[origin] = known
        lab.client.use(policy)
        #expect(try await lab.client.send(lab.request()).status == 200)
        lab.serve(CarrierLab.home, try lab.authority.issue(LeafProfile(names: ["home.example"], addresses: [])))
        lab.client.use(policy)
        let request = try lab.request()
        guard
            case .untrusted(let refusal)? = await failure(of: { () throws(TransportFailure) in
                try await lab.client.send(request)
            })
        else {
            Issue.record("another server was believed")
            return
        }
        #expect(refusal.failures == [.keyChanged])
        #expect(lab.network.requests.count == 2)
    }

    @Test func `a wish for https only is kept, and cookies go back to their origin alone`() async throws {
        let options = ClientOptions(cookies: CookieJar(), strictTransport: HSTSStore())
        var server = StandInServer()
        server.answer = { _ in
            // As URLSession gives several lines of one name.
            StandInResponse(fields: [
                ("Set-Cookie", "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Secure, b=2; Path=/, c=3,4"),
                ("Strict-Transport-Security", "max-age=31536000"),
            ])
        }
        let lab = try CarrierLab(options: options, server: server)
        let answer = try await lab.client.send(lab.request())
        #expect(answer.fields.all("Set-Cookie").count == 3)
        #expect(try await lab.client.send(lab.request(at: "http://home.example")).status == 200)
        #expect(lab.network.requests.last?.url == "https://home.example/")
        #expect(lab.network.requests.last?.lines["cookie"] == "a=1; b=2; c=3,4")
        lab.serve("https://one.example", try lab.authority.issue(LeafProfile(names: ["one.example"], addresses: [])))
        _ = try await lab.client.send(lab.request(at: "https://one.example"))
        #expect(lab.network.requests.last?.lines["cookie"] == nil)
    }

    @Test func `an approved certificate teaches no wish for https only`() async throws {
        let store = HSTSStore()
        let lab = try CarrierLab(options: ClientOptions(strictTransport: store))
        let stranger = try lab.serveStranger(CarrierLab.home)
        let request = try lab.request()
        guard
            case .untrusted(let refusal)? = await failure(of: { () throws(TransportFailure) in
                try await lab.client.send(request)
            }),
            let approval = CertificateApproval(of: refusal, origin: request.url.origin, at: TimeNow.seconds)
        else {
            Issue.record("not refused")
            return
        }
        var server = StandInServer()
        server.answer = { _ in StandInResponse(fields: [("Strict-Transport-Security", "max-age=31536000")]) }
        lab.serve(CarrierLab.home, stranger, server)
        var policy = lab.client.policy
        policy.approvals = [approval]
        lab.client.use(policy)
        #expect(try await lab.client.send(request).status == 200)
        #expect(store.entries.isEmpty)
    }

    @Test func `a packed body is asked for only where the options say so`() async throws {
        for (accepts, line) in [(false, "identity" as String?), (true, nil)] {
            let lab = try CarrierLab(options: ClientOptions(acceptsCompressed: accepts))
            _ = try await lab.client.send(lab.request())
            #expect(lab.network.requests.first?.lines["accept-encoding"] == line)
        }
    }

    @Test func `a 401 is an answer, and no password is looked for`() async throws {
        var server = StandInServer(asksPassword: true)
        server.answer = { _ in StandInResponse(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        let lab = try CarrierLab(server: server)
        #expect(try await lab.client.send(lab.request()).status == 401)
    }

    @Test func `what the metrics say is told, and no more`() async throws {
        var server = StandInServer()
        server.answer = { _ in
            var found = DrivenMeasurement()
            (found.protocolName, found.tlsVersion, found.cipherSuite) = ("h2", 0x0304, 0x1302)
            (found.isReused, found.total, found.received) = (true, .seconds(2), 5)
            return StandInResponse(measurement: found)
        }
        let lab = try CarrierLab(options: ClientOptions(isMeasured: true), server: server)
        let answer = try await lab.client.send(lab.request())
        #expect(answer.connection.httpVersion == "2" && answer.connection.tlsVersion == "TLSv1.3")
        #expect(answer.connection.cipherSuite == "TLS_AES_256_GCM_SHA384")
        #expect(answer.metrics?.total == .seconds(2) && answer.metrics?.reusedConnection == true)
        let silent = try CarrierLab(server: server)
        #expect(try await silent.client.send(silent.request()).metrics == nil)
    }

    @Test(arguments: [
        (-1001, TransportFailure.timeout(sent: true)), (-1003, .network("", sent: false)),
        (-1004, .network("", sent: false)), (-1005, .network("", sent: true)), (-1009, .network("", sent: false)),
        (-1017, .malformed("")), (-1200, .tls("")), (-1202, .tls("", code: .certificateUntrusted)),
        (-1206, .tls("")), (-1, .network("", sent: true)), (-999, .cancelled(sent: true)),
    ])
    func `each end of URLSession's has its reason`(_ code: Int, _ wanted: TransportFailure) async throws {
        var server = StandInServer()
        server.answer = { _ in StandInResponse(error: code) }
        let lab = try CarrierLab(server: server)
        let request = try lab.request()
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
        #expect(end.map { "\($0)".prefix { $0 != "\"" } } == "\(wanted)".prefix { $0 != "\"" })
        #expect(end?.requestMayHaveLeft == wanted.requestMayHaveLeft)
        if case .tls(_, let code)? = end, case .tls(_, let right) = wanted { #expect(code == right) }
    }
}

/// Something that happens once.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

extension HTTPResponse {
    /// What a keeper would write down of the server that gave it.
    var knownServer: KnownServer? { server.flatMap { KnownServer($0.chain) } }
}
