import Dispatch
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

/// Each task of a URLSession has the reason of its own end (AP-S1).
@Suite struct CarrierRefusalTests {
    private static let (one, other) = ("https://one.example", "https://other.example")

    @Test(arguments: [[one, other], [other, one]])
    func `two refused servers at once: each person sees the certificate of their own`(_ order: [String]) async throws {
        let lab = try CarrierLab()
        let shown = [
            Self.one: try lab.serveStranger(Self.one).fingerprint,
            Self.other: try lab.serveStranger(Self.other).fingerprint,
        ]
        lab.network.hold()
        try await withThrowingTaskGroup(of: (String, TransportFailure?).self) { group in
            for place in order {
                let request = try lab.request(at: place)
                group.addTask {
                    (place, await failure { () throws(TransportFailure) in try await lab.client.send(request) })
                }
            }
            await lab.network.wait { $0.held.count == 2 }
            lab.network.release()
            for try await (place, end) in group {
                guard case .untrusted(let refusal)? = end else {
                    Issue.record("\(place): \(String(describing: end))")
                    continue
                }
                #expect(refusal.summary?.fingerprint == shown[place])
                #expect(end?.requestMayHaveLeft == false)
            }
        }
        #expect(lab.network.requests.isEmpty)
    }

    @Test func `a cancellation beside a refusal is a cancellation`() async throws {
        var silent = StandInServer()
        silent.answer = { _ in StandInResponse(isSilent: true) }
        let lab = try CarrierLab(server: silent)
        _ = try lab.serveStranger(Self.other)
        lab.network.hold()
        let (patient, refused) = (try lab.request(), try lab.request(at: Self.other))
        let cancelled = Task {
            await failure { () throws(TransportFailure) in try await lab.client.send(patient) }
        }
        await lab.network.wait { $0.requests.count == 1 }
        let untrusted = Task {
            await failure { () throws(TransportFailure) in try await lab.client.send(refused) }
        }
        await lab.network.wait { $0.held.count == 1 }
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled(sent: true))
        lab.network.release()
        guard case .untrusted? = await untrusted.value else {
            Issue.record("the refusal went to somebody else")
            return
        }
    }

    @Test func `an answer carries what its own server showed, also on a connection that was there already`()
        async throws
    {
        let lab = try CarrierLab()
        let second = try lab.authority.issue(LeafProfile(names: ["one.example"], addresses: []))
        lab.serve(Self.one, second)
        for _ in 0..<2 {
            #expect(try await lab.client.send(lab.request()).connection.leafSPKI == lab.identity.pin)
            #expect(try await lab.client.send(lab.request(at: Self.one)).connection.leafSPKI == second.pin)
        }
    }

    @Test func `an answer of a server that nobody was asked about is thrown away`() async throws {
        let lab = try CarrierLab()
        lab.network.state.withLock { $0.asksNobody = true }
        let request = try lab.request()
        guard case .tls? = await failure(of: { () throws(TransportFailure) in try await lab.client.send(request) })
        else {
            Issue.record("an answer was believed")
            return
        }
    }

    @Test func `another policy judges what was shown before, where nobody is asked again`() async throws {
        let lab = try CarrierLab()
        let request = try lab.request()
        #expect(try await lab.client.send(request).status == 200)
        lab.network.state.withLock { $0.asksNobody = true }
        lab.client.use(lab.client.policy)
        #expect(try await lab.client.send(request).connection.leafSPKI == lab.identity.pin)
        lab.client.use(TrustPolicy(anchors: .only([])))
        #expect(await failure { () throws(TransportFailure) in try await lab.client.send(request) } != nil)
        #expect(lab.network.state.withLock { $0.sessions } == 3)
    }

    @Test func `after a change of pins a new key is taken on every request, and what may be the old one on none`()
        async throws
    {
        let lab = try CarrierLab()
        let clock = ManualTime(wallSeconds: TimeSource.system.wallSeconds)
        let fresh = try lab.authority.issue(LeafProfile(names: ["home.example"], addresses: []))
        let pins = try [lab.identity.pin, fresh.pin].map { try #require(Pin($0)) }
        var policy = lab.client.policy
        policy.pins = [try PinSet(hosts: ["home.example"], leaf: Set(pins))]
        let client = try HTTPClient(policy: policy, time: clock.source) { (policy, time, _) throws(TransportFailure) in
            SessionCarrier(policy: policy, time: time) { settings, events in
                lab.network.session(settings, telling: events)
            }
        }
        let request = try lab.request()
        #expect(try await client.send(request).status == 200)
        policy.pins = [try PinSet(hosts: ["home.example"], leaf: [pins[1]], backup: .notRequired)]
        client.use(policy)
        lab.serve(CarrierLab.home, fresh)
        for _ in 0..<3 { #expect(try await client.send(request).connection.leafSPKI == fresh.pin) }
        // A TLS session of before, which is resumed: nobody can say which key is at the other end.
        lab.network.state.withLock { $0.asksNobody = true }
        guard case .tls? = await failure(of: { () throws(TransportFailure) in try await client.send(request) }) else {
            Issue.record("an answer of the old key's holder could be believed")
            return
        }
        // By now none of before can be resumed, and connections are kept again.
        lab.network.state.withLock { $0.asksNobody = false }
        clock.advance(seconds: 1201)
        #expect(try await client.send(request).status == 200)
        let sessions = lab.network.state.withLock { $0.sessions }
        for _ in 0..<2 { #expect(try await client.send(request).connection.leafSPKI == fresh.pin) }
        #expect(lab.network.state.withLock { $0.sessions } == sessions)
    }

    // The 256th server is shown, and another request begun, while an answer waits on a connection of before.
    @Test func `a client that meets more servers than it remembers throws away no answer that is on its way`()
        async throws
    {
        let (first, last) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var home = StandInServer()
        home.answer = { request in
            if request.url.hasSuffix("/first") { first.wait() }
            return StandInResponse()
        }
        let lab = try CarrierLab(server: home)
        let many = try lab.authority.issue(LeafProfile(names: ["*.many.example"], addresses: []))
        _ = try await lab.client.send(lab.request())
        for number in 0..<254 {
            let place = "https://s\(number).many.example"
            lab.serve(place, many)
            _ = try await lab.client.send(lab.request(at: place))
        }
        var slow = StandInServer()
        slow.answer = { _ in
            last.wait()
            return StandInResponse()
        }
        let newest = "https://newest.many.example"
        lab.serve(newest, many, slow)
        let requests = [try lab.request("/first"), try lab.request(at: newest), try lab.request("/late")]
        let count = lab.network.state.withLock { $0.queued }
        var sent: [Task<HTTPResponse, any Error>] = []
        for (place, request) in requests.enumerated() {
            sent.append(Task { try await lab.client.send(request) })
            await lab.network.wait { $0.queued == count + place + 1 }
        }
        first.signal()
        await lab.network.wait { $0.requests.contains { $0.url.hasPrefix(newest) } }
        let fresh = try? await lab.client.send(requests[2])
        last.signal()
        #expect(fresh?.status == 200)
        for task in sent { #expect(try await task.value.status == 200) }
        #expect(try await sent[2].value.connection.leafSPKI == lab.identity.pin)
        #expect(lab.network.state.withLock { $0.sessions } == 2)
    }

    @Test func `two machines behind one name: no answer claims one of their keys`() async throws {
        let lab = try CarrierLab()
        _ = try await lab.client.send(lab.request())
        let twin = try lab.authority.issue(LeafProfile(names: ["home.example"], addresses: []))
        lab.client.use(lab.client.policy)
        lab.serve(CarrierLab.home, twin)
        #expect(try await lab.client.send(lab.request()).connection.leafSPKI == twin.pin)
        #expect(try await lab.client.send(lab.request()).connection.leafSPKI == nil)
    }

    @Test func `a challenge that names another host is no server of ours`() async throws {
        let lab = try CarrierLab()
        let table = Recorder()
        let client = try HTTPClient(policy: lab.client.policy) { (policy, _, _) throws(TransportFailure) in
            SessionCarrier(policy: policy) { settings, events in
                table.take(events)
                return lab.network.session(settings, telling: events)
            }
        }
        lab.network.hold()
        lab.serve(CarrierLab.home, try CertificateAuthority().issue())
        let request = try lab.request()
        let sent = Task { await failure { () throws(TransportFailure) in try await client.send(request) } }
        await lab.network.wait { $0.held.count == 1 }
        let proxy = DrivenChallenge.server(certificates: lab.identity.chain, host: "proxy.example", port: 443)
        guard case .refuse = table.challenge(1, by: proxy) else {
            Issue.record("a proxy was trusted in the server's place")
            return
        }
        lab.network.release()
        #expect(await sent.value != nil)
    }
}
