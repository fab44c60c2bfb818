import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// The key that tokens are bound to ends with its session, however that ends (session SR17).
@Suite struct KeyEndTests {
    /// A stage whose vault has a key for tokens.
    private func keyed() throws -> (stage: Stage, key: SigningKeyInMemory, store: SessionStore) {
        let (stage, key) = (try Stage(), SigningKeyInMemory(absent: ()))
        let vault = TokenVault(store: stage.memory, key: stage.key, bindingKey: key)
        return (stage, key, SessionStore(vault: vault, name: Stage.name, folder: stage.folder.path))
    }

    @Test func `a key that cannot be destroyed keeps no token from being taken back`() async throws {
        let (stage, key, store) = try keyed()
        try await stage.signIn(into: store)
        key.stay(.busy)
        let session = Session(store: store, client: stage.server.client, environment: stage.environment)
        #expect(await session.signOut() == SignOutReport(localFailure: .busy, revocation: .done))
        #expect(stage.server.revoked == ["rt-0", "at-0"])
        #expect(try stage.record?.refresh == nil)
    }

    @Test func `a key that cannot be destroyed keeps nobody from signing in without one`() async throws {
        let (stage, key, store) = try keyed()
        try await stage.signIn(into: store)
        var bound = try #require(try stage.record)
        bound.binding = String(repeating: "k", count: 43)
        try TokenVault(store: stage.memory, key: stage.key).store(bound.encoded(), as: Stage.name)
        key.stay(.busy)
        try await stage.signIn(into: store)
        #expect(try stage.record?.binding == nil && stage.record?.epoch == 2)
    }

    @Test func `signing out destroys the key before the server is asked`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        let token = world.token(.access)
        world.authority.fail(.revoke, with: .silence)
        var policy = RefreshPolicy()
        policy.revocation = .milliseconds(200)
        let report = await (try world.connection(policy)).signOut()
        #expect(report == SignOutReport(localFailure: nil, revocation: .failed))
        #expect(!world.key.isThere)
        // The server never heard of it: the stolen token is good there, and worth nothing without its key.
        #expect(world.authority.accepts(token))
        #expect(try await world.record(connection)?.access == nil)
    }

    @Test(arguments: [false, true])
    func `a bound token is never shown as a bearer, also when its key is gone and the server wants one`(
        _ knowsKey: Bool
    ) async throws {
        let world = try BoundWorld()
        let first = try await world.signedIn()
        #expect(try await world.status(first) == 200)
        let bound = world.token(.access)
        let connection = knowsKey ? first : try world.connection()
        world.key.lose()
        world.authority.fail(.revoke, with: .status(401))
        #expect(await connection.signOut().revocation == .failed)
        let asked = world.authority.server.requests.filter { world.authority.address(.revoke).hasSuffix($0.path) }
        #expect(asked.allSatisfy { $0.field("Authorization") == nil && $0.form("token") != bound })
        #expect(world.authority.accepts(bound))
    }

    @Test func `a sign-out without a network destroys the key`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        world.authority.stop()
        #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: .failed))
        #expect(!world.key.isThere)
    }

    @Test func `a connection that is removed takes its key along`() async throws {
        let world = try BoundWorld()
        _ = try await world.signedIn()
        let report = try await world.connections().remove("work")
        #expect(report.localFailures.isEmpty && report.revocation == .done)
        #expect(!world.key.isThere)
        #expect(world.authority.counters.provedRevocations == 2)
        #expect(world.memory.left.isEmpty)
    }

    @Test func `a limit that passes destroys the key`() async throws {
        let world = try BoundWorld()
        _ = try await world.signedIn()
        var policy = RefreshPolicy()
        policy.absoluteLimit = .zero
        let connection = try world.connection(policy)
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) { try await world.status(connection) }
        #expect(!world.key.isThere)
        // With proofs that were made while the key was there.
        await connection.session?.settle()
        #expect(world.authority.counters.provedRevocations == 2)
        #expect(world.authority.isRevoked(world.token(.refresh)))
        #expect(try await world.record(connection)?.access == nil)
    }

    @Test func `a session that the server ends leaves no key`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        world.authority.revokeEverything()
        await #expect(throws: SessionFailure.reloginNeeded(.invalidGrant)) { try await world.status(connection) }
        #expect(!world.key.isThere)
    }

    @Test func `a sign-in that fails leaves no key`() async throws {
        let world = try BoundWorld()
        let connection = try world.add()
        world.authority.callbackFault = .accessDenied
        await #expect(throws: SignInFailure.self) { try await connection.signIn(browser: world.browser()) }
        #expect(world.key.made == 1 && !world.key.isThere)
    }

    @Test func `a sign-in that fails beside a session that lives leaves its key`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        world.authority.callbackFault = .accessDenied
        await #expect(throws: SignInFailure.self) { try await connection.signIn(browser: world.browser()) }
        world.authority.heal()
        #expect(world.key.made == 1)
        #expect(try await world.status(connection) == 200)
    }

    @Test func `a sign-out while the browser is open leaves nothing that looks signed in`() async throws {
        let world = try BoundWorld()
        let connection = try world.add()
        let other = try world.connection()
        let browser = world.browser { address in
            _ = await other.signOut()
            return address
        }
        await #expect(throws: SignInFailure.self) { try await connection.signIn(browser: browser) }
        #expect(!world.key.isThere)
        #expect(try await world.record(connection) == nil)
    }

    @Test func `bearer tokens in place of bound ones leave no key`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        try await connection.signIn(browser: world.browser(), binding: .never)
        #expect(try await world.status(connection) == 200)
        #expect(!world.key.isThere)
    }

    @Test func `the next sign-in has a key of its own`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        let first = try await world.record(connection)?.binding
        _ = await connection.signOut()
        try await connection.signIn(browser: world.browser())
        let second = try await world.record(connection)?.binding
        #expect(first != nil && second != nil && first != second)
    }
}
