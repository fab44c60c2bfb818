import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// A storage in memory that can be told to fail.
private final class Shelf: ServerTrustStorage {
    private let state = Mutex<(bytes: [UInt8]?, isFull: Bool)>((nil, false))

    init(_ bytes: [UInt8]? = nil) { state.withLock { $0.bytes = bytes } }

    func read() throws -> [UInt8]? { state.withLock { $0.bytes } }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard !state.isFull else { throw SystemFailure(operation: "write", path: "shelf", code: 28) }
            state.bytes = bytes
        }
    }

    func fill() { state.withLock { $0.isFull = true } }
}

/// A storage that another process is faster to change: it writes when somebody's turn comes.
private final class SharedShelf: SharedServerTrustStorage {
    private let shelf: Shelf
    private let other: @Sendable () -> Void

    init(_ shelf: Shelf, other: @escaping @Sendable () -> Void) {
        self.shelf = shelf
        self.other = other
    }

    func read() throws -> [UInt8]? { try shelf.read() }
    func write(_ bytes: [UInt8]) throws { try shelf.write(bytes) }

    func alone(_ body: () throws -> Void) throws {
        other()
        try body()
    }
}

@Suite struct `A keeper of servers` {
    private let now = TimeSource(wall: { TimeSource.system.wallMilliseconds }, boot: { 0 }, epoch: { "" })

    private func keeper(
        _ lab: TestLab, _ storage: any ServerTrustStorage, connection: String = "one"
    ) throws -> KnownServersStore {
        try KnownServersStore(connection: connection, policy: lab.client.policy, storage: storage)
    }

    @Test func `knows a server after a restart`() async throws {
        let folder = try TemporaryFolder()
        let storage = ServerTrustFile(path: folder.path + "/servers.json")
        let lab = try TestLab()
        let origin = try lab.url().origin
        let first = try await lab.client.inspect(origin)
        #expect(try await keeper(lab, storage).look(at: first) == .allow(.first))
        #expect(try await keeper(lab, storage).look(at: first) == .allow(.unchanged))
        try lab.server.use(lab.authority.renew(lab.identity))
        #expect(try await keeper(lab, storage).look(at: lab.client.inspect(origin)) == .allow(.renewedKey))
        try lab.server.use(lab.authority.issue())
        #expect(try await keeper(lab, storage).look(at: lab.client.inspect(origin)) == .allow(.renewedAuthority))
    }

    @Test func `asks about another key of another authority, also after a restart`() async throws {
        let shelf = Shelf()
        let lab = try TestLab()
        let origin = try lab.url().origin
        _ = try await keeper(lab, shelf).look(at: lab.client.inspect(origin))
        let other = try CertificateAuthority()
        try lab.server.use(other.issue())
        let policy = TrustPolicy(anchors: .only([lab.authority.anchor, other.anchor]))
        lab.client.use(policy)
        let shown = try await lab.client.inspect(origin)
        #expect(shown.decision == .allow(.valid))
        for _ in 0..<2 {
            guard case .ask(let review) = try await keeper(lab, shelf).look(at: shown) else {
                Issue.record("not asked")
                return
            }
            #expect(review.failures.isEmpty)
            #expect(review.previous?.key.base64 == lab.identity.pin)
            #expect(review.changes.map(\.field).contains(.spki))
        }
    }

