import Dispatch
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

/// A storage in memory that counts how often it is read.
private final class CountedStorage: ServerTrustStorage {
    private let state = Mutex<(bytes: [UInt8]?, reads: Int)>((nil, 0))
    var reads: Int { state.withLock { $0.reads } }

    func read() throws -> [UInt8]? {
        state.withLock { state in
            state.reads += 1
            return state.bytes
        }
    }

    func write(_ bytes: [UInt8]) throws { state.withLock { $0.bytes = bytes } }
}

/// Gives these answers in turns, as a pool of several connections does.
private final class Turns: Sendable {
    private let answers: [HTTPResponse]
    private let next = Atomic(0)

    init(_ answers: [HTTPResponse]) { self.answers = answers }

    var client: HTTPClient {
        HTTPClient { [self] (_) throws(TransportFailure) in
            answers[next.wrappingAdd(1, ordering: .relaxed).oldValue % answers.count]
        }
    }
}

@Suite struct `A client whose servers are kept` {
    @Test func `looks at each connection once, also when several answer in turns`() async throws {
        let lab = try TestLab()
        let request = HTTPRequest("GET", try lab.url())
        var answers: [HTTPResponse] = []
        for _ in 0..<3 {
            lab.client.use(lab.client.policy)
            answers.append(try await lab.get())
        }
        let shelf = CountedStorage()
        let keeper = try KnownServersStore(connection: "one", policy: lab.client.policy, storage: shelf)
        let client = Turns(answers).client.tracked(by: keeper) { _ in }
        let before = shelf.reads
        for _ in 0..<30 { _ = try await client.send(request) }
        #expect(shelf.reads == before + 3)
    }

    @Test func `that an administrator has stopped sends nothing, a handshake for a person to look at included`()
        async throws
    {
        let lab = try TestLab()
        let url = try lab.url()
        let keeper = try KnownServersStore(connection: "one", policy: lab.client.policy, storage: CountedStorage())
        let client = lab.client.tracked(by: keeper) { _ in }
        client.stop(because: "stopped")
        let ends = [
            await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) },
            await failure { () throws(TransportFailure) in try await client.inspect(url.origin) },
        ]
        let wanted = TransportFailure.managed("stopped")
        #expect(ends == [wanted, wanted])
        #expect(lab.server.counters.connections == 0)
        client.stop(because: nil)
        #expect(try await client.inspect(url.origin).decision == .allow(.valid))
    }

    @Test func `looks at a new connection to the same server`() async throws {
        let lab = try TestLab()
        let request = HTTPRequest("GET", try lab.url())
        let shelf = CountedStorage()
        let keeper = try KnownServersStore(connection: "one", policy: lab.client.policy, storage: shelf)
        let client = lab.client.tracked(by: keeper) { _ in }
        let before = shelf.reads
        // More than are remembered before those that are gone are forgotten.
        for round in 1...70 {
            lab.client.use(lab.client.policy)
            _ = try await client.send(request)
            #expect(shelf.reads == before + round)
        }
    }
}

/// What a client judges by is changed by several at once: pins that were renewed, an administrator's rules.
@Suite struct `A policy that changes` {
    @Test func `C35: of two changes at the same moment none is lost`() throws {
        let client = HTTPClient.silent
        let key = try #require(Pin(String(repeating: "A", count: 43) + "="))
        let pins = try ([1, 2] as [Int64]).map { end in
            try PinSet(hosts: ["example.org"], leaf: [key], expires: end, backup: .notRequired)
        }
        let rules = [false, true].map { ManagedTrust(forbidsPlainHTTP: $0) }
        let lost = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            for round in 0..<5_000 {
                let number = round % 2
                if side == 0 { client.follow(pins: [pins[number]]) } else { client.follow(rules[number]) }
                let policy = client.policy
                let isThere = side == 0 ? policy.pins == [pins[number]] : policy.managed == rules[number]
                if !isThere { lost.withLock { $0 += 1 } }
            }
        }
        #expect(lost.withLock { $0 } == 0)
    }
}

/// What a person approves holds at the connection that asked, at once (NU-B6).
@Suite struct ApprovalEffectTests {
    @Test func `an approval takes effect at once at the client that was refused`() async throws {
        let lab = try TestLab()
        lab.client.use(TrustPolicy(anchors: .only([])))
        let keeper = try KnownServersStore(connection: "one", policy: lab.client.policy, storage: CountedStorage())
        lab.client.use(keeper.firstPolicy)
        let client = lab.client.tracked(by: keeper) { _ in }
        let request = HTTPRequest("GET", try lab.url())
        guard
            case .untrusted(let refusal)? = await failure(of: { () async throws(TransportFailure) in
                try await client.send(request)
            })
        else {
            Issue.record("not refused for its certificate")
            return
        }
        let origin = try #require(client.refusedServer)
        let state = await keeper.state(of: origin)
        guard case .awaitingReview(let review) = state else {
            Issue.record("\(state)")
            return
        }
        #expect(review.failures == refusal.failures && review.summary == refusal.summary)
        // Another certificate than the one that was shown.
        #expect(try await keeper.approve(String(repeating: "0", count: 64), at: origin) == .void)
        #expect(await failure { () async throws(TransportFailure) in try await client.send(request) } != nil)
        #expect(try await keeper.approve(review.summary.fingerprint, at: origin) == .allow(.approved))
        #expect(try await client.send(request).status == 200)
        // And what is taken back ends at once, too.
        try await keeper.forget(origin)
        #expect(await failure { () async throws(TransportFailure) in try await client.send(request) } != nil)
    }

    @Test func `a refusal that nobody can approve is no question`() async throws {
        let lab = try TestLab()
        let origin = try lab.url().origin
        let keeper = try KnownServersStore(connection: "one", policy: TrustPolicy(), storage: CountedStorage())
        let refusal = CertificateRefusal(failures: [.pinMismatch], summary: nil, canBeApproved: false)
        await keeper.look(at: refusal, of: origin)
        #expect(await keeper.state(of: origin) == .blocked(refusal, before: nil))
        #expect(await keeper.approvals.isEmpty)
    }
}
