import Foundation
import Pavise
import PaviseLab
import PaviseManaged
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Revocations that their server did not take: kept, sealed, and made good later (session SR17, F13).
@Suite struct RevocationQueueTests {
    private static let queued = SignOutReport(localFailure: nil, revocation: .queued)

    @Test(arguments: ["{", #"{"authentication": {"allowed": ["oidc"]}}"#])
    func `a removal that rules keep from the server is made good when they allow it`(_ rules: String) async throws {
        let (world, folder) = (try RevocationWorld(), try TemporaryFolder())
        let known = try await world.signedIn().servers.policy.knownServers
        let token = world.token(.refresh)
        let path = folder.path + "/managed.json"
        let managed = ManagedFile(system: path, named: nil)
        try DurableFile.write(Array(rules.utf8).span, to: path)
        let report = try await world.connections(managed: managed).remove("work")
        #expect(report.localFailures.isEmpty && report.revocation == .queued)
        world.time.advance(seconds: 3600)
        #expect(await world.connections(managed: managed).finishRevocations().waiting == 1)
        #expect(world.asked.isEmpty)
        try DurableFile.remove(path)
        #expect(await world.finish().done == 1)
        #expect(world.asked == [token])
        // Rules that cannot be read are no reason to forget the server.
        #expect(!known.isEmpty && world.network.policies.withLock { $0.last?.knownServers } == known)
    }

    @Test func `where the record of the servers was altered, too, nothing waits for one of them`() async throws {
        let (world, folder) = (try RevocationWorld(), try TemporaryFolder())
        let id = try await world.signedIn().descriptor.id
        let record = "\(world.home.connections)/\(id)/servers.json"
        try DurableFile.write((try DurableFile.read(record, limit: 1 << 20) + [0x20]).span, to: record)
        try DurableFile.write(Array("{".utf8).span, to: folder.path + "/managed.json")
        let managed = ManagedFile(system: folder.path + "/managed.json", named: nil)
        let report = try await world.connections(managed: managed).remove("work")
        #expect(report.localFailures.isEmpty && report.revocation != .queued)
        #expect(!world.isQueueThere && world.asked.isEmpty && world.memory.state.withLock { $0.items.isEmpty })
    }

    @Test func `a sign-out without a network is made good by a later process`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        let token = world.token(.refresh)
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        #expect(await connection.session?.state == .signedOut)
        #expect(world.isQueueThere && !world.authority.isRevoked(token))
        world.time.advance(seconds: 120)
        #expect(await world.finish() == report(waiting: 1))
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.asked == [token] && world.authority.isRevoked(token))
        #expect(!world.authority.accepts(world.token(.access)))
        #expect(!world.isQueueThere && !world.key(of: .revocations).isThere)
        #expect(await world.finish() == report())
        #expect(world.asked.count == 1)
    }

