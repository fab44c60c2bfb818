import Foundation
import FoundationNetworking
import PaviseLab
import PaviseTransport
import PaviseURLSession
import Synchronization
import TestSupport
import Testing

@Suite struct `A session's delegate and connections` {
    @Test func `is not asked again about a connection that is kept`() async throws {
        let delegate = AskedDelegate(.useCredential)
        let lab = try URLSessionLab(delegate: delegate)
        for _ in 0..<5 { _ = try await lab.get() }
        #expect(lab.server.counters.requests == 5)
        #expect(lab.server.counters.connections == 1)
        #expect(delegate.ports.count == 1)
    }

    @Test func `of a task is not asked again either, and another one gets a connection of its own`() async throws {
        let lab = try URLSessionLab()
        let certificate = Data(lab.identity.chain[0])
        func own() -> EvaluatingDelegate {
            EvaluatingDelegate(["localhost": PinnedCertificatesEvaluator(certificates: [certificate])])
        }
        let (one, other) = (own(), own())
        for _ in 0..<3 {
            for delegate in [one, other] {
                _ = try await lab.session.data(for: lab.request(), delegate: delegate)
            }
        }
        #expect(lab.server.counters.requests == 6)
        #expect(lab.server.counters.connections == 2)
    }

    @Test func `keeps its connections while many other sessions and delegates of tasks come and go`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let address = try url(server)
        let policy = TrustPolicy(anchors: .only([authority.anchor]))
        func session(_ delegate: AskedDelegate?) throws -> URLSession {
            URLSession(configuration: try .pavise(policy: policy), delegate: delegate, delegateQueue: nil)
        }
        let delegates = (0..<12).map { _ in AskedDelegate(.useCredential) }
        let sessions = try delegates.map { try session($0) }
        for round in 0..<3 {
            for kept in sessions {
                _ = try await kept.data(from: address)
                let other = try session(nil)
                let evaluator = EvaluatingDelegate([:])
                #expect(await urlError { try await other.data(from: address, delegate: evaluator) }?.code == .cancelled)
                other.finishTasksAndInvalidate()
            }
            #expect(server.counters.requests == (round + 1) * sessions.count)
        }
        #expect(delegates.map(\.ports.count) == Array(repeating: 1, count: delegates.count))
    }

    @Test(.long, arguments: [true, false])
    func `may think for long: nothing runs meanwhile`(isOld: Bool) async {
        await #expect(processExitsWith: .success) { [isOld = isOld as Bool] in
            let version: LabTLS.Version = isOld ? .tls12 : .tls13
            let spent = Mutex<Int?>(nil)
            let delegate = AskedDelegate { challenge, answer in
                _ = challenge.protectionSpace.serverTrust
                // What the handshake itself still does is done a little later.
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) {
                    let start = clock()
                    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
                        spent.withLock { $0 = clock() - start }
                        answer(.performDefaultHandling, nil)
                    }
                }
            }
            let lab = try URLSessionLab(tls: LabTLS(minimum: version, maximum: version), delegate: delegate)
            #expect(try await lab.get().1.statusCode == 200)
            // Processor time of the whole process, in microseconds: a loop that turned would have used a second.
            let found = try #require(spent.withLock { $0 })
            #expect(found < 100_000)
        }
    }

    @Test func `is asked about every host at once, and each answer is for its own`() async throws {
        let authority = try CertificateAuthority()
        let servers = try (0..<4).map { number in
            try LabServer.start(try authority.issue()) { _ in .text("\(number)") }
        }
        let refused = Int(servers[2].port)
        let delegate = AskedDelegate { challenge, answer in
            let port = challenge.protectionSpace.port
            // The first to be asked answers last.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(port == refused ? 10 : 60)) {
                answer(port == refused ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
            }
        }
        let session = URLSession(
            configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
            delegate: delegate, delegateQueue: nil)
        let ends = try await withThrowingTaskGroup(of: (Int, URLError?).self) { group in
            for (number, server) in servers.enumerated() {
                let address = try url(server)
                group.addTask { (number, await urlError { try await session.data(from: address) }) }
            }
            return try await group.reduce(into: [Int: URLError?]()) { $0[$1.0] = $1.1 }
        }
        #expect(ends.filter { $0.value != nil }.keys.sorted() == [2])
        #expect(ends[2]??.code == .cancelled)
        #expect(servers.map(\.counters.requests) == [1, 1, 0, 1])
        #expect(Set(delegate.ports) == Set(servers.map { Int($0.port) }))
    }

    @Test func `is asked again by a redirect to another server, which gets nothing when it is refused`() async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue()
        let other = try LabServer.start(identity) { _ in .text("there") }
        let target = other.address("/", host: "localhost")
        let first = try LabServer.start(identity) { _ in .redirect(302, to: target) }
        let refused = Int(other.port)
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
        func end(refusing port: Int?) async throws -> (URLError?, [Int]) {
            let delegate = AskedDelegate { challenge, answer in
                let isRefused = challenge.protectionSpace.port == port
                answer(isRefused ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
            }
            let session = URLSession(
                configuration: .pavise(client, redirects: .withConsent) { _, _ in true }, delegate: delegate,
                delegateQueue: nil)
            let address = try url(first)
            return (await urlError { try await session.data(from: address) }, delegate.ports)
        }
        let (stopped, asked) = try await end(refusing: refused)
        #expect(stopped?.code == .cancelled)
        #expect(asked == [Int(first.port), refused])
        #expect(other.requests.isEmpty)
        #expect(try await end(refusing: nil).0 == nil)
        #expect(other.requests.count == 1)
    }

    @Test func `of one session does not answer for another session of the same configuration`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
        let configuration = URLSessionConfiguration.pavise(client)
        let address = try url(server)
        let lax = URLSession(
            configuration: configuration, delegate: AskedDelegate(.useCredential), delegateQueue: nil)
        _ = try await lax.data(from: address)
        _ = try await URLSession(configuration: configuration).data(from: address)
        let strict = URLSession(
            configuration: configuration, delegate: AskedDelegate(.cancelAuthenticationChallenge),
            delegateQueue: nil)
        #expect(await urlError { try await strict.data(from: address) }?.code == .cancelled)
        #expect(server.counters.requests == 2)
    }

    @Test func `follows a change of the policy`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
        let session = URLSession(
            configuration: .pavise(client), delegate: AskedDelegate(.useCredential), delegateQueue: nil)
        let address = try url(server)
        _ = try await session.data(from: address)
        client.use(TrustPolicy(anchors: .only([])))
        #expect(await urlError { try await session.data(from: address) }?.code == .serverCertificateUntrusted)
        #expect(server.counters.requests == 1)
    }

    @Test func `of a task answers where the session has none, and never for another task`() async throws {
        let lab = try URLSessionLab()
        func end(_ delegate: EvaluatingDelegate) async throws -> URLError? {
            let request = try lab.request()
            return await urlError { try await lab.session.data(for: request, delegate: delegate) }
        }
        let right = PinnedCertificatesEvaluator(
            certificates: [Data(lab.identity.chain[0])], anchors: [Data(lab.authority.anchor)])
        #expect(try await end(EvaluatingDelegate(["localhost": right])) == nil)
        let none = EvaluatingDelegate([:])
        #expect(try await end(none)?.code == .cancelled)
        #expect(none.errors == [.noEvaluator])
        #expect(lab.server.counters.requests == 1)
    }
}
