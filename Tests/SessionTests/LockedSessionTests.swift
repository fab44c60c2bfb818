import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

/// A session that lives in memory stops with the app lock (RV-M4, NU-B3, app-lock AL43).
@Suite struct LockedSessionTests {
    /// What a caller can ask for.
    enum Call: CaseIterable {
        case send, stream, accessToken, forceRefresh

        func make(_ session: Session, _ request: HTTPRequest) async throws {
            switch self {
            case .send: _ = try await session.send(request)
            case .stream: _ = try await session.stream(request, head: { _ in true }, receive: { _ in })
            case .accessToken: _ = try await session.accessToken()
            case .forceRefresh: _ = try await session.forceRefresh()
            }
        }
    }

    @Test(arguments: Call.allCases, [true, false])
    func `while the lock is closed nothing is lent or sent, and after an unlock the first request goes through`(
        _ call: Call, isTold: Bool
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        try await call.make(session, stage.request())
        let before = stage.server.uses
        // By its time it closes without a word; the clocks stand still, so the token of a moment ago would still be
        // lent.
        gate.close(isTold: isTold)
        await #expect(throws: SessionFailure.locked) { try await call.make(session, stage.request()) }
        #expect(await session.state == .locked)
        #expect(stage.server.uses == before)
        gate.open(isTold: isTold)
        try await call.make(session, stage.request())
        #expect(await session.state == .active)
        #expect(stage.server.uses > before || call == .accessToken)
    }

    @Test func `with the lock everything in memory goes, before anybody asks`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        _ = try await session.send(stage.request())
        #expect(await session.lent.token(at: ClockReading(stage.time.source)) != nil)
        gate.close()
        #expect(await session.lent.token(at: ClockReading(stage.time.source)) == nil)
        #expect(await stage.comesTo(session, isClosed: true))
        #expect(await session.isEmptyHanded)
    }

    @Test func `a session that nobody has any more leaves no token with the lock that it followed`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let gate = ScriptedGate()
        var session: Session? = stage.session(behind: gate)
        _ = try await session?.send(stage.request())
        weak let lent = await session?.lent
        #expect(lent != nil)
        session = nil
        #expect(await stage.comesTo { lent == nil })
    }

    @Test func `sessions that nobody has any more do not gather at a lock that stays as it is`() throws {
        let stage = try Stage()
        let gate = ScriptedGate()
        for _ in 0..<50 { _ = stage.session(behind: gate) }
        #expect(gate.observerCount <= 2)
    }

    @Test func `observers are told that it is locked, and that it goes on`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        var states = await session.states.makeAsyncIterator()
        #expect(await states.next() == .active)
        gate.close()
        #expect(await states.next() == .locked)
        gate.open()
        #expect(await states.next() == .active)
    }

    @Test func `who waits for a refresh is told, and what the refresh brought is there after the unlock`() async throws
    {
        let turnstile = Turnstile()
        let stage = try Stage(ScriptedServer { await turnstile.pass() })
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        let waiting = Task { try await session.send(stage.request()) }
        #expect(await stage.comesTo { turnstile.isWaitedAt })
        // The answer cannot be stored while the lock is closed: the key that seals is not there.
        stage.memory.set { $0.writeFailures = [.locked(status: -25308), .locked(status: -25308)] }
        gate.close()
        await #expect(throws: SessionFailure.locked) { try await waiting.value }
        turnstile.openForGood()
        await session.settle()
        #expect(await session.unsaved?.refresh?.text == "rt-1")
        #expect(await session.record == nil)
        stage.memory.set { $0.writeFailures = [] }
        gate.open()
        #expect(try await session.send(stage.request()).status == 200)
        #expect(stage.server.refreshCalls == 1)
        await session.settle()
        #expect(try stage.record?.refresh?.text == "rt-1")
    }

    @Test func `a pause from before the lock is not left over after it`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        stage.server.script(.status(503), .status(503), .status(503))
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        await #expect(throws: SessionFailure.self) { try await session.send(stage.request()) }
        gate.close()
        await #expect(throws: SessionFailure.locked) { try await session.send(stage.request()) }
        stage.server.set { $0.replies = [] }
        gate.open()
        #expect(try await session.send(stage.request()).status == 200)
    }

    @Test func `a retry by itself sends nothing while the lock is closed`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        stage.server.script(.status(503))
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        await #expect(throws: SessionFailure.self) { try await session.send(stage.request()) }
        let calls = stage.server.refreshCalls
        gate.close(isTold: false)
        stage.time.advance(seconds: 600)
        await session.retry()
        await session.wakeUp()
        #expect(stage.server.refreshCalls == calls)
    }

    @Test func `a password is not lent either`() async throws {
        let stage = try Stage()
        let gate = ScriptedGate()
        let vault = TokenVault(store: stage.memory, key: stage.key)
        let access = BasicAccess(
            vault: vault, name: Stage.name, origin: stage.resource, client: stage.server.client, gate: gate)
        try access.store(user: "ada", password: SecretBytes(utf8: "canary"))
        _ = try await access.send(stage.request())
        let before = stage.server.uses
        gate.close(isTold: false)
        await #expect(throws: SessionFailure.locked) { try await access.send(stage.request()) }
        await #expect(throws: SessionFailure.locked) {
            try await access.stream(stage.request(), head: { _ in true }, receive: { _ in })
        }
        #expect(stage.server.uses == before)
        gate.open(isTold: false)
        _ = try await access.send(stage.request())
    }

    @Test func `a password that could not be stored is not taken for one that is`() throws {
        let stage = try Stage()
        let access = BasicAccess(
            vault: TokenVault(store: stage.memory, key: stage.key), name: Stage.name, origin: stage.resource,
            client: stage.server.client)
        stage.memory.set { $0.writeFailures = [.system(status: -36)] }
        #expect(throws: BasicAccess.Problem.store(.system(status: -36))) {
            try access.store(user: "ada", password: SecretBytes(utf8: "canary"))
        }
        #expect(try !access.isSignedIn())
    }

    @Test func `the words speak of the app and not of a keychain`() {
        for words in [SessionFailure.locked.description, SessionState.locked.notice?.message ?? ""] {
            #expect(words.hasPrefix("The app is locked."))
        }
        #expect(SessionState.locked.notice?.action == .unlock)
        #expect(SessionState.locked.notice?.isEnd == false)
    }
}

