import Foundation
import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Connections on the disk: unique, strict, and gone when they are removed (connections C41 to C47).
@Suite struct ConnectionsTests {
    private let folder: TemporaryFolder
    private let memory = MemoryStore()
    private let key = MemoryKey()
    private let server = ScriptedServer()
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    private let origin = Origin(scheme: .https, host: "cloud.example", port: 443)

    init() throws { folder = try TemporaryFolder() }

    private var connections: Connections {
        // A slow machine must not look like a slow server.
        var policy = RefreshPolicy()
        policy.revocation = .seconds(120)
        return Connections(
            home: home, policy: policy, methods: .standard.withPasswords(at: .only([origin])),
            makeClient: { [server] _ in server.client },
            makeVault: { [memory, key] _ in TokenVault(store: memory, key: key) })
    }

    private func path(_ connection: Connection) -> String { "\(home.connections)/\(connection.descriptor.id)" }

    @Test func `a connection is there after a restart, in a folder for its owner alone`() throws {
        let made = try connections.add("work", origin: origin, issuer: "https://id.example", scopes: ["openid", "api"])
        let found = try connections.open("work")
        #expect(found.descriptor == made.descriptor)
        let folder = try FileManager.default.attributesOfItem(atPath: path(made))
        #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        let file = try FileManager.default.attributesOfItem(atPath: path(made) + "/connection.json")
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `a name is taken once`() throws {
        _ = try connections.add("work", origin: origin)
        #expect(throws: ConnectionFailure.connections(.nameTaken("work"))) {
            try connections.add("work", origin: origin)
        }
        #expect(throws: ConnectionFailure.connections(.unknownName("home", known: ["work"]))) {
            try connections.open("home")
        }
    }

    @Test(arguments: ["", "..", ".hidden", "-x", "a/b", "a b", "naïve", String(repeating: "x", count: 65)])
    func `anything else is no name`(_ name: String) throws {
        #expect(throws: ConnectionFailure.self) { try connections.add(name, origin: origin) }
    }

    @Test(arguments: [
        "", "{}", "[]", "not json", #"{"version":1,"version":1}"#, #"{"version":2}"#, "\u{0}\u{0}",
    ])
    func `a damaged description is listed as damaged, not dropped`(_ text: String) throws {
        let made = try connections.add("work", origin: origin)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(made) + "/connection.json"))
        let rows = try connections.list()
        #expect(rows.count == 1)
        #expect(rows.first?.id == made.descriptor.id)
        #expect(throws: ConnectionProblem.self) { try rows.first?.descriptor.get() }
        _ = try connections.remove(damaged: made.descriptor.id)
        #expect(try connections.list().isEmpty)
    }

    @Test func `a description in another folder is damage`() throws {
        let one = try connections.add("one", origin: origin)
        let two = try connections.add("two", origin: origin)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path(one) + "/connection.json"))
        try bytes.write(to: URL(fileURLWithPath: path(two) + "/connection.json"))
        let damage = try connections.list().compactMap { row -> ConnectionProblem? in
            if case .failure(let damage) = row.descriptor { damage } else { nil }
        }
        #expect(damage == [.damaged(.file(.altered))])
    }

    @Test func `removing leaves nothing and takes the tokens back`() async throws {
        let connection = try connections.add("work", origin: origin)
        try await begin(connection)
        let report = try await connections.remove("work")
        #expect(report.localFailures.isEmpty && report.revocation == .done)
        #expect(server.revoked == ["rt-0", "at-0"])
        #expect(memory.left.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.connections).allSatisfy { $0.hasPrefix(".") })
        #expect(throws: ConnectionFailure.self) { try connections.open("work") }
    }

    @Test func `C42 C47: a removal destroys one connection's key, and leaves all of another as it is, to the byte`()
        async throws
    {
        let keys = KeyOfEach()
        let connections = Connections(
            home: home, makeClient: { [server] _ in server.client },
            makeVault: { [memory] id in TokenVault(store: memory, key: keys.key(of: id)) })
        let removed = try connections.add("work", origin: origin)
        let other = try connections.add("home", origin: origin)
        for connection in [removed, other] { try await begin(connection) }
        let (files, items) = try kept(of: other)
        #expect(files.keys.contains("connection.json") && files.keys.contains("installation"))
        #expect(items.keys.contains(.session(of: other.descriptor.id)))
        #expect(try await connections.remove("work").localFailures.isEmpty)
        let after = try kept(of: other)
        #expect(after.files == files)
        #expect(after.items == items)
        let left = try kept(of: removed)
        #expect(left.files.isEmpty && left.items.isEmpty)
        let bytes: [UInt8] = [1]
        #expect(throws: VaultFailure.keyLost) { _ = try keys.key(of: removed.descriptor.id).seal(bytes.span) }
        #expect(try await connections.open("home").session?.state == .active)
    }

    // Every file in the folder of a connection, and everything of it in the store.
    private func kept(of connection: Connection) throws -> (files: [String: Data], items: [ItemName: [UInt8]]) {
        let (place, account) = (path(connection), connection.descriptor.id.text)
        var files: [String: Data] = [:]
        if FileManager.default.fileExists(atPath: place) {
            for name in try FileManager.default.subpathsOfDirectory(atPath: place) {
                files[name] = FileManager.default.contents(atPath: place + "/" + name)
            }
        }
        return (files, memory.left.filter { $0.key.account == account })
    }

    @Test func `removing works without a network`() async throws {
        server.set { $0.revocationReply = .failure(.network("offline", sent: false)) }
        let connection = try connections.add("work", origin: origin)
        try await begin(connection)
        #expect(try await connections.remove("work").revocation == .queued)
        #expect(Array(memory.left.keys) == [.revocations])
    }

    @Test func `a reinstalled app is signed out, and its next sign-in begins anew`() async throws {
        let connection = try connections.add("work", origin: origin)
        try await begin(connection)
        #expect(try await connections.open("work").session?.state == .active)
        // The description comes back from somewhere, the half does not.
        try FileManager.default.removeItem(atPath: path(connection) + "/installation")
        let again = try connections.open("work")
        #expect(await again.session?.state == .signedOut)
        #expect(memory.secrets.count == 1)
        await #expect(throws: SessionFailure.signedOut) { try await again.send(HTTPRequest("GET", again.url("/"))) }
        #expect(server.refreshCalls == 0)
        try await begin(again)
        #expect(try await connections.open("work").session?.state == .active)
        #expect(memory.secrets.count == 1)
    }

    @Test func `what a reinstalled app finds of its tokens goes with a sign-out`() async throws {
        let connection = try connections.add("work", origin: origin)
        try await begin(connection)
        try FileManager.default.removeItem(atPath: path(connection) + "/installation")
        _ = await connection.signOut()
        #expect(memory.secrets.isEmpty)
    }

    @Test func `a removal that was killed is finished at the next start`() async throws {
        let connection = try connections.add("work", origin: origin)
        try await begin(connection)
        let marks = ConnectionsFolder(home: home) { [memory, key] _ in TokenVault(store: memory, key: key) }
        try marks.markRemoved(connection.descriptor.id)
        #expect(try connections.list().isEmpty)
        try connections.finishRemovals()
        #expect(memory.left.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path(connection)))
        _ = try connections.add("work", origin: origin)
    }

    @Test func `a password goes to its origin only, and is refused when it cannot be one`() async throws {
        let connection = try connections.add("nas", origin: origin, method: .basic)
        #expect(throws: BasicAccess.Problem.colonInName) {
            try connection.store(user: "a:b", password: SecretBytes(utf8: "p"))
        }
        #expect(throws: BasicAccess.Problem.unusablePassword) {
            try connection.store(user: "ann", password: SecretBytes(utf8: ""))
        }
        #expect(throws: BasicAccess.Problem.unusableName) {
            try connection.store(user: "", password: SecretBytes(utf8: "p"))
        }
        await #expect(throws: SessionFailure.signedOut) {
            try await connection.send(HTTPRequest("GET", try connection.url("/")))
        }
        try connection.store(user: "Aladdin", password: SecretBytes(utf8: "open sesame"))
        _ = try await connection.send(HTTPRequest("GET", try connection.url("/")))
        #expect(server.state.withLock { $0.bearers } == ["QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        let foreign = HTTPRequest("GET", try WebURL("https://evil.example/"))
        await #expect(throws: SessionFailure.foreignOrigin(foreign.url.origin)) { try await connection.send(foreign) }
        #expect(server.state.withLock { $0.bearers.count } == 1)
        #expect(await connection.signOut().localFailure == nil)
        #expect(memory.secrets.isEmpty)
    }

    private func begin(_ connection: Connection) async throws {
        let session = try #require(connection.session)
        let store = await session.store
        let now = ClockReading(TimeSource.system)
        let tokenServer = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"),
            revocationEndpoint: try WebURL("https://id.example/revoke"))
        let grant = TokenGrant(accessToken: SharedSecretBytes("at-0"), refreshToken: SharedSecretBytes("rt-0"))
        let origin = origin
        _ = try await store.begin(
            { stamp in
                SessionRecord(
                    beginning: grant, server: tokenServer, resource: origin, identity: nil, scopes: [], after: stamp,
                    at: now)
            }, at: now)
    }
}

/// A key for each connection, as the platform's vaults have it.
private final class KeyOfEach: Sendable {
    private let keys = Mutex<[ConnectionID: MemoryKey]>([:])

    func key(of id: ConnectionID) -> MemoryKey {
        keys.withLock { keys in
            let key = keys[id] ?? MemoryKey()
            keys[id] = key
            return key
        }
    }
}
