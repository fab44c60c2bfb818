import PaviseLab
import PaviseNetworking
import PaviseTransport
import PaviseURLSession
import TestSupport
import Testing

@Suite struct `Code that names URLSession and knows nothing of Pavise` {
    @Test func `is refused while the program's rules cannot be read, and no longer`() async {
        await #expect(processExitsWith: .success) {
            func isRefused() -> Bool {
                "\(URLSessionConfiguration.default.protocolClasses ?? [])".contains("RefusingURLProtocol")
            }
            var wasRefused = false
            ProcessLimit.noMoreFiles { wasRefused = isRefused() }
            guard wasRefused else { exit(1) }
            guard !isRefused() else { exit(2) }
        }
    }

    private static func code(_ body: () async throws -> Data) async -> URLError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }

    private static func url(_ server: LabServer) throws -> URL {
        try #require(URL(string: server.address("/", host: "localhost")))
    }

    @Test func `an async delegate that pins refuses a man in the middle with a valid certificate`() async throws {
        let authority = try CertificateAuthority()
        let right = try authority.issue()
        let server = try LabServer.start(right) { _ in .text("right") }
        let attacker = try LabServer.start(try authority.issue()) { _ in .text("wrong") }
        let pinned = Data(right.chain[0])
        let delegates: [any URLSessionDelegate] = [
            AsyncPinningDelegate(pinnedCertificate: pinned), AsyncTaskPinningDelegate(pinnedCertificate: pinned),
            CompletingDelegate(pinnedCertificate: pinned),
        ]
        for delegate in delegates {
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
                delegate: delegate, delegateQueue: nil)
            let (data, _) = try await session.data(from: Self.url(server))
            #expect(String(decoding: data, as: UTF8.self) == "right", "\(type(of: delegate))")
            let refused = await Self.code { try await session.data(from: Self.url(attacker)).0 }
            #expect(refused == .cancelled, "\(type(of: delegate))")
        }
        #expect(await attacker.settle())
        #expect(attacker.counters.applicationBytes == 0)
        #expect(attacker.requests.isEmpty)
    }

    @Test(.enabled(if: Nginx.path != nil, "nginx is not installed"))
    func `both forms of a delegate are asked over HTTP/2, and refuse a man in the middle`() async throws {
        let authority = try CertificateAuthority()
        let right = try authority.issue()
        let other = try authority.issue()
        let server = try Nginx(chain: right.chainPEM, key: right.privateKeyPEM())
        let attacker = try Nginx(chain: other.chainPEM, key: other.privateKeyPEM())
        #expect(try await server.isReady())
        #expect(try await attacker.isReady())
        let pinned = Data(right.chain[0])
        let delegates: [any URLSessionDelegate] = [
            AsyncPinningDelegate(pinnedCertificate: pinned), AsyncTaskPinningDelegate(pinnedCertificate: pinned),
            CompletingDelegate(pinnedCertificate: pinned),
        ]
        for delegate in delegates {
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
                delegate: delegate, delegateQueue: nil)
            let place = try #require(URL(string: "https://localhost:\(server.port)/protocol"))
            let (data, _) = try await session.data(from: place)
            #expect(String(decoding: data, as: UTF8.self) == "HTTP/2.0", "\(type(of: delegate))")
            let wrong = try #require(URL(string: "https://localhost:\(attacker.port)/hello"))
            let refused = await Self.code { try await session.data(from: wrong).0 }
            #expect(refused == .cancelled, "\(type(of: delegate))")
        }
        #expect(attacker.requests.isEmpty)
    }

    @Test func `the usual configurations refuse plain http and strangers, whatever a delegate says`() async throws {
        let server = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("stranger") }
        let place = try Self.url(server)
        #expect(await Self.code { try await UntouchedApp.load(place, nil) } == .serverCertificateUntrusted)
        let accepting = await Self.code { try await UntouchedApp.load(place, AcceptingDelegate()) }
        #expect(accepting == .serverCertificateUntrusted)
        #expect(await Self.code { try await UntouchedApp.loadShared(place) } == .serverCertificateUntrusted)
        #expect(await Self.code { try await UntouchedApp.loadEphemeral(place) } == .serverCertificateUntrusted)
        let plain = try #require(URL(string: "http://example.org/"))
        let refused = await Self.code { try await UntouchedApp.load(plain, nil) }
        #expect(refused == .appTransportSecurityRequiresSecureConnection)
        #expect(await server.settle())
        #expect(server.requests.isEmpty && server.counters.applicationBytes == 0)
    }

    @Test func `rules that cannot be read let nothing out`() async throws {
        let session = URLSession(configuration: .refusing)
        let place = try #require(URL(string: "https://example.org/"))
        #expect(await Self.code { try await session.data(from: place).0 } == .cannotLoadFromNetwork)
    }
}
