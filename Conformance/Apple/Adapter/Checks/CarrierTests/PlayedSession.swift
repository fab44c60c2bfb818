import AppleFoundation
import Network
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Synchronization

/// The carrier over Apple's own driver: what the tests of Linux play becomes calls of a URLSession's delegate, as Apple
/// documents them, and what the delegate says becomes what it means. The tests are those of Linux.
extension StandInNetwork {
    func session(_ settings: DrivenSettings, telling events: any DrivenEvents) -> any DrivenSession {
        URLSession.$player.withValue({ [self] configuration in PlayedSession(self, configuration) }) {
            URLSessionDriver(settings, telling: events)
        }
    }
}

/// What stands behind one URLSession.
final class PlayedSession: SessionPlayer {
    let configuration: URLSessionConfiguration
    private let network: StandInNetwork
    private let started = Mutex<(StandInSession, DelegateCalls)?>(nil)

    init(_ network: StandInNetwork, _ configuration: URLSessionConfiguration) {
        self.network = network
        self.configuration = configuration
    }

    // A session keeps its delegate, and its tasks keep it.
    private func start(_ session: URLSession) -> (StandInSession, DelegateCalls) {
        started.withLock { started in
            if let started { return started }
            let calls = DelegateCalls(session)
            let made = (StandInSession(network, telling: calls, through: proxy), calls)
            started = made
            return made
        }
    }

    private var proxy: ProxyEndpoint? {
        guard let found = configuration.proxyConfigurations.first, case .hostPort(let host, let port) = found.endpoint
        else { return nil }
        let name = host.name.contains(":") ? "[\(host.name)]" : host.name
        let person = found.user.map { "\($0):\(found.password ?? "")@" } ?? ""
        return ProxyEndpoint("http://\(person)\(name):\(port.rawValue)")
    }

    func task(for request: URLRequest, isStreamed: Bool, of session: URLSession) -> any TaskPlayer {
        let (played, calls) = start(session)
        let task = played.task(for: StandInRequest(request, isStreamed: isStreamed))
        let player = PlayedTask(task)
        calls.add(
            isStreamed ? URLSessionUploadTask(player, request) : URLSessionDataTask(player, request), task.number)
        return player
    }

    func finish() { started.withLock { $0?.0 }?.finish() }

    func cancel() { started.withLock { $0?.0 }?.cancel() }
}

private struct PlayedTask: TaskPlayer {
    let task: StandInTask

    init(_ task: StandInTask) { self.task = task }

    var number: Int { task.number }
    func resume() { task.resume() }
    func suspend() { task.suspend() }
    func cancel() { task.cancel() }
}

extension StandInRequest {
    /// As it leaves: what the request says, and nothing that the system would add.
    init(_ request: URLRequest, isStreamed: Bool) {
        precondition(request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData && !request.httpShouldHandleCookies)
        self.init(
            method: request.httpMethod ?? "", url: request.url?.absoluteString ?? "",
            lines: Dictionary(
                uniqueKeysWithValues: (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }),
            body: request.httpBody.map { [UInt8]($0) }, isStreamed: isStreamed)
    }
}

/// The calls of a session's delegate, one at a time; each answer has to come once.
private final class DelegateCalls: DrivenEvents {
    private let session: URLSession
    private let tasks = Mutex<[Int: URLSessionDataTask]>([:])

    init(_ session: URLSession) { self.session = session }

    func add(_ task: URLSessionDataTask, _ number: Int) { tasks.withLock { $0[number] = task } }

    private var delegate: any URLSessionDataDelegate { session.delegate as! any URLSessionDataDelegate }

    private func task(_ number: Int) -> URLSessionDataTask { tasks.withLock { $0[number] }! }

    func challenged(_ number: Int, by challenge: DrivenChallenge) -> DrivenResponse {
        let space = URLProtectionSpace(challenge)
        let answer = Answer<(URLSession.AuthChallengeDisposition, URLCredential?)>()
        delegate.urlSession(session, task: task(number), didReceive: URLAuthenticationChallenge(space)) {
            answer.give(($0, $1))
        }
        switch answer.taken {
        case (.useCredential, let credential?):
            if let own = credential.identity {
                precondition(credential.persistence == .none)
                return .identity(own.forItsServer)
            }
            // Another trust than the one that was asked about answers nothing.
            precondition(credential.trust === space.serverTrust && space.serverTrust != nil)
            return .trust
        // The system's own rules hold: they may trust a server that ours do not.
        case (.useCredential, nil), (.performDefaultHandling, _): return space.serverTrust == nil ? .nothing : .trust
        case (.cancelAuthenticationChallenge, _): return .refuse
        case (.rejectProtectionSpace, _): return .reject
        }
    }

    func redirected(_ number: Int) -> Bool {
        let answer = Answer<URLRequest?>()
        let task = task(number)
        let url = task.originalRequest!.url!
        delegate.urlSession(
            session, task: task,
            willPerformHTTPRedirection: HTTPURLResponse(
                url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: nil)!,
            newRequest: URLRequest(url: url)
        ) { answer.give($0) }
        return answer.taken != nil
    }

