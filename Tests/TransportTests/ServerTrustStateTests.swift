import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

/// Certificates of one server as a test shows them: `key` and `authority` number the keys, `serial` the certificate.
private struct Shown {
    var key: UInt8 = 1
    var authority: UInt8 = 9
    var serial = "01"
    var failures: [TrustFailure] = []
    var issuer = "CN=authority"

    var chain: EvaluatedChain {
        let (leaf, above) = (Self.pin(key), Self.pin(authority))
        let summary = CertificateSummary(
            subject: "CN=a", names: ["a.example"], issuer: issuer, notBefore: 0, notAfter: 1 << 40, key: "EC 256",
            signature: "ECDSA with SHA-256", serial: serial, fingerprint: fingerprint, spki: leaf.base64)
        return EvaluatedChain(
            failures: failures, path: [leaf, above], certificates: [], summary: summary)
    }

    var fingerprint: String { Hex.encode([key, authority] + [UInt8](repeating: UInt8(serial) ?? 0, count: 30)) }

    static func pin(_ byte: UInt8) -> Pin {
        guard let pin = Pin(Base64.encode([UInt8](repeating: byte, count: 32))) else { preconditionFailure("a pin") }
        return pin
    }
}

@Suite struct `What is known of a server` {
    private let origin = Origin("https://a.example")

    private func present(
        _ shown: Shown, to state: inout ServerTrustState, _ policy: TrustPolicy = TrustPolicy()
    ) -> ServerTrustState.Outcome {
        state.handle(.presented(shown.chain), policy: policy, at: origin, seconds: 1000)
    }

    private func managed(_ renewal: ManagedTrust.Renewal) -> TrustPolicy {
        TrustPolicy(managed: ManagedTrust(renewal: renewal))
    }

    @Test func `begins with a valid certificate, and stays with it`() {
        var state = ServerTrustState.unknown
        #expect(present(Shown(), to: &state) == .allow(.first))
        #expect(present(Shown(), to: &state) == .allow(.unchanged))
    }

    @Test(
        arguments: [
            (Shown(serial: "02"), [.sameKey: .renewedKey, .sameIssuers: .renewedKey, .validIsEnough: .renewedKey]),
            (Shown(key: 2, serial: "02"), [.sameIssuers: .renewedAuthority, .validIsEnough: .renewedAuthority]),
            (Shown(key: 2, authority: 8, serial: "02"), [.validIsEnough: .renewedValid]),
        ] as [(Shown, [ManagedTrust.Renewal: ServerTrustState.Note])])
    private func `is renewed as the rule says`(
        _ next: Shown, _ silent: [ManagedTrust.Renewal: ServerTrustState.Note]
    ) {
        for rule in ManagedTrust.Renewal.allCases {
            var state = ServerTrustState.unknown
            _ = present(Shown(), to: &state, managed(rule))
            let outcome = present(next, to: &state, managed(rule))
            if let note = silent[rule] {
                #expect(outcome == .allow(note))
            } else {
                guard case .ask(let review) = outcome else {
                    Issue.record("\(rule): \(outcome)")
                    continue
                }
                #expect(review.changes.contains { $0.field == .serial && $0.old == "01" && $0.new == "02" })
                #expect(review.failures.isEmpty)
            }
        }
    }

    @Test(arguments: [TrustFailure.expired, .wrongHost, .unknownAuthority, .selfSigned])
    func `is never renewed in silence when the same key fails`(_ failure: TrustFailure) {
        for rule in ManagedTrust.Renewal.allCases {
            var state = ServerTrustState.unknown
            _ = present(Shown(), to: &state, managed(rule))
            guard case .ask = present(Shown(serial: "02", failures: [failure]), to: &state, managed(rule)) else {
                Issue.record("\(rule)")
                continue
            }
        }
    }

    @Test func `is approved only for the bytes that were shown`() {
        var state = ServerTrustState.unknown
        let first = Shown(failures: [.selfSigned])
        let second = Shown(key: 2, serial: "02", failures: [.selfSigned])
        _ = present(first, to: &state)
        _ = present(second, to: &state)
        let approve = { (shown: Shown, state: inout ServerTrustState) in
            state.handle(
                .approve(fingerprint: shown.fingerprint), policy: TrustPolicy(), at: origin, seconds: 1000)
        }
        #expect(approve(first, &state) == .void)
        #expect(approve(second, &state) == .allow(.approved))
        #expect(approve(second, &state) == .void)
    }

