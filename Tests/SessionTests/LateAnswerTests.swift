import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import Pavise
@testable import PaviseSession

/// What comes late is about the session that it began with, and about no later one.
@Suite struct LateAnswerTests {
    private final class Seen: Sendable {
        let lines = Mutex<[String]>([])
    }

    @Test func `a sign-out whose server is slow leaves the id_token of the next sign-in alone`() async throws {
        let world = try WakeWorld()
        let connection = try await world.signedIn("one")
        let item = TokenMethod.hint(at: connection.place)
        try connection.place.vault.store(Array("old".utf8), as: item)
        world.server.set { $0.revocationReply = .hang }
        let leaving = Task { await connection.signOut() }
        await world.naps.waitForSleeper(from: .seconds(5), upTo: .seconds(5))
        #expect(try connection.hint() == nil)
        try connection.place.vault.store(Array("new".utf8), as: item)
        world.naps.wake(from: .seconds(5), upTo: .seconds(6))
        #expect(await leaving.value.localFailure == nil)
        #expect(try connection.hint()?.text == "new")
        world.server.releaseHung()
    }

    @Test func `the id_token of the session before is gone when the next session is stored, whatever comes then`()
        async throws
    {
        let world = try LabWorld(AuthorityConfiguration())
        let store = world.store
        let seen = Seen()
        for _ in 0..<2 {
            _ = try await world.signIn(change: { request in
                request.keepIDToken = { token in
                    var epoch: UInt64 = 0
                    if case .present(let record)? = try? store.load() { epoch = record.epoch }
                    let line = "\(token == nil ? "none" : "new") \(epoch)"
                    seen.lines.withLock { $0.append(line) }
                }
            })
        }
        let lines = seen.lines.withLock { $0 }
        #expect(lines == ["none 0", "new 1", "none 1", "new 2"])
    }

    /// Keeps the id_token of the session that is there.
    private final class Kept: Sendable {
        private let token = Mutex<SharedSecretBytes?>(nil)
        var text: String? { token.withLock { $0 }?.text }

        func join(_ request: inout SignIn.Request) {
            request.keepIDToken = { [self] new in token.withLock { $0 = new } }
            request.keptIDToken = { [self] in token.withLock { $0 } }
        }
    }

    // Without it no logout token would end that session.
    @Test func `LO2: a sign-in that could not be stored leaves the session before, with its id_token`() async throws {
        let world = try LabWorld(AuthorityConfiguration())
        let kept = Kept()
        _ = try await world.signIn(change: { kept.join(&$0) })
        let (token, stamp) = (try #require(kept.text), try #require(try world.record).stamp)
        world.memory.set { $0.writeFailures = [.system(status: 28)] }
        await #expect(throws: SignInFailure.store(.system(status: 28))) {
            _ = try await world.signIn(change: { kept.join(&$0) })
        }
        let after = try world.record?.stamp
        #expect(after == stamp)
        #expect(kept.text == token)
        _ = try await world.signIn(change: { kept.join(&$0) })
        #expect(kept.text != token)
    }

    @Test func `a sign-out takes back the tokens that are stored, and not those of a session before`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        stage.memory.set { $0.writeFailures = [nil, .system(status: 28)] }
        _ = try await session.forceRefresh()
        #expect(await session.unsaved?.refresh?.text == "rt-1")
        // Another process signs out, and in again.
        _ = await stage.session().signOut()
        try await stage.signIn(refresh: "rt-new")
        #expect(await session.signOut().localFailure == nil)
        #expect(try stage.record?.ending == .signedOut)
        #expect(stage.server.revoked.contains("rt-new"))
    }

    /// Ends the session while somebody else holds the record, runs `meanwhile`, and lets the end go on.
    private func end(
        _ session: Session, of stage: Stage, _ meanwhile: (inout SessionRecord) -> Void,
        then: () async -> Void
    ) async throws -> Bool {
        let lock = try await FileLock.acquire(stage.folder.path + "/record.lock", wait: .seconds(10))
        let ending = Task { await session.end(.absoluteLimit) }
        while await session.machine?.phase != .ended(.reloginNeeded(.absoluteLimit)) { await Task.yield() }
        var next = try #require(try stage.record)
        meanwhile(&next)
        try TokenVault(store: stage.memory, key: stage.key).store(next.encoded(), as: Stage.name)
        await then()
        _ = consume lock
        return await ending.value
    }

    @Test func `an end that waited for its turn leaves the session of the next sign-in alone`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        _ = try await session.accessToken()
        _ = try await end(session, of: stage) { next in
            next.epoch += 1
            next.generation += 1
        } then: {
            await session.startOver()
        }
        #expect(try await session.accessToken().stamp.epoch == 2)
    }

    @Test func `an end that another process overtook brings no token back once the lock is closed`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let gate = ScriptedGate()
        let session = stage.session(behind: gate)
        _ = try await session.accessToken()
        let isEnded = try await end(session, of: stage) { next in
            next.generation += 1
        } then: {
            gate.close()
            while await session.record != nil { await Task.yield() }
        }
        #expect(!isEnded)
        #expect(await session.record == nil)
        #expect(await session.state == .locked)
    }

    @Test(arguments: [true, false])
    func `where nobody can say just now whose a server is, it is asked later`(_ isKnown: Bool) async throws {
        let stage = try Stage()
        let address = try WebURL("https://tokens.example/revoke")
        let queue = RevocationQueue(
            vault: TokenVault(store: MemoryStore(), key: MemoryKey()), folder: stage.folder.path,
            environment: stage.environment, policy: RefreshPolicy())
        let descriptor = ConnectionDescriptor(
            id: try .random(), name: "work", origin: stage.resource, method: .oauth, created: 1_900_000_000)
        let store = SessionStore(
            vault: TokenVault(store: stage.memory, key: stage.key), name: Stage.name, folder: stage.folder.path,
            revocations: RevocationStore(queue: queue, descriptor: descriptor, known: { _ in nil }),
            others: MixUpGuard { isKnown ? [address.origin] : nil })
        try await stage.signIn()
        var record = try #require(try stage.record)
        record.server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://tokens.example/token"),
            revocationEndpoint: address)
        try TokenVault(store: stage.memory, key: stage.key).store(record.encoded(), as: Stage.name)
        let session = Session(store: store, client: stage.server.client, environment: stage.environment)
        // Another connection's authority never gets them; of one that cannot be read now nobody knows.
        #expect(await session.signOut().revocation == (isKnown ? .failed : .queued))
        #expect(stage.server.revoked.isEmpty)
        #expect(try stage.record?.refresh == nil)
    }
}