/// A lock that a test opens and closes, with or without telling.
final class ScriptedGate: AccessGate {
    private struct State {
        var isOpen = true
        var observers = GateObservers()
    }
    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }
    var observerCount: Int { state.withLock { $0.observers.count } }
    func observe(for owner: (any AnyObject & Sendable)?, _ body: @escaping @Sendable (Bool) -> Bool) {
        state.withLock { $0.observers.add(for: owner, body) }
    }
    func open(isTold: Bool = true) { set(true, isTold) }
    func close(isTold: Bool = true) { set(false, isTold) }

    private func set(_ isOpen: Bool, _ isTold: Bool) {
        let observers = state.withLock { state in
            state.isOpen = isOpen
            return state.observers.all
        }
        if isTold { for (_, observer) in observers { _ = observer(isOpen) } }
    }
}

extension Session {
    fileprivate var isEmptyHanded: Bool {
        record == nil && machine == nil && proving == nil && unsaved == nil
            && lent.token(at: ClockReading(environment.time)) == nil
    }
}

extension Stage {
    func session(behind gate: ScriptedGate) -> Session {
        var environment = environment
        environment.gate = gate
        return Session(store: store, client: server.client, environment: environment, policy: RefreshPolicy())
    }

    fileprivate func comesTo(_ session: Session, isClosed: Bool) async -> Bool {
        for _ in 0..<2_000_000 {
            if await session.isClosed == isClosed { return true }
            await Task.yield()
        }
        return false
    }
}

extension ScriptedServer {
    /// How often anything was sent.
    fileprivate var uses: Int { state.withLock { $0.refreshCalls + $0.bearers.count } }
}
