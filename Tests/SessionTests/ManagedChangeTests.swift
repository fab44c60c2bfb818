import Foundation
import PaviseAppLock
import PaviseManaged
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import Pavise
@testable import PaviseSession

/// An administrator's rules that change while connections are open (connections C19, C32, C35, C37).
@Suite struct ManagedChangeTests {
    private let folder: TemporaryFolder
    private let world: WakeWorld
    private var path: String { folder.path + "/managed.json" }

    init() throws {
        folder = try TemporaryFolder()
        world = try WakeWorld(managed: ManagedFile(system: folder.path + "/managed.json", named: nil))
    }

    private func manage(_ text: String?) throws { try Self.manage(text, path) }

    private static func manage(_ text: String?, _ path: String) throws {
        guard let text else { return try FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func refusal(of connection: Connection) async throws -> TransportFailure? {
        let request = HTTPRequest("GET", try connection.url("/files"))
        do throws(SessionFailure) {
            _ = try await connection.send(request)
            return nil
        } catch {
            guard case .transport(let failure) = error else { throw error }
            return failure
        }
    }

    @Test func `a method that is no longer allowed stops an open connection, keeps its tokens, and comes back`()
        async throws
    {
        let connection = try await world.signedIn("one")
        #expect(try await refusal(of: connection) == nil)
        try manage(#"{"authentication": {"allowed": ["oidc"]}}"#)
        await world.connections.applyRules()
        let sent = world.server.state.withLock { $0.bearers.count }
        guard case .managed(let words)? = try await refusal(of: connection) else {
            Issue.record("sent")
            return
        }
        #expect(words.contains("oauth"))
        #expect(world.server.state.withLock { $0.bearers.count } == sent)
        try manage(nil)
        await world.connections.applyRules()
        #expect(try await refusal(of: connection) == nil)
    }

    @Test(arguments: ["{", #"{"renewal": 7}"#, #"{"authentication": {"alowed": []}}"#])
    func `rules that cannot be read stop what is open, and loosen nothing`(_ text: String) async throws {
        let connection = try await world.signedIn("one")
        try manage(text)
        let found = await world.connections.applyRules()
        #expect(throws: ManagedFile.Failure.self) { try found.get() }
        guard case .managed? = try await refusal(of: connection) else {
            Issue.record("sent")
            return
        }
        #expect(ManagedReport(found).status == .refused)
    }

    @Test func `another connection to the same server goes on`() async throws {
        let oauth = try await world.signedIn("one")
        let oidc = try world.connections.add("other", origin: world.origin, method: .openIDConnect)
        try manage(#"{"authentication": {"allowed": ["oidc"]}}"#)
        await world.connections.applyRules()
        await #expect(throws: TransportFailure.self) { try await oauth.client.send(HTTPRequest("GET", oauth.url("/"))) }
        _ = try await oidc.client.send(HTTPRequest("GET", oidc.url("/")))
    }

    @Test func `a shorter session holds for one that is open, and ends it at its next use`() async throws {
        let connection = try await world.signedIn("one")
        #expect(try await refusal(of: connection) == nil)
        world.time.advance(seconds: 3600)
        try manage(#"{"session": {"maximumSeconds": 1800}}"#)
        await world.connections.applyRules()
        await #expect(throws: SessionFailure.reloginNeeded(.absoluteLimit)) {
            try await connection.send(HTTPRequest("GET", connection.url("/")))
        }
    }

    @Test func `the lock takes over the figures at once, and keeps them where the rules cannot be read`() async throws {
        let lock = AppLock { _ in }
        try manage(#"{"appLock": {"minimumDigits": 8, "backgroundSeconds": 0, "biometrics": "forbidden"}}"#)
        await world.connections.applyRules(to: lock)
        #expect(lock.policy != lock.product && !lock.policy.allowsBiometrics)
        try manage("{")
        await world.connections.applyRules(to: lock)
        #expect(lock.policy != lock.product && !lock.policy.allowsBiometrics)
        try manage(nil)
        await world.connections.applyRules(to: lock)
        #expect(lock.policy == lock.product)
    }

    @Test func `rules that change while a connection is opened hold for it`() throws {
        let path = path
        let isFirst = Atomic(true)
        let world = try WakeWorld(managed: ManagedFile(system: path, named: nil)) {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            try? Self.manage(#"{"authentication": {"allowed": ["oidc"]}}"#, path)
        }
        #expect(throws: ConnectionFailure.method(.managed(.oauth))) {
            try world.connections.add("one", origin: world.origin)
        }
    }

    @Test func `rules are read when those before them are applied, and never overtaken by them`() async throws {
        let connection = try await world.signedIn("one")
        try manage(#"{"authentication": {"allowed": ["oidc"]}}"#)
        let (connections, turnstile) = (world.connections, Turnstile())
        let isOver = Atomic(false)
        let before = Task { await connections.opened.inTurn { await turnstile.pass() } }
        #expect(await world.comesTo { turnstile.isWaitedAt })
        let next = Task {
            _ = await connections.applyRules()
            isOver.store(true, ordering: .relaxed)
        }
        for _ in 0..<10_000 where !isOver.load(ordering: .relaxed) { await Task.yield() }
        let isEarly = isOver.load(ordering: .relaxed)
        #expect(!isEarly)
        try manage(nil)
        turnstile.openForGood()
        await before.value
        await next.value
        #expect(try await refusal(of: connection) == nil)
    }

    @Test(.long) func `a connection that nobody holds is not kept alive`() async throws {
        let connections = world.connections
        for number in 0..<100 {
            let connection = try connections.add("c\(number)", origin: world.origin)
            _ = connection.descriptor
        }
        #expect(connections.opened.all.isEmpty)
    }

    @Test func `a watch tells each change once: content, rights, and that the file is gone`() async throws {
        let changes = Atomic(0)
        let naps = Naps()
        let watch = ManagedWatch(
            ManagedFile(system: path, named: nil), every: .seconds(5), sleep: { try await naps.sleep($0) },
            changed: { changes.add(1, ordering: .relaxed) })
        func look() async { await naps.waitForSleeper(upTo: .seconds(5)); naps.wake(upTo: .seconds(5)) }
        func comesTo(_ count: Int) async -> Bool {
            await look()
            await naps.waitForSleeper(upTo: .seconds(5))
            return changes.load(ordering: .relaxed) == count
        }
        #expect(await comesTo(0))
        try manage("{}")
        #expect(await comesTo(1))
        #expect(await comesTo(1))
        try manage(#"{"renewal": "sameKey"}"#)
        #expect(await comesTo(2))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(await comesTo(3))
        try manage(nil)
        #expect(await comesTo(4))
        withExtendedLifetime(watch) {}
    }

    @Test func `a watch tells changes of a channel that brings them by itself, as long as somebody holds it`() {
        let channel = ManagedDeclarations()
        let changes = Atomic(0)
        let source = ManagedSource("x", declarations: channel, ask: { nil }, write: { _ in })
        var watch: ManagedWatch? = ManagedWatch(
            ManagedFile(source), every: nil, changed: { changes.add(1, ordering: .relaxed) })
        channel.take(nil)
        #expect(changes.load(ordering: .relaxed) == 0)
        let rules = try? ManagedConfiguration(json: Array(#"{"renewal": "sameKey"}"#.utf8))
        channel.take(rules)
        #expect(changes.load(ordering: .relaxed) == 1)
        withExtendedLifetime(watch) {}
        watch = nil
        channel.take(nil)
        #expect(changes.load(ordering: .relaxed) == 1)
    }

    @Test func `a watch that nobody holds ends`() async throws {
        let naps = Naps()
        var watch: ManagedWatch? = ManagedWatch(
            ManagedFile(system: path, named: nil), sleep: { try await naps.sleep($0) }, changed: {})
        await naps.waitForSleeper(upTo: .seconds(5))
        withExtendedLifetime(watch) {}
        watch = nil
        #expect(await world.comesTo { naps.current.isEmpty })
    }

    @Test(.long) func `a change of the file reaches what is open through the life cycle`() async throws {
        let connection = try await world.signedIn("one")
        let life = AppLifecycle(lock: nil, connections: world.connections)
        try manage(#"{"authentication": {"allowed": ["oidc"]}}"#)
        var refused = false
        for _ in 0..<3000 where !refused {
            try await Task.sleep(for: .milliseconds(10))
            refused = try await refusal(of: connection) != nil
        }
        #expect(refused)
        #expect(!life.deafness.contains { $0.hasPrefix("The kernel") })
    }
}
