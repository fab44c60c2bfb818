import Foundation
import Pavise
import PaviseManaged
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import PaviseSession

/// What an administrator's file does to methods and sessions (connections C19, C29, C35, C37).
@Suite struct ManagedRulesTests {
    private let folder: TemporaryFolder
    private let memory = MemoryStore()
    private let key = MemoryKey()
    private let server = ScriptedServer()
    private let time = ManualTime()
    private let origin = Origin(scheme: .https, host: "cloud.example", port: 443)
    private var file: String { folder.path + "/managed.json" }

    init() throws { folder = try TemporaryFolder() }

    private func connections() -> Connections {
        Connections(
            home: PaviseHome(path: folder.path + "/home"), environment: SessionEnvironment(time: time.source),
            managed: ManagedFile(system: file, named: nil), methods: .standard.withPasswords(at: .only([origin])),
            makeClient: { [server] _ in server.client },
            makeVault: { [memory, key] _ in TokenVault(store: memory, key: key) })
    }

    private func manage(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    @Test func `a method that is no longer allowed opens nothing, and comes back with the rule`() throws {
        _ = try connections().add("nas", origin: origin, method: .basic)
        try manage(#"{"authentication": {"allowed": ["oidc", "oauth"]}}"#)
        #expect(throws: ConnectionFailure.method(.managed(.basic))) { try connections().open("nas") }
        try manage(#"{"authentication": {"passwordServers": ["other.example"]}}"#)
        #expect(throws: ConnectionFailure.method(.notAllowedHere(.basic, origin))) { try connections().open("nas") }
        try manage(#"{"authentication": {"passwordServers": ["cloud.example"]}}"#)
        _ = try connections().open("nas")
    }

    @Test func `no preference of the administrator switches passwords on`() throws {
        try manage(#"{"authentication": {"allowed": ["basic"], "preferred": ["basic"]}}"#)
        let strict = Connections(
            home: PaviseHome(path: folder.path + "/home"), managed: ManagedFile(system: file, named: nil),
            makeClient: { [server] _ in server.client })
        #expect(throws: ConnectionFailure.method(.unknown(.basic))) {
            try strict.add("nas", origin: origin, method: .basic)
        }
    }

    @Test func `the order of methods is the administrator's`() throws {
        try manage(#"{"authentication": {"preferred": ["oauth"], "weaker": "refused"}}"#)
        let rules = try connections().methodRules()
        #expect(rules.preferred.first == .oauth && !rules.mayWeaken && rules.allowed == nil)
    }

    @Test func `a file that cannot be used stops each connection, and a removal works`() async throws {
        _ = try connections().add("work", origin: origin)
        for (text, mode) in [(#"{"session": {"maximumSeconds": "1"}}"#, 0o600), ("{}", 0o666)] {
            try manage(text, mode: mode)
            #expect(throws: ConnectionFailure.self) { try connections().open("work") }
            #expect(throws: ConnectionFailure.self) { try connections().methodRules() }
        }
        _ = try await connections().remove("work")
        #expect(try connections().list().isEmpty)
    }

    @Test(arguments: [
        (#"{"session": {"maximumSeconds": 3600}}"#, ReloginReason.absoluteLimit),
        (#"{"session": {"inactivitySeconds": 3600}}"#, .inactivity),
    ])
    func `a session ends by the administrator's limit`(_ text: String, _ reason: ReloginReason) async throws {
        try manage(text)
        let connection = try connections().add("work", origin: origin)
        let session = try #require(connection.session)
        let store = await session.store
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"))
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at-0"), refreshToken: SharedSecretBytes("rt-0"), lifetime: 86_400)
        let origin = origin
        let now = ClockReading(time.source)
        _ = try await store.begin(
            { stamp in
                SessionRecord(
                    beginning: grant, server: server, resource: origin, identity: nil, scopes: [], after: stamp,
                    at: now)
            }, at: now)
        time.advance(seconds: 3599)
        #expect(try await connection.send(HTTPRequest("GET", connection.url("/"))).status == 200)
        time.advance(seconds: 1)
        await #expect(throws: SessionFailure.reloginNeeded(reason)) {
            try await connection.send(HTTPRequest("GET", connection.url("/")))
        }
        #expect(try connections().list().count == 1)
    }

    @Test func `figures are tightened and never loosened`() {
        let loose = ManagedSession(maximumSeconds: 31_536_000, inactivitySeconds: 31_536_000, rejections: 100)
        #expect(RefreshPolicy().tightened(by: loose) == RefreshPolicy())
        let strict = RefreshPolicy().tightened(by: ManagedSession(maximumSeconds: 60, rejections: 2))
        #expect(strict.absoluteLimit == .seconds(60) && strict.rejectionsUntilEnd == 2)
        #expect(strict.inactivity == RefreshPolicy().inactivity)
    }

    @Test func `the strongest method that was offered is remembered, a weaker one changes nothing`() throws {
        let connections = connections()
        let made = try connections.add("work", origin: origin).descriptor
        try connections.remember(.openIDConnect, of: made)
        let kept = try connections.open("work").descriptor
        #expect(kept.strongest == .openIDConnect)
        try connections.remember(.basic, of: kept)
        #expect(try connections.open("work").descriptor.strongest == .openIDConnect)
    }

    @Test func `what a server offered once counts while the keychain does not answer, too`() throws {
        let connections = connections()
        try connections.remember(.openIDConnect, of: try connections.add("work", origin: origin).descriptor)
        memory.set { $0.readFailure = .locked(status: -25308) }
        #expect(try connections.stronger(than: .basic, at: origin) == .openIDConnect)
    }
}