    @Test func `keeps an approval of its connection, which lets requests through`() async throws {
        let shelf = Shelf()
        let lab = try TestLab(LeafProfile(isSelfSigned: true))
        let url = try lab.url()
        let one = try keeper(lab, shelf)
        let shown = try await lab.client.inspect(url.origin)
        guard case .ask(let review) = try await one.look(at: shown) else {
            Issue.record("not asked")
            return
        }
        #expect(try await one.approve("00", at: url.origin) == .void)
        #expect(try await one.approve(review.summary.fingerprint, at: url.origin) == .allow(.approved))
        let approval = try #require(await one.approvals.first)
        #expect(approval.connection == "one")
        #expect(approval.approver == .person)
        #expect(approval.evidence == shown.decision.refusal?.evidence(at: url.origin))
        lab.client.use(try await keeper(lab, shelf).policy)
        #expect(try await lab.client.send(HTTPRequest("GET", url)).status == 200)
        lab.client.use(try await keeper(lab, shelf, connection: "two").policy)
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(HTTPRequest("GET", url)) }
        guard case .untrusted = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    @Test func `tells each change to those who listen, and no more to those who are gone`() async throws {
        let lab = try TestLab()
        let origin = try lab.url().origin
        let one = try keeper(lab, Shelf())
        let told = Mutex<[String]>([])
        one.follow { _ in
            told.withLock { $0.append("gone") }
            return false
        }
        one.follow { _ in
            told.withLock { $0.append("there") }
            return true
        }
        _ = try await one.look(at: lab.client.inspect(origin))
        try await one.forget(origin)
        #expect(told.withLock { $0 } == ["gone", "there", "there"])
    }

    @Test func `forgets a server and its approvals`() async throws {
        let shelf = Shelf()
        let lab = try TestLab(LeafProfile(isSelfSigned: true))
        let origin = try lab.url().origin
        let one = try keeper(lab, shelf)
        guard case .ask(let review) = try await one.look(at: lab.client.inspect(origin)) else {
            Issue.record("not asked")
            return
        }
        _ = try await one.approve(review.summary.fingerprint, at: origin)
        // There is something to forget, in memory and in the file.
        #expect(await one.approvals.count == 1)
        #expect(try await keeper(lab, shelf).approvals.count == 1)
        try await one.forget(origin)
        #expect(await one.approvals.isEmpty)
        #expect(try await keeper(lab, shelf).approvals.isEmpty)
        #expect(await one.state(of: origin) == .unknown)
    }

    @Test func `brings back no approval that another process took back, and forgets no server that it noted`()
        async throws
    {
        let shelf = Shelf()
        let (lab, other) = (
            try TestLab(LeafProfile(isSelfSigned: true)), try TestLab(LeafProfile(isSelfSigned: true))
        )
        let (first, second) = (try lab.url().origin, try other.url().origin)
        let one = try keeper(lab, shelf)
        guard case .ask(let early) = try await one.look(at: lab.client.inspect(first)) else {
            Issue.record("not asked")
            return
        }
        #expect(try await one.approve(early.summary.fingerprint, at: first) == .allow(.approved))
        guard case .ask(let late) = try await one.look(at: lab.client.inspect(second)) else {
            Issue.record("not asked")
            return
        }
        // While the person looks at the second one.
        try await keeper(lab, shelf).forget(first)
        let trusted = try TestLab()
        let third = try trusted.url().origin
        _ = try await keeper(trusted, shelf).look(at: trusted.client.inspect(third))
        #expect(try await one.approve(late.summary.fingerprint, at: second) == .allow(.approved))
        for kept in [one, try keeper(lab, shelf)] {
            #expect(await kept.approvals.map(\.origin) == [second])
            #expect(await Set(kept.policy.knownServers.keys) == [second, third])
        }
    }

    @Test func `loses no change of a process that read the record at the same time and wrote first`() async throws {
        let shelf = Shelf()
        let (lab, trusted) = (try TestLab(LeafProfile(isSelfSigned: true)), try TestLab())
        let (first, second) = (try lab.url().origin, try trusted.url().origin)
        let early = try keeper(lab, shelf)
        guard case .ask(let review) = try await early.look(at: lab.client.inspect(first)) else {
            Issue.record("not asked")
            return
        }
        _ = try await early.approve(review.summary.fingerprint, at: first)
        let approved = try #require(try shelf.read())
        try await keeper(lab, shelf).forget(first)
        let forgotten = try #require(try shelf.read())
        try shelf.write(approved)
        let one = try keeper(lab, SharedShelf(shelf) { try? shelf.write(forgotten) })
        #expect(await one.approvals.count == 1)
        #expect(try await one.look(at: trusted.client.inspect(second)) == .allow(.first))
        for kept in [one, try keeper(lab, shelf)] {
            #expect(await kept.approvals.isEmpty)
            #expect(await Set(kept.policy.knownServers.keys) == [second])
        }
    }

