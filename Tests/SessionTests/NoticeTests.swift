import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// The auto-logout policy: each limit, at its second, with the notice that the person sees.
@Suite struct NoticeTests {
    /// The limits that end a session by themselves, and the second at which each does.
    static let limits: [(RefreshPolicy, Int64, ReloginReason)] = {
        var short = RefreshPolicy()
        short.absoluteLimit = .seconds(7200)
        return [(RefreshPolicy(), 14 * 86_400, .inactivity), (short, 7200, .absoluteLimit)]
    }()

    @Test(arguments: limits)
    func `a limit ends the session at its second and not before`(
        _ policy: RefreshPolicy, _ seconds: Int64, _ reason: ReloginReason
    ) async throws {
        let stage = try Stage()
        try await stage.signIn(lifetime: 31_536_000)
        stage.time.advance(seconds: Double(seconds - 1))
        let session = stage.session(policy)
        _ = try await session.accessToken()
        let left = try #require(await session.timeLeft)
        #expect(left.next == reason)
        #expect(min(left.untilMaximum, left.untilInactive) == .seconds(1))
        stage.time.advance(seconds: 1)
        await #expect(throws: SessionFailure.reloginNeeded(reason)) { try await session.accessToken() }
        #expect(await session.timeLeft == nil)
        let notice = try #require(await session.state.notice)
        #expect(notice.isEnd && notice.action == .signIn)
        #expect(notice.message.contains(reason.sentence))
        #expect(stage.server.refreshCalls == 0)
        #expect(try stage.record?.refresh == nil && stage.record?.identity?.subject == "ann")
    }

    @Test func `five rejections end the session with their notice, four with none`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let session = stage.session()
        for count in 1...5 {
            stage.server.script(.status(401))
            await #expect(throws: SessionFailure.self) { try await session.accessToken() }
            let notice = await session.state.notice
            #expect((notice?.isEnd ?? false) == (count == 5))
            stage.time.advance(seconds: 20)
        }
        #expect(await session.state.notice?.title == "The server ended your session")
    }

    @Test func `every end has a notice of its own that says what to do, and a passing fault never sounds like one`() {
        for reason in ReloginReason.allCases {
            let notice = reason.notice
            #expect(notice.isEnd && notice.message.contains("Sign in again") && !notice.title.isEmpty)
        }
        #expect(Set(ReloginReason.allCases.map(\.notice.message)).count == ReloginReason.allCases.count)
        for reason in DegradedReason.allCases {
            #expect(!reason.notice.isEnd && reason.notice.message.contains("You stay signed in"))
        }
        #expect(SessionState.unknown(.locked(status: -25308)).notice?.action == .unlock)
        #expect(SessionState.active.notice == nil && SessionState.signedOut.notice == nil)
    }

    @Test func `an observer sees each state once, in order, and a locked store is no sign-out`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        let states = await session.states
        stage.server.script(.status(500))
        _ = try? await session.forceRefresh()
        stage.time.advance(seconds: 100)
        _ = try await session.forceRefresh()
        _ = await session.signOut()
        var seen: [SessionState] = []
        for await state in states {
            seen.append(state)
            if state == .signedOut { break }
        }
        #expect(seen == [.active, .refreshing, .active, .refreshing, .active, .signedOut])
        try await stage.signIn()
        stage.memory.set { $0.readFailure = .locked(status: -25308) }
        let locked = stage.session()
        for await state in await locked.states {
            #expect(state == .unknown(.locked(status: -25308)))
            break
        }
    }

    @Test func `two people at one server, and one at another, share nothing`() async throws {
        let one = try Stage()
        try await one.signIn(subject: "ann")
        let store = SessionStore(
            vault: TokenVault(store: one.memory, key: one.key),
            name: ItemName(checkedService: "org.pavise.session", "second"), folder: one.folder.path)
        let before = try #require(try one.record)
        let now = ClockReading(one.time.source)
        _ = try await store.begin(
            { stamp in
                var record = before
                record.epoch = stamp.epoch + 1
                record.identity = SessionRecord.Identity(issuer: "https://id.example", subject: "bob")
                return record
            }, at: now)
        let untouched = one.memory.state.withLock { $0.items[ItemName(checkedService: "org.pavise.session", "second")] }
        _ = try await one.session().forceRefresh()
        _ = await one.session().signOut()
        #expect(
            one.memory.state.withLock { $0.items[ItemName(checkedService: "org.pavise.session", "second")] }
                == untouched)
        let other = Session(store: store, client: one.server.client, environment: one.environment)
        #expect(await other.state == .active)
    }
}
