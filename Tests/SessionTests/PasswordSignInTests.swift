import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// A wrong password replaces nothing, and nobody takes over another user's connection (AM-3, AM-4, connections C18).
@Suite struct PasswordSignInTests {
    private static let right = "YW5uOnJpZ2h0"  // ann:right
    private let world: FileWorld

    init() throws {
        world = try FileWorld()
        world.server.set { $0.access = [Self.right] }
    }

    private func connection() throws -> Connection {
        try world.connections().add("nas", origin: FileWorld.good, method: .basic)
    }

    private func status(_ connection: Connection) async throws -> Int {
        try await connection.send(HTTPRequest("GET", connection.url("/"))).status
    }

    @Test func `the right password is tried, then stored`() async throws {
        let nas = try connection()
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        #expect(world.server.state.withLock { $0.bearers } == [Self.right])
        #expect(try await status(nas) == 200)
    }

    @Test func `a wrong password stores nothing, and never replaces the right one`() async throws {
        let nas = try connection()
        await #expect(throws: BasicAccess.Problem.refused) {
            try await nas.signIn(user: "ann", password: SecretBytes(utf8: "wrong"))
        }
        await #expect(throws: SessionFailure.signedOut) { try await status(nas) }
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        await #expect(throws: BasicAccess.Problem.refused) {
            try await nas.signIn(user: "ann", password: SecretBytes(utf8: "wrong"))
        }
        #expect(try await status(nas) == 200)
    }

    @Test(arguments: [500, 503])
    func `a server that does not say replaces nothing`(_ status: Int) async throws {
        let nas = try connection()
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        world.server.set { $0.refusal = (status, [:]) }
        await #expect(throws: BasicAccess.Problem.notTried(status: status)) {
            try await nas.signIn(user: "ann", password: SecretBytes(utf8: "new"))
        }
        #expect(try await self.status(nas) == 200)
    }

    @Test func `another user takes over no connection, and nothing is sent for her`() async throws {
        let nas = try connection()
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        world.server.set { $0.access.insert("Ym9iOnJpZ2h0") }
        await #expect(throws: BasicAccess.Problem.otherUser) {
            try await nas.signIn(user: "bob", password: SecretBytes(utf8: "right"))
        }
        #expect(throws: BasicAccess.Problem.otherUser) {
            try nas.store(user: "bob", password: SecretBytes(utf8: "right"))
        }
        #expect(world.sent == 1)
        #expect(try await status(nas) == 200)
        // Who signs out first may be followed by anybody.
        _ = await nas.signOut()
        try await nas.signIn(user: "bob", password: SecretBytes(utf8: "right"))
    }

    @Test func `F13: a sign-out forgets the cookies of the password's server, and no others`() async throws {
        let nas = try connection()
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        try world.server.setCookies()
        #expect(try world.server.keptCookies() == ScriptedServer.cookieOrigins)
        #expect(await nas.signOut().localFailure == nil)
        #expect(try world.server.keptCookies() == ScriptedServer.cookieOrigins.subtracting([FileWorld.good]))
    }

    @Test func `a store that cannot say whose the connection is stops the sign-in`() async throws {
        let nas = try connection()
        try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        world.memory.set { $0.readFailure = .locked(status: -25308) }
        await #expect(throws: BasicAccess.Problem.store(.locked(status: -25308))) {
            try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"))
        }
        #expect(world.sent == 1)
    }

    @Test func `a password is tried at its own origin alone`() async throws {
        let nas = try connection()
        let address = try WebURL("\(FileWorld.evil)/")
        await #expect(throws: BasicAccess.Problem.transport(.credentialRefused(FileWorld.evil))) {
            try await nas.signIn(user: "ann", password: SecretBytes(utf8: "right"), tryingAt: address)
        }
        #expect(world.sent == 0)
    }

    @Test(arguments: [
        [UInt8](), [2], [2, 0, 1], [2, 0, 0, 0, 1, 97], [2, 255, 255], [1, 2, 3], Array("ann".utf8), Array("ann:".utf8),
    ])
    func `anything else than a sealed pair is damage`(_ bytes: [UInt8]) {
        #expect(throws: VaultFailure.corrupt(.content)) {
            _ = try BasicPair(decoding: SecretBytes(copying: bytes.span)).user
        }
    }
}
