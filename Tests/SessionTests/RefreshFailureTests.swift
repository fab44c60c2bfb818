import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

/// What ends a session, what never does, and what a kill leaves.
@Suite struct RefreshFailureTests {
    /// Signed in, and the access token has expired.
    private func expired(_ server: ScriptedServer = ScriptedServer()) async throws -> Stage {
        let stage = try Stage(server)
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        return stage
    }

    static let passing: [ScriptedServer.Reply] = [
        .status(500), .status(502, body: "<html>", type: "text/html"), .status(503, fields: ["Retry-After": "7"]),
        .status(200, body: "<html>portal</html>", type: "text/html"), .status(200), .status(200, body: "{}"),
        .status(200, body: #"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#),
        .status(200, body: #"{"access_token":null,"token_type":"Bearer"}"#), .status(200, body: "null"),
        .status(204), .status(302, fields: ["Location": "https://evil.example/"]), .status(307), .status(403),
        .status(403, body: "<html>", type: "text/html"), .status(408), .status(425), .status(429),
        .status(400, body: "<html>", type: "text/html"),
        .status(400, body: #"{"error":"invalid_grant"}"#, type: "text/html"),
        .status(404, body: #"{"error":"invalid_grant"}"#), .status(500, body: #"{"error":"invalid_grant"}"#),
        .failure(.tls("alert")),
        .failure(.untrusted(CertificateRefusal(failures: [.pinMismatch], summary: nil, canBeApproved: false))),
        .failure(.malformed("x")), .failure(.bodyTooLarge(limit: 1)),
    ]

    @Test(arguments: 0..<passing.count)
    func `passing trouble never ends a session`(_ index: Int) async throws {
        let reply = Self.passing[index]
        let stage = try await expired()
        let session = stage.session()
        for _ in 0..<20 {
            stage.server.set { $0.replies = [reply, reply] }
            await #expect(throws: SessionFailure.self) { try await session.accessToken() }
            let state = await session.state
            if case .reloginNeeded = state { Issue.record("ended: \(state)") }
            stage.time.advance(seconds: 70)
        }
        #expect(try stage.record?.refresh != nil)
        if case .degraded = await session.state {} else { Issue.record("not degraded") }
        stage.server.set { $0.replies = [] }
        stage.time.advance(seconds: 70)
        #expect(try await session.accessToken().stamp.generation == 2)
        #expect(await session.state == .active)
    }

    @Test(arguments: [true, false])
    func `the system is asked not to suspend from before the lock until the answer is stored`(_ works: Bool)
        async throws
    {
        let stage = try await expired()
        if !works { stage.server.set { $0.replies = [.failure(.network("offline", sent: false))] } }
        let awake = Mutex<[String]>([])
        var environment = stage.environment
        environment.stayAwake = { [memory = stage.memory] in
            awake.withLock { $0.append("awake \(memory.state.withLock(\.writes))") }
            return { awake.withLock { $0.append("over \(memory.state.withLock(\.writes))") } }
        }
        let session = Session(store: stage.store, client: stage.server.client, environment: environment)
        let before = stage.memory.state.withLock(\.writes)
        _ = try? await session.accessToken()
        // The journal before the request, and what came of it: two writes inside.
        #expect(await stage.comesTo { awake.withLock(\.count) == 2 })
        #expect(awake.withLock { $0 } == ["awake \(before)", "over \(before + 2)"])
    }

    @Test func `invalid_grant ends the session once and for all callers`() async throws {
        let stage = try await expired()
        stage.server.script(.status(400, body: #"{"error":"invalid_grant"}"#))
        let session = stage.session()
        let failures = await withTaskGroup(of: SessionFailure?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do throws(SessionFailure) { _ = try await session.accessToken() } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: Set<SessionFailure?>()) { $0.insert($1) }
        }
        #expect(failures == [.reloginNeeded(.invalidGrant)])
        #expect(stage.server.refreshCalls == 1)
        #expect(try stage.record?.refresh == nil)
        #expect(await stage.session().state == .reloginNeeded(.invalidGrant))
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_client"}"#, DegradedReason.configuration),
        (401, #"{"error":"unauthorized_client"}"#, .configuration),
        (400, #"{"error":"invalid_request"}"#, .server), (403, #"{"error":"invalid_code"}"#, .server),
        (400, "", .server),
        (401, "", .server), (403, #"{"error":"invalid_grant"}"#, .server),
    ])
    func `the fifth rejection ends, the fourth does not`(_ status: Int, _ body: String, _ reason: DegradedReason)
        async throws
    {
        let stage = try await expired()
        for count in 1...5 {
            // The count survives restarts: each round is a process of its own.
            let session = stage.session()
            stage.server.script(.status(status, body: body))
            do throws(SessionFailure) {
                _ = try await session.accessToken()
                Issue.record("a token was lent")
            } catch {
                let wanted = count < 5 ? SessionFailure.unavailable(reason, retryIn: 1) : .reloginNeeded(.rejected)
                #expect(error == wanted)
            }
            stage.time.advance(seconds: 2)
        }
        #expect(stage.server.refreshCalls == 5)
    }

    @Test func `success sets the rejections back`() async throws {
        let stage = try await expired()
        let session = stage.session()
        for _ in 0..<4 {
            stage.server.script(.status(401))
            await #expect(throws: SessionFailure.self) { try await session.accessToken() }
            stage.time.advance(seconds: 20)
        }
        #expect(try stage.record?.rejections == 4)
        _ = try await session.accessToken()
        #expect(try stage.record?.rejections == 0)
    }

    @Test func `an unexpired token is served while the authority is away`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1750)
        stage.server.script(.failure(.network("down", sent: false)), .failure(.network("down", sent: false)))
        let session = stage.session()
        #expect(try await session.accessToken().stamp.generation == 1)
        await session.settle()
        #expect(stage.server.refreshCalls == 2)
        #expect(try await session.accessToken().stamp.generation == 1)
    }

    @Test func `Retry-After is honoured and never beyond an hour`() async throws {
        let stage = try await expired()
        let session = stage.session()
        stage.server.script(.status(503, fields: ["Retry-After": "120"]))
        await #expect(throws: SessionFailure.unavailable(.server, retryIn: 120)) { try await session.accessToken() }
        stage.time.advance(seconds: 100)
        await #expect(throws: SessionFailure.unavailable(.server, retryIn: 20)) { try await session.accessToken() }
        #expect(stage.server.refreshCalls == 1)
        stage.time.advance(seconds: 21)
        stage.server.script(.status(429, fields: ["Retry-After": "99999999999999999999"]))
        await #expect(throws: SessionFailure.unavailable(.server, retryIn: 3600)) { try await session.accessToken() }
    }

    @Test func `after a failure the next try comes by itself when its pause is over`() async throws {
        let stage = try await expired()
        stage.server.script(.status(500))
        let session = stage.session()
        await #expect(throws: SessionFailure.self) { try await session.accessToken() }
        try #require(await stage.naps.isSleeping(from: .milliseconds(500), upTo: .milliseconds(500)))
        stage.time.advance(seconds: 1)
        stage.naps.wake(upTo: .milliseconds(500))
        try #require(await stage.comesTo { stage.server.refreshCalls == 2 })
        await session.settle()
        #expect(try stage.record?.generation == 2)
    }

    @Test func `a session that is kept fresh renews ahead by itself, and goes on after a failure`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        await session.keepFresh()
        // Two minutes before the end, and a tenth of that by jitter: here half of the tenth.
        let ahead = Duration.seconds(1800 - 126)
        try #require(await stage.naps.isSleeping(from: ahead, upTo: ahead))
        stage.time.advance(seconds: 1800 - 126)
        stage.server.script(.status(500))
        stage.naps.wake(from: ahead, upTo: ahead)
        try #require(await stage.comesTo { stage.server.refreshCalls == 1 })
        await session.settle()
        stage.time.advance(seconds: 1)
        try #require(await stage.naps.isSleeping(upTo: .seconds(1)))
        stage.naps.wake(upTo: .seconds(1))
        try #require(await stage.comesTo { stage.server.refreshCalls == 2 })
        await session.settle()
        #expect(try stage.record?.generation == 2)
        #expect(await stage.naps.isSleeping(from: ahead, upTo: ahead))
    }

    @Test func `a session that is kept fresh sets its timer anew when the machine wakes up`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        await session.keepFresh()
        let ahead = Duration.seconds(1800 - 126)
        try #require(await stage.naps.isSleeping(from: ahead, upTo: ahead))
        // The timer stands still, the clock of the lifetime does not.
        stage.time.advance(seconds: 1000)
        await session.wakeUp()
        let left = ahead - .seconds(1000)
        #expect(await stage.naps.isSleeping(from: left, upTo: left))
        #expect(stage.naps.current.count == 1)
        #expect(stage.server.refreshCalls == 0)
    }

    @Test func `an answer that hangs blocks nobody beyond the deadline`() async throws {
        let stage = try await expired()
        stage.server.script(.hang, .hang)
        let session = stage.session()
        let caller = Task { try await session.accessToken() }
        for _ in 0..<2 {
            await stage.naps.waitForSleeper(from: .seconds(30), upTo: .seconds(32))
            stage.naps.wake(from: .seconds(30), upTo: .seconds(32))
        }
        await #expect(throws: SessionFailure.unavailable(.network, retryIn: 1)) { try await caller.value }
        stage.server.releaseHung()
    }

    @Test(arguments: ScriptedServer.Rotation.allCases)
    func `a lost answer is repeated at once`(_ rotation: ScriptedServer.Rotation) async throws {
        let stage = try await expired(ScriptedServer(rotation: rotation))
        stage.server.script(.workThenLose)
        let session = stage.session()
        if rotation == .strict {
            await #expect(throws: SessionFailure.reloginNeeded(.invalidGrant)) { try await session.accessToken() }
        } else {
            #expect(try await session.accessToken().stamp.generation == 2)
        }
        #expect(stage.server.refreshCalls == 2)
    }

    @Test(arguments: [
        TransportFailure.untrusted(CertificateRefusal(failures: [.pinMismatch], summary: nil, canBeApproved: false)),
        .tls("alert"),
    ])
    func `a certificate that is refused is no lost answer, and the token endpoint is asked once`(
        _ failure: TransportFailure
    ) async throws {
        let stage = try await expired()
        stage.server.script(.failure(failure))
        await #expect(throws: SessionFailure.unavailable(.trust, retryIn: 1)) {
            try await stage.session().accessToken()
        }
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `a store that takes no write is degraded, and the new token is used`() async throws {
        let stage = try await expired()
        // The journal is written, the new record is not.
        stage.memory.set { $0.writeFailures = [nil, .system(status: 28)] }
        let session = stage.session()
        #expect(try await session.accessToken().stamp.generation == 2)
        #expect(await session.state == .degraded(.storage))
        #expect(try stage.record?.generation == 1)
        await stage.naps.waitForSleeper(from: .seconds(1), upTo: .seconds(1))
        stage.naps.wake(from: .seconds(1), upTo: .seconds(1))
        while await session.state != .active { await Task.yield() }
        #expect(try stage.record?.generation == 2)
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `a short program that settles leaves nothing unwritten`() async throws {
        let stage = try await expired()
        stage.memory.set { $0.writeFailures = [nil, .system(status: 28)] }
        let session = stage.session()
        _ = try await session.accessToken()
        #expect(try stage.record?.generation == 1)
        await session.settle()
        #expect(try stage.record?.generation == 2)
        #expect(await session.state == .active)
    }

    @Test func `the spent token is never taken back from the store`() async throws {
        let stage = try await expired()
        stage.memory.set { $0.writeFailures = [nil, .system(status: 28)] }
        let session = stage.session()
        _ = try await session.accessToken()
        stage.time.advance(seconds: 1801)
        #expect(try await session.accessToken().stamp.generation == 3)
        #expect(stage.server.state.withLock { $0.isFamilyDead } == false)
        #expect(try stage.record?.generation == 3)
    }

    @Test func `without a journal nothing is sent`() async throws {
        let stage = try await expired()
        stage.memory.set { $0.writeFailures = [.system(status: 28), .system(status: 28)] }
        await #expect(throws: SessionFailure.unavailable(.storage, retryIn: 1)) {
            try await stage.session().accessToken()
        }
        #expect(stage.server.refreshCalls == 0)
    }
}
