import Foundation
import FoundationNetworking
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseURLSession
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@Suite struct `A delegate that pins` {
    private func delegates(for identity: ServerIdentity) throws -> [(name: String, delegate: any URLSessionDelegate)] {
        let certificate = Data(identity.chain[0])
        let made = try #require(SecCertificateCreateWithData(nil, certificate as CFData))
        let key = try #require(SecCertificateCopyKey(made))
        let copied = SecKeyCopyExternalRepresentation(key, nil)
        let data = try #require(copied) as Data
        return [
            ("certificate", CertificatePinningDelegate(pinnedCertificate: certificate)),
            ("key", PublicKeyPinningDelegate(pinnedHashes: [identity.pin])),
            ("evaluator", EvaluatingDelegate(["localhost": PinnedCertificatesEvaluator(certificates: [certificate])])),
            ("validator", ValidatingDelegate(["localhost": [data]])),
        ]
    }

    @Test(arguments: [LabTLS.Version.tls12, .tls13])
    func `accepts its server and refuses a man in the middle with a valid certificate`(
        _ version: LabTLS.Version
    ) async throws {
        let authority = try CertificateAuthority()
        let right = try authority.issue()
        let tls = LabTLS(minimum: version, maximum: version)
        let server = try LabServer.start(right, tls: tls) { _ in .text("right") }
        let attacker = try LabServer.start(try authority.issue(), tls: tls) { _ in .text("wrong") }
        for (name, delegate) in try delegates(for: right) {
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
                delegate: delegate, delegateQueue: nil)
            let (data, _) = try await session.data(from: url(server))
            #expect(String(decoding: data, as: UTF8.self) == "right", "\(name)")
            var request = URLRequest(url: try url(attacker))
            request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
            let canary = request
            let error = await urlError { try await session.data(for: canary) }
            #expect(error?.code == .cancelled, "\(name)")
        }
        #expect(await attacker.settle())
        // The handshake of TLS 1.3 is done for a server when it has read our last message, which never left.
        #expect(attacker.counters.connections == 4)
        #expect(attacker.counters.handshakes == 0)
        #expect(attacker.counters.applicationBytes == 0)
        #expect(attacker.requests.isEmpty)
    }

    @Test func `is not passed over by a man in the middle who sends a certificate that nobody can read`() async throws {
        let authority = try CertificateAuthority()
        let right = try authority.issue()
        // Two names of how it is signed, which OpenSSL takes and RFC 5280 §4.1.1.2 forbids.
        var strange = try authority.issue().leaf
        let ecdsa: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
        let place = try #require(strange.indices.last { Array(strange[$0...].prefix(ecdsa.count)) == ecdsa })
        strange[place + ecdsa.count] = strange[place + ecdsa.count] == 3 ? 4 : 3
        #expect(SecCertificateCreateWithData(nil, Data(strange) as CFData) == nil)
        let attacker = try LabServer.start(try authority.issue().sending(more: [strange])) { _ in .text("wrong") }
        for (name, delegate) in try delegates(for: right) {
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
                delegate: delegate, delegateQueue: nil)
            #expect(await urlError { try await session.data(from: url(attacker)) }?.code == .cancelled, "\(name)")
        }
        #expect(await attacker.settle())
        #expect(attacker.counters.connections == 4 && attacker.counters.applicationBytes == 0)
        // Without a delegate the client's own judgement holds: the chain is valid.
        let session = URLSession(configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))))
        let (data, _) = try await session.data(from: url(attacker))
        #expect(String(decoding: data, as: UTF8.self) == "wrong")
    }

    @Test(arguments: [false, true])
    func `sees what the server staples about its certificate`(_ isStapled: Bool) async throws {
        let checked = Mutex<[Bool?]>([])
        let delegate = AskedDelegate { challenge, answer in
            let result = challenge.protectionSpace.serverTrust.flatMap { SecTrustCopyResult($0) as? [String: Any] }
            checked.withLock { $0.append(result?[kSecTrustRevocationChecked as String] as? Bool) }
            answer(.cancelAuthenticationChallenge, nil)
        }
        let lab = try URLSessionLab(delegate: delegate)
        var identity = lab.identity
        if isStapled { identity.staple = try lab.authority.statusAnswer(about: identity, .good) }
        try lab.server.use(identity)
        #expect(await urlError { try await lab.get() }?.code == .cancelled)
        #expect(checked.withLock { $0 } == [isStapled ? true : nil])
    }

    @Test(.enabled(if: Nginx.path != nil, "nginx is not installed"))
    func `accepts its server over HTTP/2, and refuses a man in the middle with a valid certificate`() async throws {
        let authority = try CertificateAuthority()
        let right = try authority.issue()
        let server = try await nginx(right)
        let attacker = try await nginx(try authority.issue())
        for (name, delegate) in try delegates(for: right) {
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
                delegate: delegate, delegateQueue: nil)
            let (data, _) = try await session.data(from: url(server, "/protocol"))
            #expect(String(decoding: data, as: UTF8.self) == "HTTP/2.0", "\(name)")
            let error = await urlError { try await session.data(from: url(attacker, "/hello")) }
            #expect(error?.code == .cancelled, "\(name)")
        }
        #expect(server.requests.split(separator: "\n").count == 4)
        #expect(attacker.requests.isEmpty)
    }

    @Test func `sees the chain, the name and the verdict that the client itself comes to`() async throws {
        let delegate = AskedDelegate { challenge, answer in
            let space = challenge.protectionSpace
            guard space.host == "localhost", space.protocol == NSURLProtectionSpaceHTTPS, space.realm == nil,
                let trust = space.serverTrust, SecTrustGetCertificateCount(trust) == 2,
                SecTrustEvaluateWithError(trust, nil), challenge.proposedCredential == nil,
                challenge.previousFailureCount == 0
            else { return answer(.cancelAuthenticationChallenge, nil) }
            answer(.useCredential, URLCredential(trust: trust))
        }
        let lab = try URLSessionLab(delegate: delegate)
        #expect(try await lab.get().1.statusCode == 200)
        #expect(delegate.ports == [Int(lab.server.port)])
    }
}