    func body(of number: Int) -> (any PumpedBody)? {
        let stream = Mutex<UncheckedTransfer<InputStream?>?>(nil)
        delegate.urlSession(
            session, task: task(number),
            needNewBodyStream: { given in
                let given = UncheckedTransfer(given)
                stream.withLock { $0 = given }
            })
        guard let stream = stream.withLock({ $0?.value }) else { return nil }
        return ReadStream(stream)
    }

    func answered(_ number: Int, _ head: DrivenHead) -> Bool {
        let answer = Answer<URLSession.ResponseDisposition>()
        let task = task(number)
        let lines = Dictionary(head.fields.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
        let response = HTTPURLResponse(
            url: task.originalRequest!.url!, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: lines)
        delegate.urlSession(session, dataTask: task, didReceive: response!) { answer.give($0) }
        return answer.taken == .allow
    }

    func received(_ number: Int, _ bytes: [UInt8]) {
        delegate.urlSession(session, dataTask: task(number), didReceive: Data(bytes))
    }

    // The transactions before the last one are those of redirects and of tries before.
    func measured(_ number: Int, _ found: DrivenMeasurement) {
        let metrics = URLSessionTaskMetrics([
            URLSessionTaskTransactionMetrics(), URLSessionTaskTransactionMetrics(found),
        ])
        delegate.urlSession(session, task: task(number), didFinishCollecting: metrics)
    }

    func completed(_ number: Int, _ error: DrivenError?) {
        let domain = (error?.code ?? 0) > 0 ? "kCFErrorDomainCFNetwork" : NSURLErrorDomain
        let known = error.map { error in
            NSError(
                domain: domain, code: error.code,
                userInfo: error.streamCode.map { ["_kCFStreamErrorCodeKey": $0] } ?? [:])
        }
        delegate.urlSession(session, task: task(number), didCompleteWithError: known)
        tasks.withLock { _ = $0.removeValue(forKey: number) }
    }
}

/// What a completion handler was called with.
private final class Answer<Value: Sendable>: Sendable {
    private let given = Mutex<[Value]>([])

    func give(_ value: Value) { given.withLock { $0.append(value) } }

    var taken: Value {
        given.withLock { given in
            precondition(given.count == 1, "a completion handler is called once, and was called \(given.count) times")
            return given[0]
        }
    }
}

/// A stream of the delegate's, as the system reads it: in order, and to its end.
private final class ReadStream: PumpedBody {
    private let stream: Mutex<UncheckedTransfer<InputStream>>
    let count = Int.max
    let isWanted = true

    init(_ stream: InputStream) {
        stream.open()
        self.stream = Mutex(UncheckedTransfer(stream))
    }

    func read(at offset: Int, upTo limit: Int) -> [UInt8]? { stream.withLock { $0.value.next(limit) } }
}

extension URLProtectionSpace {
    convenience init(_ challenge: DrivenChallenge) {
        switch challenge {
        case .server(let certificates, let host, let port):
            let chain = certificates.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
            var trust: SecTrust?
            unsafe SecTrustCreateWithCertificates(
                chain as CFArray, SecPolicyCreateSSL(true, host as CFString?), &trust)
            self.init(
                host: host, port: port, authenticationMethod: NSURLAuthenticationMethodServerTrust, serverTrust: trust)
        case .client(let host, let port):
            self.init(host: host, port: port, authenticationMethod: NSURLAuthenticationMethodClientCertificate)
        case .other:
            self.init(host: "home.example", port: 443, authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        }
    }
}

extension SecIdentity {
    /// For the stand-in's count: which server it was for was decided by then.
    fileprivate var forItsServer: ClientCertificate {
        try! ClientCertificate(self, for: WebURL(CarrierLab.home).origin)
    }
}

extension URLSessionTaskTransactionMetrics {
    fileprivate convenience init(_ found: DrivenMeasurement) {
        self.init()
        let start = Date(timeIntervalSinceReferenceDate: 1_000)
        func moment(_ passed: Duration) -> Date {
            let (seconds, attoseconds) = passed.components
            return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
        }
        fetchStartDate = start
        domainLookupEndDate = moment(found.nameLookup)
        connectEndDate = moment(found.connect)
        secureConnectionEndDate = moment(found.tls)
        responseStartDate = moment(found.firstByte)
        responseEndDate = moment(found.total)
        networkProtocolName = found.protocolName
        negotiatedTLSProtocolVersion = found.tlsVersion.map { tls_protocol_version_t(rawValue: $0) }
        negotiatedTLSCipherSuite = found.cipherSuite.map { tls_ciphersuite_t(rawValue: $0) }
        isReusedConnection = found.isReused
        countOfRequestBodyBytesSent = found.sent
        countOfResponseBodyBytesReceived = found.received
    }
}
