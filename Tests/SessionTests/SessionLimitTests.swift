import PavisePrimitives
import PaviseVault
import Synchronization
import Testing

@testable import Pavise
@testable import PaviseSession

/// A limit that passes is an end before any request, and a person is told beforehand (AL38, AL39).
@Suite struct SessionLimitTests {
    @Test(arguments: [(31, 0, ReloginReason.absoluteLimit), (14, 0, .inactivity)])
    func `the first look ends what has passed, without a request`(
        _ days: Int, _ unused: Int, _ reason: ReloginReason
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: Double(days) * 86_400)
        let session = stage.session()
        #expect(await session.state == .reloginNeeded(reason))
        #expect(await session.states.first { _ in true } == .reloginNeeded(reason))
        // Durable, and the server is told.
        try #require(await stage.comesTo { (try? stage.record)?.ending != nil })
        await session.settle()
        #expect(try stage.record?.access == nil && stage.record?.refresh == nil)
        #expect(stage.server.refreshCalls == 0 && stage.server.state.withLock { $0.bearers.isEmpty })
    }

    @Test func `a list tells what has passed and ends nothing`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 31 * 86_400)
        let session = stage.session()
        #expect(await session.listedState == .reloginNeeded(.absoluteLimit))
        await session.settle()
        #expect(try stage.record?.ending == nil && stage.record?.refresh != nil)
    }

    @Test func `what another process has refreshed meanwhile goes on`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        #expect(await session.state == .active)
        stage.time.advance(seconds: 13 * 86_400)
        _ = try await stage.session().forceRefresh()
        stage.time.advance(seconds: 2 * 86_400)
        #expect(await session.state == .active)
        #expect(try stage.record?.ending == nil)
    }

    @Test func `a person is told once before the longest time is over, and it ends though nobody asks`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        var policy = RefreshPolicy()
        policy.inactivity = .seconds(40 * 86_400)
        let session = stage.session(policy)
        let board = NoticeBoard()
        var notices = board.listen().makeAsyncIterator()
        let pauses = Mutex<[Duration]>([])
        let watch = LimitWatch(account: "work", board: board, policy: policy) { [time = stage.time] pause in
            pauses.withLock { $0.append(pause) }
            time.advance(seconds: Double(pause.components.seconds))
        }
        await watch.follow { session }
        #expect(await notices.next()?.code == "endsSoon")
        #expect(pauses.withLock { $0 } == [.seconds(29 * 86_400), .seconds(86_400)])
        #expect(await session.state == .reloginNeeded(.absoluteLimit))
        #expect(stage.server.refreshCalls == 0)
        // The next session of the same account is told of, too.
        try await stage.signIn()
        let next = stage.session(policy)
        await watch.follow { next }
        board.tell(SecurityNotice("degraded.network", .tryAgain, account: "work"))
        #expect(await notices.next()?.code == "endsSoon")
        for language in MessageLanguage.all {
            let notice = SecurityNotice("endsSoon", .signIn, account: "work")
            #expect(!notice.title(in: language).isEmpty && !notice.message(in: language).contains("%@"))
        }
    }
}
