import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// session/BAR1: whatever the instant at which callers arrive, one refresh token is spent once.
@Suite struct RefreshRaceTests {
    @Test(.long, arguments: 0..<200)
    func `a thousand callers around the completion instant cause one call`(_ run: Int) async throws {
        let server = ScriptedServer(onToken: { for _ in 0..<(run * 7 % 40) { await Task.yield() } })
        let stage = try Stage(server)
        try await stage.signIn()
        server.set { $0.access = [] }
        let session = stage.session()
        let old = try await session.accessToken()
        // Some ask at once, some while the refresh runs, some after it: the stagger changes with each run.
        let good = await withTaskGroup(of: Bool.self) { group in
            for caller in 0..<1000 {
                group.addTask {
                    for _ in 0..<((caller % 32) * (run % 5) / 16) { await Task.yield() }
                    return (try? await session.token(.refused(old.stamp)))?.stamp.generation == 2
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 1000)
        #expect(server.refreshCalls == 1)
        #expect(server.state.withLock { $0.isFamilyDead } == false)
    }

    @Test(arguments: [2, 3, 8])
    func `several processes over one store spend a token once`(_ count: Int) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.access = [] }
        let request = try stage.request()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                let session = stage.session()
                for _ in 0..<100 { group.addTask { try await session.send(request).status } }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [200])
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `a late 401 of an old token leaves the fresh one alone`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        let old = try await session.accessToken()
        _ = try await session.forceRefresh()
        let again = try await session.token(.refused(old.stamp))
        #expect(again.stamp.generation == 2)
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `a forced refresh follows an ordinary one`() async throws {
        let stage = try Stage(ScriptedServer(onToken: { for _ in 0..<50 { await Task.yield() } }))
        try await stage.signIn()
        stage.time.advance(seconds: 2000)
        let session = stage.session()
        async let ordinary = session.accessToken()
        while await session.machine?.isRefreshing != true { await Task.yield() }
        let forced = try await session.forceRefresh()
        #expect(try await ordinary.stamp.generation == 2)
        #expect(forced.stamp.generation == 3)
        #expect(stage.server.refreshCalls == 2)
    }

    @Test func `a cancelled caller cancels nobody else`() async throws {
        let mayAnswer = Atomic(false)
        let stage = try Stage(
            ScriptedServer(onToken: { while !mayAnswer.load(ordering: .acquiring) { await Task.yield() } }))
        try await stage.signIn()
        stage.time.advance(seconds: 2000)
        let session = stage.session()
        let first = Task { try await session.accessToken() }
        while await session.machine?.isRefreshing != true { await Task.yield() }
        let second = Task { try await session.accessToken() }
        first.cancel()
        await #expect(throws: SessionFailure.cancelled) { try await first.value }
        mayAnswer.store(true, ordering: .releasing)
        #expect(try await second.value.stamp.generation == 2)
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `one session's refresh never satisfies another session`() async throws {
        let one = try Stage()
        let other = try Stage()
        try await one.signIn()
        try await other.signIn()
        for stage in [one, other] { stage.time.advance(seconds: 2000) }
        async let first = one.session().accessToken()
        async let second = other.session().accessToken()
        _ = try await (first, second)
        #expect([one.server.refreshCalls, other.server.refreshCalls] == [1, 1])
    }

    @Test func `forced refreshes that follow each other meet the same cap`() async throws {
        let turnstile = Turnstile()
        let stage = try Stage(ScriptedServer(onToken: { await turnstile.pass() }))
        try await stage.signIn()
        let session = stage.session()
        var callers: [Task<UInt64, any Error>] = []
        for number in 1...6 {
            // Each comes while the one before is on its way, and follows it.
            callers.append(Task { try await session.forceRefresh().stamp.generation })
            while await session.waiters.count < (number == 1 ? 1 : 2) { await Task.yield() }
            if number > 1 { turnstile.open() }
            while await session.waiters.count > 1 { await Task.yield() }
        }
        turnstile.openForGood()
        for (number, caller) in callers.dropLast().enumerated() {
            #expect(try await caller.value == UInt64(number + 2))
        }
        await #expect(throws: SessionFailure.tooManyRefreshes) { try await callers[5].value }
        #expect(stage.server.refreshCalls == 5)
    }

    @Test func `more than five refreshes in half a minute are refused`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        for _ in 0..<5 { _ = try await session.forceRefresh() }
        await #expect(throws: SessionFailure.tooManyRefreshes) { try await session.forceRefresh() }
        #expect(stage.server.refreshCalls == 5)
        stage.time.advance(seconds: 31)
        _ = try await session.forceRefresh()
        #expect(stage.server.refreshCalls == 6)
    }
}