    @Test func `asks again after the approval's end, for another key and for a further failure`() throws {
        let shown = Shown(failures: [.selfSigned])
        var state = ServerTrustState.unknown
        guard case .ask = present(shown, to: &state) else {
            Issue.record("not asked")
            return
        }
        let refusal = CertificateRefusal(failures: [.selfSigned], summary: shown.chain.summary, canBeApproved: true)
        let policy = TrustPolicy(
            approvals: [try #require(CertificateApproval(of: refusal, origin: origin, at: 1000))])
        _ = state.handle(.approve(fingerprint: shown.fingerprint), policy: policy, at: origin, seconds: 1000)
        #expect(present(shown, to: &state, policy) == .allow(.unchanged))
        #expect(present(Shown(serial: "02", failures: [.selfSigned]), to: &state, policy) == .allow(.renewedKey))
        for other in [Shown(key: 2, failures: [.selfSigned]), Shown(failures: [.selfSigned, .expired])] {
            var copy = state
            guard case .ask(let review) = present(other, to: &copy, policy) else {
                Issue.record("not asked")
                continue
            }
            #expect(review.previous != nil)
        }
        let late = state.handle(
            .presented(shown.chain), policy: policy, at: origin, seconds: 1001 + CertificateApproval.longestTime)
        guard case .ask = late else {
            Issue.record("\(late)")
            return
        }
    }

    @Test func `goes back to what it was after a no, so that an unknown key does not become a first one`() {
        var state = ServerTrustState.unknown
        _ = present(Shown(), to: &state)
        let stranger = Shown(key: 2, authority: 8, serial: "02")
        _ = present(stranger, to: &state)
        guard case .rejected = state.handle(.reject, policy: TrustPolicy(), at: origin, seconds: 1000) else {
            Issue.record("not rejected")
            return
        }
        guard case .ask = present(stranger, to: &state) else {
            Issue.record("a stranger was trusted")
            return
        }
    }

    @Test func `is not forgotten by a forged certificate in between`() {
        var state = ServerTrustState.unknown
        _ = present(Shown(), to: &state)
        guard case .deny = present(Shown(key: 3, failures: [.revoked]), to: &state) else {
            Issue.record("not denied")
            return
        }
        guard case .ask = present(Shown(key: 2, authority: 8, serial: "02"), to: &state) else {
            Issue.record("a stranger was trusted")
            return
        }
        var other = ServerTrustState.unknown
        _ = present(Shown(), to: &other)
        _ = present(Shown(key: 3, failures: [.revoked]), to: &other)
        #expect(present(Shown(), to: &other) == .allow(.unchanged))
    }

    @Test func `has an answer for every state and every event`() throws {
        let chains =
            TrustFailure.allCases.map { Shown(failures: [$0]) } + [Shown(), Shown(key: 2), Shown(key: 3, authority: 7)]
        let events: [ServerTrustState.Event] =
            chains.map { .presented($0.chain) } + [
                .presented(EvaluatedChain(failures: [], path: [], summary: nil)),
                .approve(fingerprint: Shown().fingerprint), .approve(fingerprint: ""), .reject,
            ]
        let policies =
            ManagedTrust.Renewal.allCases.flatMap { renewal in
                ManagedTrust.PersonApproval.allCases.map {
                    TrustPolicy(managed: .init(renewal: renewal, personApproval: $0))
                }
            } + [TrustPolicy(managed: ManagedTrust(allowedServers: []))]
        for policy in policies {
            var states: Set<ServerTrustState> = [.unknown]
            for _ in 0..<2 {
                for state in states {
                    for event in events {
                        var next = state
                        let outcome = next.handle(event, policy: policy, at: origin, seconds: 1000)
                        states.insert(next)
                        check(outcome, next, event, policy)
                    }
                }
            }
            #expect(states.count > 1)
        }
    }

    // What must hold after any event in any state.
    private func check(
        _ outcome: ServerTrustState.Outcome, _ state: ServerTrustState, _ event: ServerTrustState.Event,
        _ policy: TrustPolicy
    ) {
        switch (outcome, event) {
        case (.allow, .presented(let chain)):
            #expect(policy.decide(on: chain, at: origin, seconds: 1000).isAllowed)
        case (.allow, .approve(let fingerprint)): #expect(fingerprint == Shown().fingerprint)
        case (.allow, .reject): Issue.record("a no allowed")
        case (.ask, _):
            guard case .awaitingReview = state else {
                Issue.record("asked without a question")
                return
            }
        case (.deny, _):
            guard case .blocked = state else {
                Issue.record("denied without a block")
                return
            }
        case (.void, .presented): Issue.record("a handshake without an answer")
        default: break
        }
    }
}

@Suite struct `Management` {
    private let origin = Origin("https://a.example")

    @Test(arguments: [
        ("a.example", "https://a.example", true), ("a.example", "https://a.example:444", false),
        ("a.example:444", "https://a.example:444", true), ("a.example", "http://a.example:443", false),
        ("*.example.org", "https://a.example.org", true), ("*.example.org", "https://example.org", false),
        ("*.example.org", "https://b.a.example.org", false), ("*.example.org", "https://aexample.org", false),
    ])
    func `names servers by whole labels`(_ pattern: String, _ url: String, _ isCovered: Bool) throws {
        #expect(try #require(ServerPattern(pattern)).covers(Origin(url)) == isCovered)
    }

    @Test(arguments: [
        "", "*", "*.", "*.org", "a.*.org", "*a.example", "https://a.example", "*.127.0.0.1", "a.example/x", "a b",
    ])
    func `takes no other pattern`(_ text: String) { #expect(ServerPattern(text) == nil) }

    @Test func `denies a server, a key, a certificate and an issuer, whatever a person approved`() throws {
        let shown = Shown(failures: [.selfSigned])
        let refusal = CertificateRefusal(failures: [.selfSigned], summary: shown.chain.summary, canBeApproved: true)
        let approval = try #require(CertificateApproval(of: refusal, origin: origin, at: 1000))
        let digest = try #require(CertificateDigest(shown.fingerprint))
        let rules = [
            ManagedTrust(allowedServers: [try #require(ServerPattern("b.example"))]),
            ManagedTrust(denied: .init(keys: [Shown.pin(1)])), ManagedTrust(denied: .init(keys: [Shown.pin(9)])),
            ManagedTrust(denied: .init(certificates: [digest])), ManagedTrust(denied: .init(issuers: ["CN=authority"])),
        ]
        for rule in rules {
            for failures in [[], [TrustFailure.selfSigned]] {
                let policy = TrustPolicy(approvals: [approval], managed: rule)
                let decision = policy.decide(on: Shown(failures: failures).chain, at: origin, seconds: 1000)
                guard case .deny(let refusal) = decision else {
                    Issue.record("\(rule): \(decision)")
                    continue
                }
                #expect(refusal.failures.contains(.denied))
            }
        }
    }

    @Test func `keeps every request inside its list of servers: no connection is made elsewhere`() async throws {
        let lab = try TestLab()
        let other = try LabServer.start(try lab.authority.issue()) { _ in .text("outside") }
        let target = other.address("/", host: "localhost")
        lab.server.answer { _ in .redirect(302, to: target) }
        var policy = lab.client.policy
        policy.managed.allowedServers = [try #require(ServerPattern("localhost:\(lab.server.port)"))]
        lab.client.use(policy)
        let outcome = try await lab.client.send(HTTPRequest("GET", lab.url()), following: .sameOrigin)
        #expect(outcome.response.status == 302)
        let url = try WebURL(target)
        let direct = await failure { () throws(TransportFailure) in try await lab.client.send(HTTPRequest("GET", url)) }
        let start = try lab.url()
        let followed = await failure { () throws(TransportFailure) in
            try await lab.client.send(HTTPRequest("GET", start), following: .withConsent) { _, _ in true }
        }
        let looked = await failure { () throws(TransportFailure) in try await lab.client.inspect(url.origin) }
        for end in [direct, followed, looked] {
            guard case .untrusted(let refusal) = end else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(refusal.failures == [.denied])
        }
        #expect(other.counters.connections == 0)
    }

    @Test func `approves before anybody is asked: this server, this key, these failures, this time`() {
        let approval = ManagedTrust.Approval(
            host: "a.example", key: Shown.pin(1), failures: [.selfSigned], expires: 2000)
        let policy = TrustPolicy(managed: ManagedTrust(preApproved: [approval], personApproval: .forbidden))
        func allows(_ shown: Shown, _ server: String = "https://a.example", at seconds: Int64 = 2000) -> Bool {
            policy.decide(on: shown.chain, at: Origin(server), seconds: seconds).isAllowed
        }
        #expect(allows(Shown(failures: [.selfSigned])))
        #expect(!allows(Shown(failures: [.selfSigned, .expired])))
        #expect(!allows(Shown(key: 2, failures: [.selfSigned])))
        #expect(!allows(Shown(failures: [.selfSigned]), "https://b.example"))
        #expect(!allows(Shown(failures: [.selfSigned]), "https://a.example:444"))
        #expect(!allows(Shown(failures: [.selfSigned]), at: 2001))
        let empty = ManagedTrust.Approval(host: "a.example", failures: [.selfSigned], expires: 2000)
        let nothing = TrustPolicy(managed: ManagedTrust(preApproved: [empty]))
        #expect(!nothing.decide(on: Shown(failures: [.selfSigned]).chain, at: origin, seconds: 0).isAllowed)
    }

    @Test(arguments: [
        (ManagedTrust.PersonApproval.allowed, [TrustFailure.wrongHost], true), (.allowed, [.selfSigned], true),
        (.onlySelfSigned, [.selfSigned], true), (.onlySelfSigned, [.selfSigned, .wrongHost], false),
        (.onlySelfSigned, [.expired], false), (.forbidden, [.selfSigned], false),
    ])
    func `says what a person may approve`(
        _ rule: ManagedTrust.PersonApproval, _ failures: [TrustFailure], _ mayAsk: Bool
    ) {
        let policy = TrustPolicy(managed: ManagedTrust(personApproval: rule))
        let decision = policy.decide(on: Shown(failures: failures).chain, at: origin, seconds: 0)
        #expect(decision.refusal?.canBeApproved == mayAsk)
    }
}
