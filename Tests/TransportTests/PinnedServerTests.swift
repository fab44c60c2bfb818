import PaviseLab
import PaviseTransport
import Testing

@Suite struct `A pinned server` {
    private let host = "localhost"

    @Test func `with the pinned key answers`() async throws {
        let lab = try TestLab()
        let pin = try #require(Pin(lab.identity.pin))
        var policy = lab.client.policy
        policy.pins = [try PinSet(hosts: [host], leaf: [pin], backup: .notRequired)]
        lab.client.use(policy)
        #expect(try await lab.get().status == 200)
        let inspection = try await lab.client.inspect(lab.url().origin)
        #expect(inspection.decision == .allow(.pinned))
    }

    @Test func `in the middle of which sits a man with a certificate of a trusted authority is refused`() async throws {
        let lab = try TestLab()
        var policy = lab.client.policy
        policy.pins = [try PinSet(hosts: [host], leaf: [try #require(Pin(lab.identity.pin))], backup: .notRequired)]
        lab.client.use(policy)
        try lab.server.use(try lab.authority.issue())
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.pinMismatch])
        #expect(!refusal.canBeApproved)
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `renewed with the same key answers`() async throws {
        let lab = try TestLab()
        var policy = lab.client.policy
        policy.pins = [try PinSet(hosts: [host], leaf: [try #require(Pin(lab.identity.pin))], backup: .notRequired)]
        lab.client.use(policy)
        #expect(try await lab.get().status == 200)
        try lab.server.use(try lab.authority.renew(lab.identity))
        lab.server.dropConnections()
        #expect(try await lab.get().status == 200)
    }

    @Test func `whose pins came later is not reached over a connection from before`() async throws {
        let lab = try TestLab()
        #expect(try await lab.get().status == 200)
        var policy = lab.client.policy
        let other = try #require(Pin(try lab.authority.issue().pin))
        policy.pins = [try PinSet(hosts: [host], leaf: [other], backup: .notRequired)]
        lab.client.use(policy)
        let before = lab.server.counters.applicationBytes
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(lab.server.counters.applicationBytes == before)
        #expect(lab.server.counters.connections == 2)
    }
}

@Suite struct `A server that a person approved` {
    @Test func `is refused first, then answers, and with another key is refused again`() async throws {
        let lab = try TestLab(LeafProfile(isSelfSigned: true))
        let first = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let refusal) = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        let origin = try lab.url().origin
        let approval = try #require(CertificateApproval(of: refusal, origin: origin, at: TimeNow.seconds))
        var policy = lab.client.policy
        policy.approvals = [approval]
        lab.client.use(policy)
        #expect(try await lab.get().status == 200)
        #expect(try await lab.client.inspect(origin).decision == .allow(.approved([.selfSigned])))

        try lab.server.use(try lab.authority.issue(LeafProfile(isSelfSigned: true)))
        lab.server.dropConnections()
        let second = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let again) = second else {
            Issue.record("\(String(describing: second))")
            return
        }
        #expect(again.failures == [.selfSigned])
        #expect(again.summary?.spki != refusal.summary?.spki)
    }
}

@Suite struct `Looking at a server` {
    @Test func `shows the certificate and sends no byte of a request`() async throws {
        let lab = try TestLab()
        let found = try await lab.client.inspect(lab.url().origin)
        #expect(found.decision == .allow(.valid))
        #expect(found.summary?.names == ["localhost", "127.0.0.1"])
        #expect(found.summary?.key == "EC 256")
        #expect(found.path.count == 2)
        #expect(found.connection.tlsVersion == "TLSv1.3")
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `shows an untrusted one too`() async throws {
        let lab = try TestLab(LeafProfile(validity: .expired))
        let found = try await lab.client.inspect(lab.url().origin)
        guard case .ask(let refusal) = found.decision else {
            Issue.record("\(found.decision)")
            return
        }
        #expect(refusal.failures == [.expired])
        #expect(lab.server.counters.applicationBytes == 0)
    }
}