    @Test func `has a file of which one process at a time changes something`() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/servers.json"
        let file = ServerTrustFile(path: place)
        var isHeld = false
        try file.alone { isHeld = try FileLock.tryAcquire(place + ".lock") == nil }
        #expect(isHeld)
        let isFree = try FileLock.tryAcquire(place + ".lock") != nil
        #expect(isFree)
    }

    @Test func `a no leaves what was known`() async throws {
        let lab = try TestLab()
        let origin = try lab.url().origin
        let one = try keeper(lab, Shelf())
        _ = try await one.look(at: lab.client.inspect(origin))
        try lab.server.use(lab.authority.renew(lab.identity, as: LeafProfile(validity: .expired)))
        guard case .ask = try await one.look(at: lab.client.inspect(origin)) else {
            Issue.record("not asked")
            return
        }
        guard case .rejected = try await one.reject(at: origin) else {
            Issue.record("not rejected")
            return
        }
        guard case .trusted(let known) = await one.state(of: origin) else {
            Issue.record("not known any more")
            return
        }
        #expect(known.key.base64 == lab.identity.pin)
        #expect(await one.approvals.isEmpty)
    }

    @Test func `approves nothing that ended while somebody looked at it`() async throws {
        let lab = try TestLab(LeafProfile(isSelfSigned: true))
        let origin = try lab.url().origin
        let shown = try await lab.client.inspect(origin)
        let end = try #require(shown.summary).notAfter
        let shelf = Shelf()
        let late = TimeSource(wall: { (end + 1) * 1_000 }, boot: { 0 }, epoch: { "" })
        let one = try KnownServersStore(connection: "one", policy: lab.client.policy, storage: shelf, time: late)
        guard case .ask(let review) = try await one.look(at: shown) else {
            Issue.record("not asked")
            return
        }
        #expect(try await one.approve(review.summary.fingerprint, at: origin) == .void)
        #expect(await one.approvals.isEmpty)
        #expect(await one.state(of: origin) == .awaitingReview(review))
        #expect(try shelf.read() == nil)
    }

    @Test func `says nothing that is not on the disk`() async throws {
        let shelf = Shelf()
        let lab = try TestLab()
        let origin = try lab.url().origin
        let one = try keeper(lab, shelf)
        shelf.fill()
        let shown = try await lab.client.inspect(origin)
        await #expect(throws: SystemFailure.self) { try await one.look(at: shown) }
        #expect(await one.state(of: origin) == .unknown)
    }

    @Test func `writes nothing that could not be read again`() async throws {
        let shelf = Shelf()
        let lab = try TestLab(LeafProfile(isSelfSigned: true))
        let origin = try lab.url().origin
        let one = try keeper(lab, shelf)
        guard case .ask(let review) = try await one.look(at: lab.client.inspect(origin)) else {
            Issue.record("not asked")
            return
        }
        _ = try await one.approve(review.summary.fingerprint, at: origin)
        let before = try #require(try shelf.read())
        // The record of this one would be greater than any that is read.
        let other = try keeper(lab, shelf, connection: String(repeating: "a", count: ServerTrustRecord.sizeLimit))
        _ = try await other.look(at: lab.client.inspect(origin))
        await #expect(throws: ServerTrustDamage.unwritable) {
            try await other.approve(review.summary.fingerprint, at: origin)
        }
        #expect(try shelf.read() == before)
        #expect(try await keeper(lab, shelf).approvals.count == 1)
    }

    @Test func `forgets the server that was not seen for the longest time, and none for never having changed`()
        async throws
    {
        let lab = try TestLab()
        let chain = try await lab.client.inspect(lab.url().origin).chain
        let known = try #require(KnownServer(chain))
        let server = { (number: Int) in Origin(scheme: .https, host: "h\(number).example", port: 443) }
        var record = ServerTrustRecord()
        for number in 0..<ServerTrustRecord.limit { record.note(.trusted(known), of: server(number)) }
        record.note(.trusted(known), of: server(0))
        let before = record
        // A handshake that shows what is known writes nothing.
        record.note(.trusted(known), of: server(0))
        #expect(record == before)
        record.note(.trusted(known), of: server(ServerTrustRecord.limit))
        #expect(record.state(of: server(0)) == .trusted(known))
        #expect(record.state(of: server(1)) == .unknown)
        #expect(record.entries.count == ServerTrustRecord.limit)
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"version\":1}", "{\"version\":1,\"entries\":[],\"approvals\":[{}]}", "{\"version\":\"1\"}",
        "{\"approvals\":[],\"entries\":[],\"version\":1,\"version\":1}",
    ])
    func `never takes damage for a first start`(_ text: String) throws {
        let lab = try TestLab()
        #expect(throws: ServerTrustDamage.unreadable) { try keeper(lab, Shelf(Array(text.utf8))) }
    }

    @Test func `leaves a record of a later version alone`() throws {
        let lab = try TestLab()
        #expect(throws: ServerTrustDamage.newer(version: 3)) { try keeper(lab, Shelf(Array("{\"version\":3}".utf8))) }
    }

    @Test func `gives the client what it knows, and another key gets no byte of the next request`() async throws {
        let lab = try TestLab()
        let url = try lab.url()
        let kept = try keeper(lab, Shelf())
        _ = try await kept.look(at: lab.client.inspect(url.origin))
        let other = try CertificateAuthority()
        try lab.server.use(other.issue())
        var policy = await kept.policy
        policy.anchors = .only([lab.authority.anchor, other.anchor])
        lab.client.use(policy)
        lab.server.forget()
        let failure = await #expect(throws: TransportFailure.self) {
            try await lab.client.send(HTTPRequest("GET", url))
        }
        guard case .untrusted(let refusal) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(refusal.failures == [.keyChanged] && refusal.canBeApproved)
        #expect(lab.server.counters.applicationBytes == 0)
        policy.managed.renewal = .validIsEnough
        lab.client.use(policy)
        #expect(try await lab.client.send(HTTPRequest("GET", url)).status == 200)
    }
}