@Suite struct `The answer of a session's delegate` {
    @Test func `may be default, and then our judgement holds`() async throws {
        let trusted = try URLSessionLab(delegate: AskedDelegate(.performDefaultHandling))
        #expect(try await trusted.get().1.statusCode == 200)
        let stranger = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("x") }
        let address = try url(stranger)
        #expect(
            await urlError { try await trusted.session.data(from: address) }?.code == .serverCertificateUntrusted)
        #expect(stranger.counters.handshakes == 0)
    }

    @Test func `is ours where it has no method`() async throws {
        final class Silent: NSObject, URLSessionDataDelegate {}
        let lab = try URLSessionLab(delegate: Silent())
        #expect(try await lab.get().1.statusCode == 200)
        let stranger = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("x") }
        let address = try url(stranger)
        #expect(await urlError { try await lab.session.data(from: address) }?.code == .serverCertificateUntrusted)
    }

    @Test func `refuses as -999 when it cancels, and as -1202 when it rejects the space`() async throws {
        let cancelled = try URLSessionLab(delegate: AskedDelegate(.cancelAuthenticationChallenge))
        #expect(await urlError { try await cancelled.get() }?.code == .cancelled)
        let rejected = try URLSessionLab(delegate: AskedDelegate(.rejectProtectionSpace))
        #expect(await urlError { try await rejected.get() }?.code == .serverCertificateUntrusted)
        #expect(cancelled.server.counters.handshakes == 0)
        #expect(rejected.server.counters.handshakes == 0)
    }

    @Test func `that accepts does not weaken App Transport Security`() async throws {
        let stranger = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("stranger") }
        let address = try url(stranger)
        func end(_ exception: ATSException?, pins: [PinSet] = [], accepts: Bool = true) async throws -> URLError? {
            let rules = ATSConfiguration(
                localNetworking: false, exceptions: exception.map { ["localhost": $0] } ?? [:])
            let session = URLSession(
                configuration: try .pavise(
                    policy: TrustPolicy(anchors: .only([]), pins: pins), transportSecurity: rules),
                delegate: AskedDelegate(accepts ? .useCredential : .performDefaultHandling), delegateQueue: nil)
            return await urlError { try await session.data(from: address) }
        }
        #expect(try await end(nil)?.code == .serverCertificateUntrusted)
        #expect(try await end(ATSException())?.code == .serverCertificateUntrusted)
        #expect(try await end(ATSException(requiresForwardSecrecy: false))?.code == .serverCertificateUntrusted)
        #expect(stranger.counters.handshakes == 0)
        let loose = ATSException(allowsInsecureHTTPLoads: true)
        #expect(try await end(loose, accepts: false)?.code == .serverCertificateUntrusted)
        #expect(stranger.counters.handshakes == 0)
        #expect(try await end(loose) == nil)
        #expect(stranger.counters.requests == 1)
        let other = try #require(Pin(Data(repeating: 7, count: 32).base64EncodedString()))
        let pins = try PinSet(hosts: ["localhost"], leaf: [other], backup: .notRequired)
        #expect(try await end(loose, pins: [pins])?.code == .serverCertificateUntrusted)
        #expect(stranger.counters.requests == 1)
    }

    @Test(.enabled(if: Nginx.path != nil, "nginx is not installed"))
    func `that accepts does not weaken App Transport Security over HTTP/2`() async throws {
        let server = try await nginx(try CertificateAuthority().issue())
        for (exception, isLeft) in [(nil, false), (ATSException(allowsInsecureHTTPLoads: true), true)] {
            let rules = ATSConfiguration(
                localNetworking: false, exceptions: exception.map { ["localhost": $0] } ?? [:])
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([])), transportSecurity: rules),
                delegate: AskedDelegate(.useCredential), delegateQueue: nil)
            let error = await urlError { try await session.data(from: url(server, "/protocol")) }
            #expect(error?.code == (isLeft ? nil : .serverCertificateUntrusted))
            #expect(server.requests.contains("HTTP/2.0") == isLeft)
        }
    }

    @Test func `accepts nothing with a credential that is not for server trust`() async throws {
        let stranger = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("stranger") }
        let address = try url(stranger)
        let rules = ATSConfiguration(exceptions: ["localhost": ATSException(allowsInsecureHTTPLoads: true)])
        for credential in [nil, URLCredential(user: "a", password: "b", persistence: .forSession)] {
            let delegate = AskedDelegate { challenge, answer in
                if challenge.protectionSpace.serverTrust != nil { answer(.useCredential, credential) }
            }
            let session = URLSession(
                configuration: try .pavise(policy: TrustPolicy(anchors: .only([])), transportSecurity: rules),
                delegate: delegate, delegateQueue: nil)
            #expect(await urlError { try await session.data(from: address) }?.code == .serverCertificateUntrusted)
        }
        #expect(stranger.counters.handshakes == 0)
    }

    @Test func `may come through the challenge's sender, and from another thread later`() async throws {
        let delegate = AskedDelegate { challenge, _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
                challenge.sender?.cancel(challenge)
            }
        }
        let lab = try URLSessionLab(delegate: delegate)
        #expect(await urlError { try await lab.get() }?.code == .cancelled)
        let accepting = try URLSessionLab(
            delegate: AskedDelegate { challenge, _ in
                guard let trust = challenge.protectionSpace.serverTrust else { return }
                DispatchQueue.global().async { challenge.sender?.use(URLCredential(trust: trust), for: challenge) }
            })
        #expect(try await accepting.get().1.statusCode == 200)
    }

    @Test func `may be asynchronous`() async throws {
        final class Asynchronous: NSObject, AsyncSessionChallenges {
            let accepts: Bool
            init(accepts: Bool) { self.accepts = accepts }
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                await Task.yield()
                guard accepts, let trust = challenge.protectionSpace.serverTrust else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                return (.useCredential, URLCredential(trust: trust))
            }
        }
        final class ForTasks: NSObject, URLSessionDataDelegate, AsyncTaskChallenges {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                (
                    challenge.protectionSpace.serverTrust == nil
                        ? .performDefaultHandling : .cancelAuthenticationChallenge, nil
                )
            }
        }
        #expect(try await URLSessionLab(delegate: Asynchronous(accepts: true)).get().1.statusCode == 200)
        for delegate in [Asynchronous(accepts: false), ForTasks()] as [any URLSessionDelegate] {
            let lab = try URLSessionLab(delegate: delegate)
            #expect(await urlError { try await lab.get() }?.code == .cancelled)
        }
    }

    @Test func `that never comes ends with the request's time-out, and nothing was sent`() async throws {
        let lab = try URLSessionLab(
            delegate: AskedDelegate { challenge, _ in _ = challenge.protectionSpace.serverTrust })
        var request = try lab.request()
        request.timeoutInterval = 0.4
        let slow = request
        #expect(await urlError { try await lab.session.data(for: slow) }?.code == .timedOut)
        #expect(lab.server.counters.handshakes == 0)
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `can be waited for no longer: the task is cancelled meanwhile`() async throws {
        let (asked, source) = AsyncStream<Void>.makeStream()
        let lab = try URLSessionLab(
            delegate: AskedDelegate { challenge, _ in
                _ = challenge.protectionSpace.serverTrust
                source.finish()
            })
        let task = Task { try await lab.get() }
        for await _ in asked {}
        task.cancel()
        #expect(await urlError { try await task.value }?.code == .cancelled)
        #expect(lab.server.counters.handshakes == 0)
    }

    @Test func `counts once: whoever answers twice is told, and the first answer holds`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let lab = try URLSessionLab(
                delegate: AskedDelegate { challenge, answer in
                    answer(.cancelAuthenticationChallenge, nil)
                    answer(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
                })
            guard await urlError(of: { try await lab.get() })?.code == .cancelled else { exit(1) }
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("answered the challenge about localhost twice"))
    }

    @Test func `is asked for on the session's delegate queue`() async throws {
        let queue = OperationQueue()
        queue.name = "the app's own"
        let delegate = AskedDelegate { challenge, answer in
            let isThere = OperationQueue.current?.name == "the app's own"
            _ = challenge.protectionSpace
            answer(isThere ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
        }
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let session = URLSession(
            configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
            delegate: delegate, delegateQueue: queue)
        _ = try await session.data(from: url(server))
        #expect(delegate.ports.count == 1)
    }

    @Test func `is asked for on that queue as a task's delegate too, after the session's method left it to others`()
        async throws
    {
        let queue = OperationQueue()
        queue.name = "the app's own"
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let session = URLSession(
            configuration: try .pavise(policy: TrustPolicy(anchors: .only([authority.anchor]))),
            delegate: TaskDelegateOnly(), delegateQueue: queue)
        _ = try await session.data(from: url(server))
    }
}

/// Leaves connections to the default from another thread, and looks where it is asked about its tasks.
private final class TaskDelegateOnly: NSObject, URLSessionTaskDelegate, AsyncSessionChallenges {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await Task.yield()
        return (.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isThere = OperationQueue.current?.name == "the app's own"
        _ = challenge.protectionSpace
        completionHandler(isThere ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
}

/// An address on this machine, by the name that certificates of the lab have.
func url(_ server: LabServer, _ path: String = "/") throws -> URL {
    guard let url = URL(string: server.address(path, host: "localhost")) else { throw CancellationError() }
    return url
}

/// An address of nginx.
func url(_ server: Nginx, _ path: String) throws -> URL {
    guard let url = URL(string: "https://localhost:\(server.port)\(path)") else { throw CancellationError() }
    return url
}

/// A server for an identity of the lab, once its port is open.
func nginx(_ identity: ServerIdentity) async throws -> Nginx {
    let server = try Nginx(chain: identity.chainPEM, key: try identity.privateKeyPEM())
    #expect(try await server.isReady())
    return server
}
