import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

/// Sign-out, epochs, and stores that cannot say.
@Suite struct SessionEndTests {
    @Test(arguments: [
        ScriptedServer.Reply.status(200), .status(503), .failure(.network("offline", sent: false)),
    ])
    func `signing out wipes here, whatever the server says`(_ reply: ScriptedServer.Reply) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.revocationReply = reply }
        let session = stage.session()
        let report = await session.signOut()
        #expect(report.localFailure == nil)
        let isTaken = if case .status(200, _, _, _) = reply { true } else { false }
        #expect(report.revocation == (isTaken ? .done : .failed))
        #expect(stage.server.revoked == ["rt-0", "at-0"])
        let record = try stage.record
        #expect(record?.access == nil && record?.refresh == nil)
        #expect(await session.state == .signedOut)
        await #expect(throws: SessionFailure.signedOut) { try await session.accessToken() }
        #expect(await stage.session().state == .signedOut)
    }

    @Test func `a server that knows clients by their access token alone still revokes`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.revocationReply = .status(401) }
        #expect(await stage.session().signOut().revocation == .done)
        #expect(stage.server.state.withLock { $0.bearers }.contains("at-0"))
        #expect(try stage.record?.refresh == nil)
    }

    @Test func `a revocation that hangs is left behind after five seconds`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.revocationReply = .hang }
        let session = stage.session()
        let leaving = Task { await session.signOut() }
        await stage.naps.waitForSleeper(from: .seconds(5), upTo: .seconds(5))
        #expect(try stage.record?.refresh == nil)
        stage.naps.wake(from: .seconds(5), upTo: .seconds(6))
        #expect(await leaving.value.revocation == .failed)
        stage.server.releaseHung()
    }

    @Test(arguments: [false, true])
    func `a refresh that lands after a sign-out stores nothing and is revoked`(_ heedsCancellation: Bool) async throws {
        let gate = Gate()
        let stage = try Stage(ScriptedServer(onToken: { await gate.wait() }))
        // The sign-out cancels the refresh, and what it sends from then on would not be sent.
        stage.server.set { $0.heedsCancellation = heedsCancellation }
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let session = stage.session()
        let caller = Task { try await session.accessToken() }
        await gate.waitForGuest()
        let leaving = Task { await session.signOut() }
        await #expect(throws: SessionFailure.signedOut) { try await caller.value }
        gate.open()
        _ = await leaving.value
        // Whoever refreshes holds this lock to the very end.
        _ = try await stage.store.refreshLock(wait: .seconds(60))
        #expect(stage.server.revoked.contains("rt-1"))
        #expect(try stage.record?.refresh == nil)
        #expect(try stage.record?.ending == .signedOut)
        #expect(await session.state == .signedOut)
    }

    @Test func `a refresh of one user never lands with the next one`() async throws {
        let gate = Gate()
        let stage = try Stage(ScriptedServer(onToken: { await gate.wait() }))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let first = stage.session()
        let caller = Task { try await first.accessToken() }
        await gate.waitForGuest()
        // Another process signs in again meanwhile: same user, new epoch.
        try await stage.signIn()
        gate.open()
        await #expect(throws: SessionFailure.sessionChanged) { try await caller.value }
        #expect(try stage.record?.refresh?.text == "rt-0")
        #expect(try stage.record?.epoch == 2)
        #expect(try await first.accessToken().stamp.epoch == 2)
    }

    @Test(arguments: [true, false])
    func `a refresh never spends or adopts the token of another epoch`(_ isForced: Bool) async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        _ = try await session.accessToken()
        stage.time.advance(seconds: 1801)
        // Another process signs in again, and this object does not know yet.
        try await stage.signIn()
        await #expect(throws: SessionFailure.sessionChanged) {
            try await session.token(isForced ? .forced : .token)
        }
        #expect(stage.server.refreshCalls == 0)
        #expect(try stage.record?.epoch == 2 && stage.record?.pending == nil)
        #expect(try stage.record?.refresh?.text == "rt-0")
        #expect(try await session.accessToken().stamp.epoch == 2)
    }

    @Test func `a session that the server ends does not go on with the tokens of another epoch`() async throws {
        let gate = Gate()
        let stage = try Stage(ScriptedServer(onToken: { await gate.wait() }))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let session = stage.session()
        stage.server.script(.status(400, body: #"{"error":"invalid_grant"}"#))
        let caller = Task { try await session.accessToken() }
        await gate.waitForGuest()
        try await stage.signIn()
        gate.open()
        await #expect(throws: SessionFailure.sessionChanged) { try await caller.value }
        #expect(try stage.record?.epoch == 2 && stage.record?.ending == nil)
        #expect(stage.server.revoked.isEmpty)
    }

    @Test(arguments: [false, true])
    func `after a second 401 there is no third try`(_ isStreamed: Bool) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.refusesAll = true }
        let session = stage.session()
        let request = try stage.request()
        let heads = Mutex<[Int]>([])
        let answer =
            if isStreamed {
                try await session.stream(
                    request,
                    head: { head in
                        heads.withLock { $0.append(head.status) }
                        return true
                    }, receive: { _ in })
            } else {
                try await session.send(request)
            }
        #expect(answer.status == 401)
        #expect(stage.server.state.withLock { $0.bearers } == ["at-0", "at-1"])
        #expect(stage.server.refreshCalls == 1)
        // The caller sees the final answer's head, and no other.
        #expect(heads.withLock { $0 } == (isStreamed ? [401] : []))
    }

    @Test func `a second process adopts what the first one refreshed`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let one = stage.session()
        let other = stage.session()
        let old = try await other.accessToken()
        _ = try await one.forceRefresh()
        #expect(try await other.token(.refused(old.stamp)).stamp.generation == 2)
        #expect(stage.server.refreshCalls == 1)
    }

    @Test(arguments: [
        VaultFailure.locked(status: -25308), .denied(status: -128), .corrupt(.item), .system(status: -61),
    ])
    func `a store that cannot say is no signed-out store`(_ failure: VaultFailure) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.memory.set { $0.readFailure = failure }
        let session = stage.session()
        #expect(await session.state == .unknown(failure))
        await #expect(throws: SessionFailure.store(failure)) { try await session.accessToken() }
        #expect(stage.memory.state.withLock { $0.writes } == 1)
        stage.memory.set { $0.readFailure = nil }
        #expect(try await session.accessToken().stamp.generation == 1)
    }

    @Test(arguments: [VaultFailure.locked(status: -25308), .denied(status: -128), .system(status: -61)])
    func `a sign-in over a store that cannot say changes nothing`(_ failure: VaultFailure) async throws {
        let stage = try Stage()
        try await stage.signIn(subject: "ann")
        let before = stage.memory.state.withLock { $0.items }
        stage.memory.set { $0.readFailure = failure }
        await #expect(throws: failure) { try await stage.signIn(subject: "bob") }
        #expect(stage.memory.state.withLock { $0.items } == before)
    }

    @Test func `a lost key asks for a new sign-in and keeps the packet until then`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.key.lose()
        let session = stage.session()
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await session.accessToken() }
        #expect(stage.memory.state.withLock { $0.items.count } == 1)
        try await stage.signIn()
        #expect(try await session.accessToken().stamp.epoch > 1)
    }

    @Test func `another user cannot take over a connection`() async throws {
        let stage = try Stage()
        try await stage.signIn(subject: "ann")
        _ = await stage.session().signOut()
        try await stage.signIn(subject: "bob")
        #expect(try stage.record?.ending == .signedOut)
        try await stage.signIn(subject: "ann")
        #expect(try stage.record?.ending == nil)
    }

    @Test(arguments: [
        #","id_token":"e30.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJzdWIiOiJib2IifQ.x""#,
        #","id_token":"e30.eyJpc3MiOiJodHRwczovL2V2aWwuZXhhbXBsZSIsInN1YiI6ImFubiJ9.x""#,
    ])
    func `a refresh for another user or issuer ends the session and revokes`(_ extra: String) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.extra = extra }
        let session = stage.session()
        await #expect(throws: SessionFailure.reloginNeeded(.identityMismatch)) { try await session.forceRefresh() }
        await session.settle()
        #expect(stage.server.revoked == ["rt-1", "at-0"])
        #expect(try stage.record?.access == nil)
    }

    @Test func `an answer without a refresh token keeps the old one`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.keepsRefreshToken = true }
        _ = try await stage.session().forceRefresh()
        #expect(try stage.record?.refresh?.text == "rt-0")
        #expect(try stage.record?.generation == 2)
    }

    @Test func `a session without a refresh token ends with its access token`() async throws {
        let stage = try Stage()
        try await stage.signIn(refresh: nil)
        let session = stage.session()
        _ = try await session.accessToken()
        stage.time.advance(seconds: 1801)
        await #expect(throws: SessionFailure.reloginNeeded(.expired)) { try await session.accessToken() }
        #expect(stage.server.refreshCalls == 0)
    }

    @Test(arguments: [
        "https://evil.example/", "http://cloud.example/", "https://cloud.example:8443/", "https://id.example/",
    ])
    func `no token goes to another origin`(_ address: String) async throws {
        let stage = try Stage()
        try await stage.signIn()
        let request = HTTPRequest("GET", try WebURL(address))
        await #expect(throws: SessionFailure.foreignOrigin(request.url.origin)) {
            try await stage.session().send(request)
        }
        #expect(stage.server.state.withLock { $0.bearers }.isEmpty)
    }

    @Test(
        arguments: [
            (401, "Bearer error=\"invalid_token\"", true), (401, "", true),
            (401, "Bearer error=\"insufficient_scope\", scope=\"admin\"", false), (403, "", false),
            (403, "Bearer error=\"insufficient_scope\"", false), (403, "Bearer error=\"invalid_token\"", false),
            (400, "Bearer error=\"invalid_token\"", false), (407, "", false),
        ] as [(Int, String, Bool)])
    func `only a 401 that is about the token renews it, want of scope does not`(
        _ status: Int, _ challenge: String, _ renews: Bool
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set {
            $0.access = []
            $0.refusal = (status, challenge.isEmpty ? [:] : ["WWW-Authenticate": challenge])
        }
        #expect(try await stage.session().send(try stage.request()).status == (renews ? 200 : status))
        #expect(stage.server.refreshCalls == (renews ? 1 : 0))
        #expect(stage.server.state.withLock { $0.bearers.count } == (renews ? 2 : 1))
    }

    @Test func `no token is printed`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        let token = try await session.accessToken()
        var text = ""
        dump(token, to: &text)
        dump(session, to: &text)
        dump(try #require(try stage.record), to: &text)
        text += "\(token) \(String(reflecting: token)) \(token.secret) \(String(describing: try stage.record))"
        #expect(!text.contains("at-0") && !text.contains("rt-0"))
        let stored = stage.memory.state.withLock { $0.items.values.map { String(decoding: $0, as: UTF8.self) } }
        #expect(!stored.joined().contains("rt-0"))
    }
}

/// Holds whoever comes until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var guests: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.guests.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func waitForGuest() async { while state.withLock({ $0.guests.isEmpty }) { await Task.yield() } }

    func open() {
        let guests = state.withLock { state in
            state.isOpen = true
            defer { state.guests = [] }
            return state.guests
        }
        for guest in guests { guest.resume() }
    }
}
