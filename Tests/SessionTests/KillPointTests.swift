import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

/// session §6: killed at any step, a session ends up as one of four things, and never silently signed out.
@Suite struct KillPointTests {
    /// The state of the world at which the process dies, and what the next process finds.
    enum Kill: String, CaseIterable, Sendable {
        /// Before the lock: nothing happened.
        case k1
        /// The journal is durable, nothing was sent.
        case k2
        /// The request did not reach the authority.
        case k3
        /// The authority rotated, the answer never came.
        case k4
        /// The answer is in memory, the write fails or never began (also K6: not renamed).
        case k5
        /// The new record is durable, waiters were not resumed (also K7).
        case k8
    }

    static let table: [(Kill, ScriptedServer.Rotation)] = Kill.allCases.flatMap { kill in
        ScriptedServer.Rotation.allCases.map { (kill, $0) }
    }

    @Test(arguments: table)
    func `a killed refresh is continued by the next process`(
        _ kill: Kill, _ rotation: ScriptedServer.Rotation
    ) async throws {
        let stage = try Stage(ScriptedServer(rotation: rotation))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        try await die(at: kill, stage)
        let calls = stage.server.refreshCalls

        let next = stage.session()
        let isLost = (kill == .k4 || kill == .k5) && rotation == .strict
        if isLost {
            await #expect(throws: SessionFailure.reloginNeeded(.lostRotation)) { try await next.accessToken() }
            #expect(await next.state == .reloginNeeded(.lostRotation))
            #expect(try stage.record?.identity?.subject == "ann")
        } else {
            let token = try await next.accessToken()
            #expect(stage.server.state.withLock { $0.access }.contains(token.secret.text))
            #expect(try stage.record?.pending == nil)
        }
        #expect(stage.server.refreshCalls - calls == (kill == .k8 ? 0 : 1))
    }

    // Plays the doomed process up to the kill. Its writes after that instant fail, and nobody listens to it any more.
    private func die(at kill: Kill, _ stage: Stage) async throws {
        let doomed = stage.session()
        switch kill {
        case .k1: stage.memory.set { $0.writesUntilKill = 0 }
        case .k2, .k3:
            stage.memory.set { $0.writesUntilKill = 1 }
            let lost = ScriptedServer.Reply.failure(.network("killed", sent: kill == .k3))
            stage.server.script(lost, lost)
        case .k4:
            stage.memory.set { $0.writesUntilKill = 1 }
            stage.server.script(.workThenLose, .failure(.network("killed", sent: true)))
        case .k5: stage.memory.set { $0.writesUntilKill = 1 }
        case .k8: break
        }
        _ = try? await doomed.accessToken()
        await doomed.settle()
        stage.memory.set { $0.writesUntilKill = nil }
        stage.time.advance(seconds: 1)
    }

    @Test func `a journal left behind is worked off before anything else, also with a good token`() async throws {
        let stage = try Stage(ScriptedServer(rotation: .grace))
        try await stage.signIn()
        stage.memory.set { $0.writesUntilKill = 1 }
        _ = try await stage.session().forceRefresh()
        stage.memory.set { $0.writesUntilKill = nil }
        #expect(try stage.record?.generation == 1)
        // The old access token is still within its lifetime; the refresh token's fate comes first (SR12).
        #expect(try await stage.session().accessToken().stamp.generation == 2)
        #expect(stage.server.refreshCalls == 2)
    }

    @Test func `a kill during the recovery is told apart as well`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        stage.memory.set { $0.writesUntilKill = 1 }
        _ = try? await stage.session().accessToken()
        // The second process journals over the first one's entry and dies, too.
        stage.memory.set { $0.writesUntilKill = 1 }
        stage.server.script(.failure(.network("killed", sent: true)), .failure(.network("killed", sent: true)))
        _ = try? await stage.session().accessToken()
        stage.memory.set { $0.writesUntilKill = nil }
        await #expect(throws: SessionFailure.reloginNeeded(.lostRotation)) { try await stage.session().accessToken() }
    }

    @Test func `a reboot counts the access token as expired`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.reboot()
        #expect(try await stage.session().accessToken().stamp.generation == 2)
    }

    @Test func `a wall clock that is set back at each reboot hides no hour in which the machine ran`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        for day in 1...31 {
            stage.time.setWall(seconds: 1)
            stage.time.reboot()
            stage.time.advance(seconds: 86_400)
            guard day < 30 else { break }
            _ = try await stage.session().accessToken()
        }
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await stage.session().accessToken() }
    }

    @Test(arguments: [Int64(-315_360_000), -86_400, 0])
    func `S6: two weeks of running without a refresh end a session, whatever the clock says at each start`(
        _ seconds: Int64
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        let wall = stage.time.source.wallSeconds
        for day in 1...14 {
            stage.time.setWall(seconds: wall + seconds)
            stage.time.reboot()
            for quarter in 0...4 {
                if quarter > 0 { stage.time.advance(seconds: 21_600) }
                guard (day, quarter) != (14, 4) else { break }
                #expect(await stage.session().state == .active, "day \(day)")
                // A look is written down beside what the app does.
                let now = stage.time.source.bootMilliseconds
                try #require(await stage.comesTo { (try? stage.record)?.aged.continuous == now }, "day \(day)")
            }
        }
        #expect(await stage.session().state == .reloginNeeded(.inactivity))
        await #expect(throws: SessionFailure.reloginNeeded(.inactivity)) { try await stage.session().accessToken() }
        #expect(stage.server.refreshCalls == 0)
    }

    @Test func `S6: a clock that starts in 1970 and is put right later ages nobody by half a century`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let wall = stage.time.source.wallSeconds
        stage.time.setWall(seconds: 0)
        stage.time.reboot()
        #expect(await stage.session().state == .active)
        #expect(await stage.comesTo { (try? stage.record)?.aged.continuous == 0 })
        stage.time.setWall(seconds: wall + 86_400)
        stage.time.reboot()
        #expect(await stage.session().state == .active)
        #expect(try await stage.session().accessToken().stamp.generation == 2)
    }

    @Test func `S6: a look writes the age beside a refresh that has begun, and leaves its journal alone`() async throws
    {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        stage.memory.set { $0.writesUntilKill = 1 }
        _ = try? await stage.session().accessToken()
        stage.memory.set { $0.writesUntilKill = nil }
        let record = try #require(try stage.record)
        #expect(record.pending != nil)
        stage.time.reboot()
        stage.time.advance(seconds: 7200)
        try await stage.store.note(record.stamp, at: ClockReading(stage.time.source))
        #expect(try stage.record?.pending == record.pending)
        #expect(try stage.record?.idle ?? 0 >= 7_200_000)
    }

    @Test(arguments: [Int64(-315_360_000), 315_360_000])
    func `a changed wall clock changes nothing within a boot`(_ seconds: Int64) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.setWall(seconds: stage.time.source.wallSeconds + seconds)
        #expect(try await stage.session().accessToken().stamp.generation == 1)
        for day in 1...30 {
            stage.time.advance(seconds: 86_400)
            guard day < 30 else { continue }
            _ = try await stage.session().accessToken()
        }
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await stage.session().accessToken() }
    }

    @Test func `a session that is not used for two weeks ends`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 14 * 86_400)
        await #expect(throws: SessionFailure.reloginNeeded(.inactivity)) { try await stage.session().accessToken() }
        #expect(stage.server.refreshCalls == 0)
        #expect(try stage.record?.refresh == nil)
    }
}
