#if canImport(Darwin)
internal import Foundation
public import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// The HTTP client of Apple's systems: URLSession, with ``TrustPolicy`` asked in the server-trust challenge.
///
/// Versions and suites come from App Transport Security, that is from the app's Info.plist; the chain, pins and approvals
/// are judged here before the request is sent. Nothing is followed, cached or remembered. This file is compiled on Apple
/// systems only and was not run by the project's Linux checks.
public final class URLSessionTransport: PolicyTaker {
    private let session: URLSession
    private let judge: Judge

    /// A client whose servers are judged by `policy`, and that shows `certificates` to servers which ask for them.
    public init(
        policy: TrustPolicy = TrustPolicy(), time: TimeSource = .system, certificates: [ClientCertificate] = []
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        judge = Judge(policy: policy, time: time, certificates: certificates)
        session = URLSession(configuration: configuration, delegate: judge, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// What servers are judged by now.
    public var policy: TrustPolicy { judge.policy }

    /// Judges by `policy` from now on, at the next handshake: the system may go on with a connection that it has.
    public func use(_ policy: TrustPolicy) { judge.use(policy) }

    /// Sends `request` without credentials; see ``HTTPClient/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(try message(request, credential: nil), for: request)
    }

    /// Sends `request` with a credential for its own origin; see ``HTTPClient/send(_:with:)``.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(try message(request, credential: try line(authorization, for: request)), for: request)
    }

    /// Sends `request` and lends the body piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let message = try message(request, credential: try line(authorization, for: request))
        do {
            let (bytes, answer) = try await session.bytes(for: message)
            let response = try response(answer, body: [], to: request)
            guard try head(response) else { return response }
            var piece: [UInt8] = []
            for try await byte in bytes {
                piece.append(byte)
                guard piece.count == 65_536 else { continue }
                try receive(piece)
                piece.removeAll(keepingCapacity: true)
            }
            if !piece.isEmpty { try receive(piece) }
            return response
        } catch let failure as TransportFailure {
            throw failure
        } catch let error as URLError {
            throw failure(error, at: request.url.origin)
        } catch {
            throw .receiver("\(type(of: error))")
        }
    }

    private func exchange(_ message: URLRequest, for request: HTTPRequest) async throws(TransportFailure)
        -> HTTPResponse
    {
        do {
            let (bytes, answer) = try await session.bytes(for: message)
            var body: [UInt8] = []
            for try await byte in bytes {
                guard body.count < request.limits.body else {
                    throw TransportFailure.bodyTooLarge(limit: request.limits.body)
                }
                body.append(byte)
            }
            return try response(answer, body: body, to: request)
        } catch let failure as TransportFailure {
            throw failure
        } catch let error as URLError {
            throw failure(error, at: request.url.origin)
        } catch {
            throw .network("\(type(of: error))", sent: true)
        }
    }

    private func line(
        _ authorization: borrowing Authorization, for request: HTTPRequest
    ) throws(TransportFailure) -> String {
        let origin = request.url.origin
        guard origin.scheme == .https, authorization.origin == origin else { throw .credentialRefused(origin) }
        let text = authorization.credential.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .unusableRequest("The credential holds a byte that no field may hold.")
        }
        return "\(authorization.scheme) \(text)"
    }

    private func message(_ request: HTTPRequest, credential: String?) throws(TransportFailure) -> URLRequest {
        let origin = request.url.origin
        _ = try ATSGate(.strict).admit(origin)
        if let refusal = judge.policy.managed.refusal(of: origin) { throw refusal }
        guard let url = URL(string: request.url.description) else {
            throw .unusableRequest("URLSession reads the address differently.")
        }
        var message = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        if let upload = request.upload {
            // A copy in memory: URLSession has no way to read an open file that may have another name by now.
            guard let bytes = upload.read(at: 0, upTo: upload.count), bytes.count == upload.count else {
                throw .unusableRequest("The file to send became shorter or unreadable.")
            }
            message.httpBody = Data(bytes)
        }
        message.httpShouldHandleCookies = false
        message.timeoutInterval = Double(request.limits.idle.components.seconds)
        for field in request.fields.fields { message.addValue(field.value, forHTTPHeaderField: field.name) }
        if let credential { message.setValue(credential, forHTTPHeaderField: "Authorization") }
        return message
    }

    private func response(_ answer: URLResponse, body: [UInt8], to request: HTTPRequest) throws(TransportFailure)
        -> HTTPResponse
    {
        guard let answer = answer as? HTTPURLResponse else { throw .malformed("The answer is no HTTP.") }
        var fields = HTTPFields()
        for (name, value) in answer.allHeaderFields { fields.append("\(name)", "\(value)") }
        return HTTPResponse(
            status: answer.statusCode, fields: fields, body: body,
            redirect: RedirectReport(status: answer.statusCode, fields: fields, from: request.url))
    }

    private func failure(_ error: URLError, at origin: Origin) -> TransportFailure {
        switch error.code {
        case .cancelled: judge.takeRefusal().map { TransportFailure.untrusted($0) } ?? .cancelled(sent: true)
        case .timedOut: .timeout(sent: true)
        case .appTransportSecurityRequiresSecureConnection:
            .refusedByATS(ATSRefusal(.requiresSecureConnection, at: origin, "Plain http is refused. Use https."))
        case .secureConnectionFailed: .tls("The handshake failed.")
        case .cannotFindHost, .dnsLookupFailed:
            .network("The name was not found. Check its spelling and the network.", sent: false)
        case .cannotConnectToHost: .network("Nobody answers. Check the port, the server and the network.", sent: false)
        default: .network("URLSession stopped with code \(error.code.rawValue).", sent: true)
        }
    }
}

/// Answers every challenge, and follows no redirect.
private final class Judge: NSObject, URLSessionTaskDelegate {
    private let kept: Mutex<TrustPolicy>
    private let time: TimeSource
    private let certificates: [ClientCertificate]
    private let refusal = Mutex<CertificateRefusal?>(nil)

    init(policy: TrustPolicy, time: TimeSource, certificates: [ClientCertificate]) {
        kept = Mutex(policy)
        self.certificates = certificates
        self.time = time
    }

    var policy: TrustPolicy { kept.withLock { $0 } }

    func use(_ policy: TrustPolicy) { kept.withLock { $0 = policy } }

    func takeRefusal() -> CertificateRefusal? { refusal.withLock { $0.take() } }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
            let own = certificates.first {
                $0.origin.host == space.host.lowercased() && Int($0.origin.port) == space.port
            }
            return own.map { (.useCredential, $0.credential) } ?? (.performDefaultHandling, nil)
        }
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust,
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        else { return (.rejectProtectionSpace, nil) }
        let policy = policy
        let seconds = time.wallSeconds
        let ders = chain.map { [UInt8](SecCertificateCopyData($0) as Data) }
        let evaluated = ServerRules.evaluator(policy)(
            PresentedChain(certificates: ders, version: "", suite: ""), space.host, seconds)
        let origin = Origin(scheme: .https, host: space.host.lowercased(), port: UInt16(clamping: space.port))
        let decision = policy.decide(on: evaluated, at: origin, seconds: seconds)
        guard decision.isAllowed else {
            refusal.withLock { $0 = decision.refusal }
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? { nil }
}
#endif
