import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import Testing

@testable import PaviseSession

/// A session that ends by itself is told to its server as a sign-out is: now, or later from the queue (AL42, session
/// SR17).
@Suite struct EndedSessionTests {
    private static let day = 86_400.0

    /// Sends a request with a session whose time is over.
    private func use(_ connection: Connection, _ reason: ReloginReason) async throws {
        let request = try HTTPRequest("GET", connection.url("/api/files"))
        await #expect(throws: SessionFailure.reloginNeeded(reason)) { try await connection.send(request) }
    }

    @Test(arguments: [(15, ReloginReason.inactivity), (31, .absoluteLimit)])
    func `a limit that passes takes the tokens back at the server`(_ days: Double, _ reason: ReloginReason) async throws
    {
        let world = try RevocationWorld()
        try await world.signedIn()
        let tokens = [world.token(.refresh), world.token(.access)]
        world.time.advance(seconds: days * Self.day)
        let connection = try world.connections().open("work")
        try await use(connection, reason)
        await connection.session?.settle()
        #expect(world.asked == tokens)
        #expect(tokens.allSatisfy { !world.authority.accepts($0) })
        #expect(!world.isQueueThere)
        #expect(await connection.signOut().revocation == .nothing)
    }

    @Test(arguments: [(15, ReloginReason.inactivity), (31, .absoluteLimit)])
    func `without a network it waits in the queue before anybody is told, and is made good later`(
        _ days: Double, _ reason: ReloginReason
    ) async throws {
        let world = try RevocationWorld()
        try await world.signedIn()
        let token = world.token(.refresh)
        world.network.isDown = true
        world.time.advance(seconds: days * Self.day)
        let connection = try world.connections().open("work")
        try await use(connection, reason)
        #expect(world.isQueueThere && world.authority.accepts(token))
        await connection.session?.settle()
        #expect(world.isQueueThere)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish().done == 1)
        #expect(world.authority.isRevoked(token) && !world.isQueueThere)
    }

    @Test func `the fifth rejection takes the tokens back`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        for _ in 0..<5 {
            stage.server.script(.status(401))
            await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
            await session.settle()
            stage.time.advance(seconds: 20)
        }
        #expect(await session.state == .reloginNeeded(.rejected))
        #expect(stage.server.revoked == ["rt-0", "at-0"])
    }

    @Test(arguments: [(0, ["at-0"]), (1801, [])] as [(Double, [String])])
    func `after invalid_grant there is an access token to take back while it lives, and no refresh token`(
        _ seconds: Double, _ revoked: [String]
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: seconds)
        stage.server.script(.status(400, body: #"{"error":"invalid_grant"}"#))
        let session = stage.session()
        await #expect(throws: SessionFailure.reloginNeeded(.invalidGrant)) { try await session.forceRefresh() }
        await session.settle()
        #expect(stage.server.revoked == revoked)
    }

    @Test func `an end forgets the cookies of the session's servers`() async throws {
        for isLimit in [true, false] {
            let stage = try Stage()
            try await stage.signIn()
            let session = stage.session()
            try stage.server.setCookies()
            if isLimit {
                stage.time.advance(seconds: 31 * Self.day)
            } else {
                stage.server.script(.status(400, body: #"{"error":"invalid_grant"}"#))
            }
            await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
            let id = try WebURL("https://id.example/").origin
            #expect(try stage.server.keptCookies() == ScriptedServer.cookieOrigins.subtracting([stage.resource, id]))
        }
    }

    @Test func `of two processes that find the limit one tells the server`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let (one, other) = (stage.session(), stage.session())
        _ = try await one.accessToken()
        _ = try await other.accessToken()
        stage.time.advance(seconds: 31 * Self.day)
        for session in [one, other] {
            await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await session.accessToken() }
            await session.settle()
        }
        #expect(stage.server.revoked == ["rt-0", "at-0"])
    }

    @Test func `a session that another process uses does not end here`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let (one, other) = (stage.session(), stage.session())
        try stage.server.setCookies()
        _ = try await one.accessToken()
        stage.time.advance(seconds: 13 * Self.day)
        _ = try await other.accessToken()
        stage.time.advance(seconds: 2 * Self.day)
        #expect(try await one.accessToken().stamp.generation == 3)
        #expect(await one.state == .active)
        #expect(try stage.server.revoked.isEmpty && stage.server.keptCookies() == ScriptedServer.cookieOrigins)
    }

    @Test func `while the store takes no write nothing is told, and the next use ends it`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        stage.time.advance(seconds: 31 * Self.day)
        stage.memory.set { $0.writeFailures = [.system(status: 28)] }
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await session.accessToken() }
        await session.settle()
        #expect(stage.server.revoked.isEmpty)
        #expect(try stage.record?.refresh != nil)
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await session.accessToken() }
        await session.settle()
        #expect(stage.server.revoked == ["rt-0", "at-0"])
        #expect(try stage.record?.refresh == nil)
    }

    @Test func `a token that no store took is taken back as well`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        stage.memory.set { $0.writeFailures = [nil, .system(status: 28)] }
        _ = try await session.forceRefresh()
        #expect(try stage.record?.refresh?.text == "rt-0")
        stage.time.advance(seconds: 31 * Self.day)
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await session.accessToken() }
        await session.settle()
        #expect(stage.server.revoked == ["rt-1", "at-1"])
        #expect(try stage.record?.refresh == nil)
    }
}
