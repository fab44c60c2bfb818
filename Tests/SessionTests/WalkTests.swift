import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// The pure machines, explored: every sequence of events up to a depth.
@Suite struct WalkTests {
    @Test(arguments: [false, true])
    func `no sequence of six events makes the refresh machine break a rule`(_ mustRecover: Bool) {
        var layer: Set = [RefreshWalk(mustRecover: mustRecover)]
        var seen = layer
        for _ in 0..<6 {
            var next: Set<RefreshWalk> = []
            for walk in layer {
                for event in RefreshWalk.Event.allCases {
                    guard let after = walk.after(event) else { continue }
                    if let breach = after.breaches.first {
                        Issue.record("\(event): \(breach), \(walk)")
                        return
                    }
                    if seen.insert(after).inserted { next.insert(after) }
                }
            }
            layer = next
        }
        // The walk goes far: a machine that refused everything would have few states.
        #expect(seen.count > 10_000, "\(seen.count) states")
    }

    /// What can come to a sign-in attempt.
    enum Callback: CaseIterable {
        case good, otherState, noState, doubledState, malformed, otherIssuer, refusal, noCode, token, abandon

        func query(_ state: String) -> String? {
            switch self {
            case .good: "code=c&state=\(state)&iss=https%3A%2F%2Fid.example"
            case .otherState: "code=c&state=other&iss=https%3A%2F%2Fid.example"
            case .noState: "code=c"
            case .doubledState: "code=c&state=\(state)&state=\(state)"
            case .malformed: "%zz"
            case .otherIssuer: "code=c&state=\(state)&iss=https%3A%2F%2Fevil.example"
            case .refusal: "error=access_denied&state=\(state)&iss=https%3A%2F%2Fid.example"
            case .noCode: "state=\(state)&iss=https%3A%2F%2Fid.example"
            case .token: "code=c&access_token=t&state=\(state)"
            case .abandon: nil
            }
        }

        /// Whether somebody who does not know the state can bring it about.
        var isForeign: Bool { [.otherState, .noState, .doubledState, .malformed].contains(self) }
    }

    @Test(.long, arguments: [AuthorizationAttempt.Delivery.system, .loopback])
    func `no sequence of four callbacks gets a second code or a code without the state`(
        _ delivery: AuthorizationAttempt.Delivery
    ) throws {
        for first in Callback.allCases {
            for second in Callback.allCases {
                for third in Callback.allCases {
                    for fourth in Callback.allCases { try play([first, second, third, fourth], delivery) }
                }
            }
        }
    }

    private func play(_ callbacks: [Callback], _ delivery: AuthorizationAttempt.Delivery) throws {
        let server = AuthorizationServer(
            issuer: "https://id.example", authorizationEndpoint: try WebURL("https://id.example/auth"),
            tokenEndpoint: try WebURL("https://id.example/token"), advertisesIssuer: true)
        let attempt = try AuthorizationAttempt(
            at: server, clientID: "app", redirect: "http://127.0.0.1:5/callback", scopes: ["openid"])
        let state = try #require(
            FormEncoding.decode(attempt.url.query ?? "")?.first { $0.name == "state" }?.value)
        var codes = 0
        var isOpen = true
        for callback in callbacks {
            guard let query = callback.query(state) else {
                attempt.abandon()
                isOpen = false
                continue
            }
            let code = try? attempt.accept(query, from: delivery)
            if code != nil { codes += 1 }
            #expect((code != nil) == (isOpen && callback == .good), "\(callbacks) \(callback)")
            // A stranger's call is turned away at loopback, where anybody can call, and ends the attempt elsewhere.
            if !(callback.isForeign && delivery == .loopback) { isOpen = false }
        }
        #expect(codes <= 1)
    }

    /// What can happen to a session while a refresh is on its way.
    enum Happening: CaseIterable {
        case ask, answer, lose, signOut, storeFails
    }

    @Test(.long) func `no sequence of four happenings stores a token after a sign-out`() async throws {
        for first in Happening.allCases {
            for second in Happening.allCases {
                for third in Happening.allCases {
                    for fourth in Happening.allCases { try await play([.ask, first, second, third, fourth, .signOut]) }
                }
            }
        }
    }

    private func play(_ happenings: [Happening]) async throws {
        let gate = Turnstile()
        let stage = try Stage(ScriptedServer(rotation: .grace, onToken: { await gate.pass() }))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let session = stage.session()
        var callers: [Task<Void, Never>] = []
        var isOut = false
        for happening in happenings {
            switch happening {
            case .ask:
                callers.append(Task { _ = try? await session.accessToken() })
                for _ in 0..<20 { await Task.yield() }
            case .answer: gate.open()
            case .lose:
                stage.server.script(.workThenLose)
                gate.open()
            case .signOut:
                // The answer comes at the same time.
                gate.open(2)
                isOut = await session.signOut().localFailure == nil
            case .storeFails: stage.memory.set { $0.writeFailures = [.system(status: -36)] }
            }
            for _ in 0..<20 { await Task.yield() }
        }
        gate.openForGood()
        for caller in callers { await caller.value }
        // Whoever refreshes holds this lock to the very end.
        _ = try await stage.store.refreshLock(wait: .seconds(60))
        let record = try stage.record
        guard isOut else { return }
        #expect(record?.access == nil && record?.refresh == nil, "\(happenings)")
    }
}
