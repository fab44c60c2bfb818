import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

@Suite struct OneRefreshTests {
    @Test func `a thousand callers whose token got a 401 cause one token call`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.server.set { $0.access = [] }
        let session = stage.session()
        let request = try stage.request()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await session.send(request).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 200, count: 1000))
        #expect(stage.server.refreshCalls == 1)
        #expect(try stage.record?.generation == 2)
        #expect(try stage.record?.pending == nil)
    }

    @Test func `an unexpired token is lent without a call`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let answer = try await stage.session().send(try stage.request())
        #expect(answer.status == 200)
        #expect(stage.server.refreshCalls == 0)
    }

    @Test func `an expired token is renewed before it is sent`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        let answer = try await stage.session().send(try stage.request())
        #expect(answer.status == 200)
        #expect(stage.server.refreshCalls == 1)
        #expect(stage.server.state.withLock { $0.bearers } == ["at-1"])
    }
}