    @Test func `a removal without a network is made good when nothing is left of the connection`() async throws {
        let world = try RevocationWorld()
        let id = try await world.signedIn().descriptor.id
        let token = world.token(.refresh)
        world.network.isDown = true
        let removal = try await world.connections().remove("work")
        #expect(removal.localFailures.isEmpty && removal.revocation == .queued)
        #expect(!world.key(of: id).isThere && world.memory.state.withLock { $0.items.isEmpty })
        #expect(!FileManager.default.fileExists(atPath: "\(world.home.connections)/\(id)"))
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.authority.isRevoked(token) && !world.isQueueThere)
    }

    @Test func `what the server takes at once leaves nothing behind`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: .done))
        #expect(!world.isQueueThere && !world.key(of: .revocations).isThere)
    }

    @Test(arguments: ["client_secret_basic", "client_secret_post"])
    func `a client with a secret shows it later too`(_ way: String) async throws {
        let world = try RevocationWorld {
            $0.clientSecret = "canary-secret:1"
            $0.clientAuthentication = [way]
        }
        let connection = try await world.signedIn(secret: SharedSecretBytes("canary-secret:1"))
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.authority.isRevoked(world.token(.refresh)))
    }

    @Test(
        arguments: [
            (.status(500), .queued), (.page(503), .queued), (.hangUp, .queued), (.page(403), .queued),
            (.tooManyRequests(retryAfter: "60"), .queued), (.error(400, "temporarily_unavailable"), .queued),
            (.redirect(307, to: "https://127.0.0.1:1/"), .queued), (.error(400, "unsupported_token_type"), .failed),
            (.error(403, "access_denied"), .failed), (.page(400), .failed),
        ] as [(AuthorityFault, SignOutReport.Revocation)])
    func `what passes is tried again, the server's own no is not`(
        _ fault: AuthorityFault, _ expected: SignOutReport.Revocation
    ) async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.authority.fail(.revoke, with: fault)
        #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: expected))
        #expect(world.isQueueThere == (expected == .queued))
        // The same answer later, and then a good one.
        world.time.advance(seconds: 7200)
        let count = world.asked.count
        #expect(await world.finish() == report(waiting: expected == .queued ? 1 : 0))
        #expect(world.asked.count == count + (expected == .queued ? 1 : 0))
        world.authority.heal()
        world.time.advance(seconds: 7200)
        #expect(await world.finish() == report(done: expected == .queued ? 1 : 0))
    }

    @Test func `a no that comes later ends the entry`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.authority.fail(.revoke, with: .error(400, "unsupported_token_type"))
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(refused: 1))
        #expect(!world.isQueueThere)
    }

    @Test func `a token that the server does not know any more is done`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.authority.revokeEverything()
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
    }

    @Test func `a server that knows clients by their access token alone is asked with a fresh one`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.authority.fail(.revoke, with: .status(401), times: 1)
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.authority.counters.rotations == 1 && world.asked.last == world.token(.refresh))
        #expect(world.authority.isRevoked(world.token(.refresh)))
    }

    @Test func `the token that comes in place of a spent one waits in its place`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.authority.fail(.revoke, with: .status(401), times: 1)
        world.authority.fail(.revoke, with: .status(503), times: 1)
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(waiting: 1))
        #expect(world.authority.counters.rotations == 1)
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.asked.last == world.token(.refresh) && world.authority.isRevoked(world.token(.refresh)))
    }

    @Test func `an entry ends after fourteen days, and nobody is asked any more`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.time.advance(seconds: 14 * 86_400 - 1)
        #expect(await world.finish() == report(waiting: 1))
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(expired: 1))
        #expect(world.asked.isEmpty && !world.isQueueThere)
    }

    @Test(arguments: [(86_400, true), (3600, false)] as [(Double, Bool)])
    func `an entry ends with its session's own limit`(_ seconds: Double, _ isOver: Bool) async throws {
        let world = try RevocationWorld()
        try await world.signedIn()
        world.network.isDown = true
        #expect(
            await (try world.connections { $0.absoluteLimit = .seconds(86_400) }.open("work")).signOut() == Self.queued)
        world.network.isDown = false
        world.time.advance(seconds: seconds)
        #expect(await world.finish() == report(done: isOver ? 0 : 1, expired: isOver ? 1 : 0))
    }

    @Test func `a wall clock that is set back across a reboot gives no more time than was left`() throws {
        let time = ManualTime()
        let start = ClockReading(time.source)
        let entry = try #require(try entry(at: start))
        time.advance(seconds: 13 * 86_400)
        let aged = entry.aged(to: ClockReading(time.source))
        time.setWall(seconds: 1)
        time.reboot()
        let after = aged.aged(to: ClockReading(time.source))
        #expect(after.left == 86_400_000 && after.isDue(at: ClockReading(time.source)))
        time.advance(seconds: 86_400)
        #expect(after.isOver(at: ClockReading(time.source)))
    }

    @Test func `an access token alone waits until its own end`() throws {
        let now = ClockReading(ManualTime().source)
        #expect(try entry(refresh: nil, at: now)?.left == 1_800_000)
        #expect(try entry(at: now)?.left == 14 * 86_400_000)
        #expect(try entry(access: nil, refresh: nil, at: now) == nil)
        #expect(try entry(binding: "thumbprint", at: now) == nil)
        #expect(try entry(revocation: "http://id.example/revoke", at: now) == nil)
        #expect(try entry(revocation: nil, at: now) == nil)
    }

    @Test func `thirty-two wait at most, and the oldest goes`() async throws {
        let world = try RevocationWorld()
        try FileManager.default.createDirectory(atPath: world.home.connections, withIntermediateDirectories: true)
        let queue = world.queue()
        let now = ClockReading(world.time.source)
        let entries = try (0..<40).map { try #require(try entry(refresh: "rt-\($0)", at: now)) }
        for entry in entries { try await queue.add(entry) }
        let seen = Mutex<[UInt64]>([])
        world.time.advance(seconds: 3600)
        let report = await queue.finish(within: .seconds(60)) { entry in
            seen.withLock { $0.append(entry.id) }
            return nil
        }
        #expect(report.waiting == 32)
        #expect(seen.withLock { Set($0) } == Set(entries.suffix(32).map(\.id)))
    }

    @Test(arguments: [VaultFailure.locked(status: -25308), .denied(status: -128), .system(status: -61)])
    func `a store that cannot say does not hold up a sign-out, and the report says so`(
        _ failure: VaultFailure
    ) async throws {
        let world = try RevocationWorld()
        let first = try await world.signedIn("first")
        let second = try await world.signedIn("second")
        world.network.isDown = true
        #expect(await first.signOut() == Self.queued)
        world.waiting.set { $0.readFailure = failure }
        #expect(await second.signOut() == SignOutReport(localFailure: nil, revocation: .failed))
        #expect(await second.session?.state == .signedOut)
        world.time.advance(seconds: 3600)
        var report = report()
        report.failure = failure
        #expect(await world.finish() == report)
        // What waited is still there.
        world.waiting.set { $0.readFailure = nil }
        world.network.isDown = false
        #expect(await world.finish() == self.report(done: 1))
    }

    @Test func `a queue whose key is lost makes place for the next`() async throws {
        let world = try RevocationWorld()
        let first = try await world.signedIn("first")
        let second = try await world.signedIn("second")
        world.network.isDown = true
        #expect(await first.signOut() == Self.queued)
        try world.key(of: .revocations).destroy()
        #expect(await second.signOut() == Self.queued)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(!world.isQueueThere)
    }

    @Test func `two processes never send one token at once`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        let gate = Gate()
        world.network.onSend { await gate.wait() }
        let first = Task { await world.finish() }
        await gate.waitForGuest()
        #expect(await world.finish() == report(waiting: 1))
        gate.open()
        #expect(await first.value == report(done: 1))
        #expect(world.asked.count == 1)
    }

    @Test func `a sign-out that is asking now is not overtaken`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        let gate = Gate()
        world.network.onSend { await gate.wait() }
        let leaving = Task { await connection.signOut() }
        await gate.waitForGuest()
        // Durable before the first byte leaves, and its own.
        #expect(world.isQueueThere)
        #expect(await world.finish() == report(waiting: 1))
        gate.open()
        #expect(await leaving.value == SignOutReport(localFailure: nil, revocation: .done))
        #expect(!world.isQueueThere)
    }

    @Test func `a process that is killed before it asks leaves the rest to the next one`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        // The local half: what follows it is the request.
        #expect(await connection.session?.endLocally().failure == nil)
        #expect(world.asked.isEmpty && world.isQueueThere)
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
        #expect(world.authority.isRevoked(world.token(.refresh)))
    }

    @Test func `tokens that are bound to a key do not wait: the key is destroyed`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        world.authority.stop()
        #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: .failed))
        #expect(world.memory.state.withLock { $0.items[.revocations] } == nil)
        let after = await world.connections().finishRevocations()
        #expect(after == report())
    }

    @Test func `pauses grow, with full jitter, up to an hour, and never less than a request may take`() throws {
        let time = ManualTime()
        let policy = RefreshPolicy()
        var entry = try #require(try entry(at: ClockReading(time.source)))
        #expect(entry.pause == 10_000 && !entry.isDue(at: ClockReading(time.source)))
        var ceilings: [Int64] = []
        for _ in 0..<9 {
            entry.postpone(at: ClockReading(time.source), retryAfter: nil, chance: 1, policy)
            ceilings.append(entry.pause / 60_000)
        }
        #expect(ceilings == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        entry.postpone(at: ClockReading(time.source), retryAfter: nil, chance: 0, policy)
        #expect(entry.pause == 10_000)
        entry.postpone(at: ClockReading(time.source), retryAfter: 900, chance: 0, policy)
        #expect(entry.pause == 900_000)
        entry.postpone(at: ClockReading(time.source), retryAfter: .max, chance: 0, policy)
        #expect(entry.pause == 3_600_000)
        var endless = RefreshPolicy()
        endless.retryAfterCap = .seconds(Int64.max)
        endless.revocation = .seconds(Int64.max)
        var patient = entry
        patient.postpone(at: ClockReading(time.source), retryAfter: .max, chance: 0, endless)
        #expect(patient.pause == .max && !patient.isDue(at: ClockReading(time.source)))
        time.advance(seconds: 3599)
        #expect(!entry.isDue(at: ClockReading(time.source)))
        time.advance(seconds: 1)
        #expect(entry.isDue(at: ClockReading(time.source)))
    }

    @Test func `no redirect is followed, and no other server hears of the token`() async throws {
        let world = try RevocationWorld()
        let trap = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.authority.fail(.revoke, with: .redirect(307, to: trap.authority.address(.revoke)))
        // Whatever the metadata says by now.
        world.authority.fail(.discovery, with: .member("revocation_endpoint", trap.authority.address(.revoke)))
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(waiting: 1))
        #expect(world.asked.count == 1 && trap.authority.server.counters.connections == 0)
    }

    @Test func `a connection that is gone leaves its pins and its servers, and no approval`() async throws {
        let world = try RevocationWorld()
        let pin = try #require(Pin(Data(repeating: 7, count: 32).base64EncodedString()))
        let connection = try await world.signedIn()
        let known = try #require(await connection.servers.policy.knownServers.values.first)
        var changed = connection.descriptor
        changed.pins = [pin]
        changed.approvals = [try approval(known, connection)]
        try world.connections().save(changed)
        world.network.isDown = true
        #expect(await (try world.connections().open("work")).signOut() == Self.queued)
        world.time.advance(seconds: 3600)
        // The connection is there: its own policy, as it is now.
        _ = await world.finish()
        let living = try #require(world.network.policies.withLock { $0.last })
        #expect(living.approvals == changed.approvals && living.pins.first?.leaf == [pin])
        _ = try await world.connections().remove("work")
        world.time.advance(seconds: 7200)
        #expect(await world.finish() == report(waiting: 1))
        let left = try #require(world.network.policies.withLock { $0.last })
        #expect(left.pins == living.pins && left.approvals.isEmpty && left.anchors == .system)
        #expect(Array(left.knownServers.values) == [known])
        #expect(left.connection == changed.id.text)
    }

    @Test func `pins that were taken away since still hold`() async throws {
        let world = try RevocationWorld()
        let pin = try #require(Pin(Data(repeating: 7, count: 32).base64EncodedString()))
        var changed = try await world.signedIn().descriptor
        changed.pins = [pin]
        try world.connections().save(changed)
        world.network.isDown = true
        #expect(await (try world.connections().open("work")).signOut() == Self.queued)
        changed.pins = []
        try world.connections().save(changed)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(waiting: 1))
        #expect(world.asked.isEmpty)
        #expect(world.network.policies.withLock { $0.last?.pins.first?.leaf } == [pin])
    }

    @Test func `an administrator's rules come first: nothing is sent that they forbid`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        let file = world.home.path + "/managed.json"
        try Data("no rules".utf8).write(to: URL(fileURLWithPath: file))
        let managed = ManagedFile(system: file, named: nil)
        #expect(
            await world.connections(managed: managed).finishRevocations(within: .seconds(120)) == report(waiting: 1))
        #expect(world.asked.isEmpty)
        #expect(await world.finish() == report(done: 1))
    }

    @Test func `a method that an administrator does not allow any more sends nothing`() async throws {
        let world = try RevocationWorld()
        try await world.signedIn()
        world.network.isDown = true
        #expect(try await world.connections().remove("work").revocation == .queued)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        let file = world.home.path + "/managed.json"
        try Data(#"{"authentication":{"allowed":["basic"]}}"#.utf8).write(to: URL(fileURLWithPath: file))
        #expect(
            await world.connections(managed: ManagedFile(path: file)).finishRevocations(within: .seconds(120))
                == report(waiting: 1))
        #expect(world.asked.isEmpty)
    }

    @Test func `a server that hangs is left behind after five seconds`() async throws {
        let world = try RevocationWorld()
        try FileManager.default.createDirectory(atPath: world.home.connections, withIntermediateDirectories: true)
        let naps = Naps()
        let queue = world.queue { try await naps.sleep($0) }
        try await queue.add(try #require(try entry(at: ClockReading(world.time.source))))
        world.time.advance(seconds: 3600)
        let server = ScriptedServer()
        server.set { $0.revocationReply = .hang }
        let running = Task { await queue.finish(within: .seconds(60)) { _ in server.client } }
        await naps.waitForSleeper(from: .seconds(5), upTo: .seconds(5))
        naps.wake(from: .seconds(5), upTo: .seconds(6))
        #expect(await running.value == report(waiting: 1))
        server.releaseHung()
    }

    @Test func `no token endpoint of another server is asked on the way`() async throws {
        let world = try RevocationWorld()
        try FileManager.default.createDirectory(atPath: world.home.connections, withIntermediateDirectories: true)
        let queue = world.queue()
        let server = ScriptedServer()
        server.set { $0.revocationReply = .status(401) }
        for (address, calls) in [("https://other.example/revoke", 0), ("https://id.example/revoke", 1)] {
            try await queue.add(try #require(try entry(revocation: address, at: ClockReading(world.time.source))))
            world.time.advance(seconds: 3600)
            _ = await queue.finish(within: .seconds(60)) { _ in server.client }
            #expect(server.refreshCalls == calls)
        }
    }

    @Test func `what waits is sealed again when its key says so`() async throws {
        let world = try RevocationWorld()
        try await world.connections().sealRevocationsAgain()
        #expect(world.waiting.state.withLock { $0.writes } == 0)
        let connection = try await world.signedIn()
        let before = world.waiting.state.withLock { $0.writes }
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        try await world.connections().sealRevocationsAgain()
        #expect(world.waiting.state.withLock { $0.writes } == before + 2)
        world.network.isDown = false
        world.time.advance(seconds: 3600)
        #expect(await world.finish() == report(done: 1))
    }

    @Test func `a wipe gives up what waits`() async throws {
        let world = try RevocationWorld()
        let connection = try await world.signedIn()
        world.network.isDown = true
        #expect(await connection.signOut() == Self.queued)
        try world.connections().forgetRevocations()
        #expect(world.waiting.left.isEmpty && !world.key(of: .revocations).isThere)
    }

    @Test func `a queue comes back as it was, and nothing else is read`() throws {
        let now = ClockReading(ManualTime().source)
        var confidential = try #require(try entry(secret: SharedSecretBytes("s3cret"), at: now))
        confidential.postpone(at: now, retryAfter: nil, chance: 1, RefreshPolicy())
        let entries = [confidential, try #require(try entry(refresh: nil, at: now))]
        let bytes = try PendingRevocation.encode(entries)
        let back = try PendingRevocation.decode(bytes)
        #expect(try PendingRevocation.encode(back) == bytes)
        #expect(back.map(\.token.text) == ["rt-0", "at-0"] && back.map(\.server) == entries.map(\.server))
        for count in 0..<bytes.count {
            #expect(throws: VaultFailure.corrupt(.content)) { try PendingRevocation.decode(Array(bytes.prefix(count))) }
        }
        #expect(throws: VaultFailure.corrupt(.content)) { try PendingRevocation.decode(bytes + [0]) }
        // Whatever one byte becomes: refused, or another queue of the same kind, and never a trap.
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0xFF
            _ = try? PendingRevocation.decode(other)
        }
        var text = "\(back) \(String(reflecting: back))"
        dump(back, to: &text)
        for secret in ["rt-0", "at-0", "s3cret"] { #expect(!text.contains(secret)) }
    }

    @Test(
        arguments: [
            (200, "", .done), (200, "{}", .done), (204, "", .passing()), (301, "", .passing()), (500, "", .passing()),
            (503, #"{"error":"x"}"#, .passing()), (400, "", .refused()), (401, "", .refused(isUnauthorized: true)),
            (401, #"{"error":"server_error"}"#, .passing()), (400, #"{"error":"slow_down"}"#, .passing()),
            (403, "", .passing()), (404, "<html>", .passing()), (403, #"{"error":"invalid_client"}"#, .refused()),
            (408, #"{"error":"x"}"#, .passing()), (429, #"{"error":"x"}"#, .passing()),
        ] as [(Int, String, RevocationResponse)])
    func `every answer has one meaning`(_ status: Int, _ body: String, _ meaning: RevocationResponse) {
        let response = ScriptedServer.response(status, body)
        #expect(RevocationResponse(.success(response)) == meaning)
    }

    private func report(
        done: Int = 0, refused: Int = 0, expired: Int = 0, waiting: Int = 0
    ) -> RevocationsReport {
        var report = RevocationsReport()
        (report.done, report.refused, report.expired, report.waiting) = (done, refused, expired, waiting)
        return report
    }

    private func approval(_ known: KnownServer, _ connection: Connection) throws -> CertificateApproval {
        let refusal = CertificateRefusal(failures: [.unknownAuthority], summary: known.summary, canBeApproved: true)
        return try #require(
            CertificateApproval(
                of: refusal, origin: connection.descriptor.origin, at: TimeSource.system.wallSeconds,
                connection: connection.descriptor.id.text))
    }

    private func entry(
        access: String? = "at-0", refresh: String? = "rt-0", secret: SharedSecretBytes? = nil, binding: String? = nil,
        revocation: String? = "https://id.example/revoke", at now: ClockReading
    ) throws -> PendingRevocation? {
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"),
            revocationEndpoint: try revocation.map { try WebURL($0) },
            authentication: secret.map { ClientAuthentication(.post, secret: $0) })
        let origin = Origin(scheme: .https, host: "cloud.example", port: 443)
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at-0"), refreshToken: refresh.map { SharedSecretBytes($0) }, lifetime: 1800)
        var record = SessionRecord(
            beginning: grant, server: server, resource: origin, identity: nil, scopes: [], binding: binding,
            after: TokenVersion(epoch: 0, generation: 0), at: now)
        if access == nil { record.access = nil }
        let descriptor = ConnectionDescriptor(
            id: try .random(), name: "work", origin: origin, method: .oauth, created: 0)
        return PendingRevocation(record, of: descriptor, known: nil, at: now, RefreshPolicy())
    }
}
