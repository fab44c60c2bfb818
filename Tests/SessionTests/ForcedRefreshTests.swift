import PavisePrimitives
import PaviseTransport
import PaviseVault
import Testing

@testable import PaviseSession

/// A refresh that somebody forces, for step-up or after a right was withdrawn: it gives a new token, or it fails.
@Suite struct ForcedRefreshTests {
    struct Failing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let replies: [ScriptedServer.Reply]
        var writeFailures: [VaultFailure?] = []
        let failure: SessionFailure
    }

    static let table: [Failing] = [
        Failing(
            testDescription: "no network",
            replies: [.failure(.network("off", sent: false)), .failure(.timeout(sent: true))],
            failure: .unavailable(.network, retryIn: 1)),
        Failing(testDescription: "503", replies: [.status(503)], failure: .unavailable(.server, retryIn: 1)),
        Failing(
            testDescription: "asked to wait", replies: [.status(429, fields: ["Retry-After": "60"])],
            failure: .unavailable(.server, retryIn: 60)),
        Failing(testDescription: "rejection", replies: [.status(401)], failure: .unavailable(.server, retryIn: 1)),
        Failing(
            testDescription: "unknown client", replies: [.status(400, body: #"{"error":"invalid_client"}"#)],
            failure: .unavailable(.configuration, retryIn: 1)),
        Failing(
            testDescription: "certificate",
            replies: [
                .failure(.untrusted(CertificateRefusal(failures: [.pinMismatch], summary: nil, canBeApproved: false)))
            ], failure: .unavailable(.trust, retryIn: 1)),
        Failing(
            testDescription: "full disk", replies: [], writeFailures: [.system(status: 28), .system(status: 28)],
            failure: .unavailable(.storage, retryIn: 1)),
    ]

    @Test(arguments: table)
    func `one that failed fails, the old token is no result of it, and the session goes on`(_ row: Failing) async throws
    {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        _ = try await session.accessToken()
        stage.server.set { $0.replies = row.replies }
        stage.memory.set { $0.writeFailures = row.writeFailures }
        await #expect(throws: row.failure) { try await session.forceRefresh() }
        // Within the pause no further call is made, and nothing is lent either.
        let calls = stage.server.refreshCalls
        await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
        #expect(stage.server.refreshCalls == calls)
        // Who did not force one has the token from before, which is good.
        #expect(try await session.accessToken().stamp.generation == 1)
        #expect(try await session.send(try stage.request()).status == 200)
        #expect(try stage.record?.ending == nil)
        stage.time.advance(seconds: 70)
        #expect(try await session.forceRefresh().stamp.generation == 2)
    }

    @Test func `one that follows a refresh which failed fails as well`() async throws {
        let gate = Gate()
        let stage = try Stage(ScriptedServer(onToken: { await gate.wait() }))
        try await stage.signIn()
        stage.time.advance(seconds: 1750)
        stage.server.script(.status(503))
        let session = stage.session()
        // Ahead of its end, the token is lent while it is renewed.
        #expect(try await session.accessToken().stamp.generation == 1)
        await gate.waitForGuest()
        let forced = Task { try await session.forceRefresh() }
        while await session.waiters.isEmpty { await Task.yield() }
        gate.open()
        await #expect(throws: SessionFailure.unavailable(.server, retryIn: 1)) { try await forced.value }
        #expect(try await session.accessToken().stamp.generation == 1)
    }

    @Test func `without a refresh token it fails and ends nothing`() async throws {
        let stage = try Stage()
        try await stage.signIn(refresh: nil)
        let session = stage.session()
        await #expect(throws: SessionFailure.reloginNeeded(.expired)) { try await session.forceRefresh() }
        #expect(await session.state == .active)
        #expect(try stage.record?.ending == nil)
        #expect(try await session.accessToken().stamp.generation == 1)
        stage.time.advance(seconds: 1801)
        await #expect(throws: SessionFailure.reloginNeeded(.expired)) { try await session.forceRefresh() }
        #expect(try stage.record?.ending == .relogin(.expired))
    }
}