@Suite struct `The evidence of an approval` {
    private func refusal(subject: String = "CN=a", failures: [TrustFailure] = [.selfSigned]) -> CertificateRefusal {
        let pin = Base64.encode([UInt8](repeating: 7, count: 32))
        let summary = CertificateSummary(
            subject: subject, names: ["a.example"], issuer: "CN=a", notBefore: 0, notAfter: 9, key: "EC 256",
            signature: "ECDSA with SHA-256", serial: "01", fingerprint: Hex.encode([UInt8](repeating: 1, count: 32)),
            spki: pin)
        return CertificateRefusal(failures: failures, summary: summary, canBeApproved: true)
    }

    @Test func `changes with everything that is shown, and with nothing else`() {
        let origin = Origin("https://a.example")
        let evidence = refusal().evidence(at: origin)
        #expect(evidence != nil)
        #expect(evidence == refusal().evidence(at: origin))
        let twice = refusal(failures: [.expired, .selfSigned]).evidence(at: origin)
        #expect(twice == refusal(failures: [.selfSigned, .expired]).evidence(at: origin))
        for other in [
            twice, refusal(subject: "CN=b").evidence(at: origin),
            refusal().evidence(at: Origin("https://b.example")),
            refusal(subject: "CN=a\nCN=a").evidence(at: origin), refusal(subject: "CN=a\\nCN=a").evidence(at: origin),
        ] { #expect(other != evidence) }
        #expect(
            refusal(subject: "x\ny").evidence(at: origin) != refusal(subject: "x\\ny").evidence(at: origin))
    }

    @Test func `and the connection are missing in approvals of an older Pavise, which still count`() throws {
        let approval = try #require(
            CertificateApproval(of: refusal(), origin: Origin("https://a.example"), at: 0, connection: "one"))
        let bytes = try JSONEncoder().encode(approval)
        #expect(try JSONDecoder().decode(CertificateApproval.self, from: bytes) == approval)
        var members = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        for name in ["connection", "approver", "evidence"] { members[name] = nil }
        let old = try JSONDecoder().decode(
            CertificateApproval.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(old.connection == nil && old.evidence == nil && old.approver == .person)
        #expect(old.bound(to: "two").connection == "two")
        #expect(approval.bound(to: "two").connection == "one")
    }
}
