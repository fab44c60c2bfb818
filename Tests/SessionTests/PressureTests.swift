import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Small versions of the marks that `make conformance` plays with processes and TLS (session/BAR1, BAR3).
@Suite struct PressureTests {
    /// What goes wrong while a thousand callers wait.
    enum Trouble: CaseIterable {
        case cancellations, journalFailsOnce, storeFailsOnce, answerLost
    }

    @Test(arguments: Trouble.allCases, 0..<5)
    func `a thousand callers get their answers from one rotation`(_ trouble: Trouble, _ run: Int) async throws {
        let server = ScriptedServer(rotation: .grace, onToken: { for _ in 0..<(run * 9) { await Task.yield() } })
        let stage = try Stage(server)
        try await stage.signIn()
        server.set { $0.access = [] }
        switch trouble {
        case .cancellations: break
        case .journalFailsOnce: stage.memory.set { $0.writeFailures = [.system(status: -36)] }
        case .storeFailsOnce: stage.memory.set { $0.writeFailures = [nil, .system(status: -36)] }
        case .answerLost: server.script(.workThenLose)
        }
        let (answered, cancelled) = try await crowd(stage, cancels: trouble == .cancellations)
        #expect(answered + cancelled == 1000)
        #expect(trouble == .cancellations || cancelled == 0)
        #expect(server.refreshCalls == (trouble == .answerLost ? 2 : 1))
        #expect(server.state.withLock { $0.generation } == 1)
        #expect(server.state.withLock { $0.isFamilyDead } == false)
    }

    private func crowd(_ stage: Stage, cancels: Bool) async throws -> (Int, Int) {
        let session = stage.session()
        let request = try stage.request()
        return await withTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let caller = Task { () -> (Int, Int) in
                        for _ in 0..<(number % 40) { await Task.yield() }
                        do throws(SessionFailure) {
                            return try await session.send(request).status == 200 ? (1, 0) : (0, 0)
                        } catch {
                            return error == .cancelled ? (0, 1) : (0, 0)
                        }
                    }
                    if cancels && number % 3 == 0 {
                        for _ in 0..<(number % 7) { await Task.yield() }
                        caller.cancel()
                    }
                    return await caller.value
                }
            }
            return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
    }

    @Test(.long) func `a thousand passing faults and wild clocks sign nobody out`() async throws {
        let stage = try Stage(ScriptedServer(rotation: .strict))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let session = stage.session()
        for number in 0..<1000 {
            let reply = RefreshFailureTests.passing[number % RefreshFailureTests.passing.count]
            stage.server.set { $0.replies = [reply, reply] }
            await #expect(throws: SessionFailure.self) { try await session.accessToken() }
            switch await session.state {
            case .active, .refreshing, .degraded: break
            case let state: Issue.record("\(number): \(state)")
            }
            // Seconds pass, and somebody sets the clock ten years to and fro.
            stage.time.advance(seconds: 70)
            stage.time.setWall(seconds: 1_700_000_000 + Int64(number % 3 - 1) * 315_360_000)
        }
        stage.server.set { $0.replies = [] }
        stage.time.advance(seconds: 70)
        #expect(try await session.accessToken().stamp.generation == 2)
        #expect(await session.state == .active)
        #expect(stage.server.state.withLock { $0.isFamilyDead } == false)
    }

    @Test func `a clock that jumps ten years to and fro during a session renews neither early nor late`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        for step in 1...200 {
            let jump = [0, 315_360_000, -315_360_000][step % 3]
            stage.time.setWall(seconds: 1_700_000_000 + Int64(jump))
            stage.time.advance(seconds: 900)
            _ = try await session.accessToken()
            await session.settle()
        }
        // 200 quarters of an hour, half an hour for each token: what the boot clock says, and no more.
        #expect((95...105).contains(stage.server.refreshCalls))
        #expect(await session.state == .active)
    }
}
