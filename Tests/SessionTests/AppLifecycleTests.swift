import PaviseManaged
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import Pavise
@testable import PaviseSession

/// What is heard reaches the screen and the sessions.
@Suite struct AppLifecycleTests {
    private final class Screen: Sendable {
        private let words = Mutex<[Bool]>([])
        func cover(_ isCovered: Bool) { words.withLock { $0.append(isCovered) } }
        var last: Bool? { words.withLock { $0.last } }
    }

    @Test func `the cover is there when the report returns`() {
        let screen = Screen()
        let life = AppLifecycle(unwatched: nil, connections: nil) { screen.cover($0) }
        life.report(.becameActive(of: LifecycleEvent.app))
        #expect(screen.last == nil)
        life.report(.willResignActive(of: LifecycleEvent.app))
        #expect(screen.last == true)
        life.report(.becameActive(of: LifecycleEvent.app))
        #expect(screen.last == false)
        life.report(.screenLocked)
        #expect(screen.last == true)
    }

    @Test func `reports of several threads end as the last one says`() async {
        for _ in 0..<50 {
            let screen = Screen()
            let life = AppLifecycle(unwatched: nil, connections: nil) { screen.cover($0) }
            await withTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        for _ in 0..<50 {
                            life.report(.becameActive(of: "\(number)"))
                            life.report(.closed("\(number)"))
                        }
                    }
                }
            }
            #expect(screen.last == true)
        }
    }

    @Test func `a session that waits goes on when the network comes, and each open one does`() async throws {
        let world = try WakeWorld()
        let (one, other) = (try await world.signedIn("one"), try await world.signedIn("other"))
        world.server.script(.status(503), .status(503))
        for connection in [one, other] {
            await #expect(throws: SessionFailure.self) { try await connection.session?.forceRefresh() }
            #expect(await connection.session?.state == .degraded(.server))
        }
        let life = AppLifecycle(unwatched: nil, connections: world.connections)
        let calls = world.server.refreshCalls
        life.report(.networkChanged(isUsable: true))
        for connection in [one, other] {
            let session = try #require(connection.session)
            #expect(await world.comesTo { await session.state == .active })
        }
        #expect(world.server.refreshCalls == calls + 2)
    }
}

/// Connections over a server that does what it is told; a session that fails once is degraded and waits for ten
/// minutes.
final class WakeWorld: Sendable {
    let server = ScriptedServer(rotation: .none)
    let time = ManualTime()
    let connections: Connections
    let naps = Naps()
    private let folder: TemporaryFolder
    let memory = MemoryStore()
    private let key = MemoryKey()
    let origin = Origin(scheme: .https, host: "cloud.example", port: 443)

    /// - Parameter opening: Called whenever a connection is opened, in the middle of it.
    init(managed: ManagedFile = .none, opening: @escaping @Sendable () -> Void = {}) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        var policy = RefreshPolicy()
        policy.failuresUntilDegraded = 1
        policy.backoffBase = .seconds(600)
        policy.backoffCap = .seconds(600)
        let (memory, key, server, naps) = (memory, key, server, naps)
        connections = Connections(
            home: PaviseHome(path: folder.path + "/home"),
            environment: SessionEnvironment(time: time.source, sleep: { try await naps.sleep($0) }, chance: { 0.9 }),
            policy: policy, managed: managed,
            makeClient: { _ in
                opening()
                return server.client
            },
            makeVault: { _ in TokenVault(store: memory, key: key) })
    }

    /// A connection with a session in it.
    func signedIn(_ name: String) async throws -> Connection {
        let connection = try connections.add(name, origin: origin, issuer: "https://id.example")
        let store = try #require(connection.store)
        let now = ClockReading(time.source)
        let tokens = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"),
            revocationEndpoint: try WebURL("https://id.example/revoke"))
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at-0"), refreshToken: SharedSecretBytes("rt-0"), lifetime: 1800)
        let resource = origin
        _ = try await store.begin(
            { stamp in
                SessionRecord(
                    beginning: grant, server: tokens, resource: resource,
                    identity: SessionRecord.Identity(issuer: "https://id.example", subject: "ann"), scopes: ["openid"],
                    after: stamp, at: now)
            }, at: now)
        return connection
    }

    func comesTo(_ isSo: () async -> Bool) async -> Bool {
        for _ in 0..<200_000 {
            if await isSo() { return true }
            await Task.yield()
        }
        return false
    }
}
