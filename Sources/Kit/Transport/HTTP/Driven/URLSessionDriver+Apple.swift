#if canImport(Darwin)
internal import Foundation
internal import Network
internal import PavisePrimitives
internal import SecurityFramework

/// A URLSession as the carrier drives it. It forwards: every decision is the carrier's.
package final class URLSessionDriver: DrivenSession {
    private let session: URLSession

    /// A session of its own for `settings`.
    package init(_ settings: DrivenSettings, telling events: any DrivenEvents) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        configuration.httpMaximumConnectionsPerHost = settings.connectionsPerHost
        configuration.waitsForConnectivity = false
        if let proxy = settings.proxy { configuration.proxyConfigurations = [ProxyConfiguration(proxy)] }
        session = URLSession(configuration: configuration, delegate: URLSessionRelay(events), delegateQueue: nil)
    }

    package func task(for message: DrivenMessage) -> (any DrivenTask)? {
        guard let url = URL(string: message.url), url.absoluteString == message.url else { return nil }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        request.httpMethod = message.method
        request.httpShouldHandleCookies = false
        let idle = message.idle.components
        request.timeoutInterval = Double(idle.seconds) + Double(idle.attoseconds) / 1e18
        for field in message.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        for field in message.secretFields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        guard message.upload == nil else { return SessionTask(session.uploadTask(withStreamedRequest: request)) }
        request.httpBody = message.body.map { Data($0) }
        return SessionTask(session.dataTask(with: request))
    }

    package func finish() { session.finishTasksAndInvalidate() }

    package func cancel() { session.invalidateAndCancel() }
}

private final class SessionTask: DrivenTask {
    private let task: URLSessionTask

    init(_ task: URLSessionTask) { self.task = task }

    var number: Int { Int(task.taskIdentifier) }
    func resume() { task.resume() }
    func suspend() { task.suspend() }
    func cancel() { task.cancel() }
}

/// The delegate of one session. It has no method for challenges of the session: they come with the task that they are
/// for.
private final class URLSessionRelay: NSObject, URLSessionDataDelegate {
    private let events: any DrivenEvents

    init(_ events: any DrivenEvents) { self.events = events }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        switch events.challenged(Int(task.taskIdentifier), by: DrivenChallenge(space)) {
        case .trust:
            guard let trust = space.serverTrust else { return completionHandler(.cancelAuthenticationChallenge, nil) }
            // pavise:ignore TLS-NO-EVALUATION The answer .trust is given only after the trust was evaluated there.
            completionHandler(.useCredential, URLCredential(trust: trust))
        case .identity(let own): completionHandler(.useCredential, own.credential)
        case .nothing: completionHandler(.performDefaultHandling, nil)
        case .refuse: completionHandler(.cancelAuthenticationChallenge, nil)
        case .reject: completionHandler(.rejectProtectionSpace, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(events.redirected(Int(task.taskIdentifier)) ? request : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(events.body(of: Int(task.taskIdentifier)).flatMap { BodyPipe.stream(of: $0) })
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let answer = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        let fields = answer.allHeaderFields.map { HTTPFields.Field(name: "\($0.key)", value: "\($0.value)") }
        let head = DrivenHead(status: answer.statusCode, fields: fields)
        completionHandler(events.answered(Int(dataTask.taskIdentifier), head) ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.received(Int(dataTask.taskIdentifier), [UInt8](data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard let last = metrics.transactionMetrics.last else { return }
        events.measured(Int(task.taskIdentifier), DrivenMeasurement(last))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.completed(Int(task.taskIdentifier), error.map(DrivenError.init))
    }
}

extension ProxyConfiguration {
    // Over plain http, by CONNECT; where it does not answer, nothing goes around it.
    fileprivate init(_ proxy: ProxyEndpoint) {
        let endpoint = NWEndpoint.hostPort(
            host: NWEndpoint.Host(proxy.host), port: NWEndpoint.Port(integerLiteral: proxy.port))
        self.init(httpCONNECTProxy: endpoint, tlsOptions: nil)
        allowFailover = false
        if let user = proxy.user { applyCredential(username: user, password: proxy.password) }
    }
}

extension DrivenChallenge {
    fileprivate init(_ space: URLProtectionSpace) {
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            let chain = space.serverTrust.flatMap { SecTrustCopyCertificateChain($0) as? [SecCertificate] } ?? []
            self = .server(
                certificates: chain.map { [UInt8](SecCertificateCopyData($0) as Data) }, host: space.host,
                port: Int(space.port))
        case NSURLAuthenticationMethodClientCertificate: self = .client(host: space.host, port: Int(space.port))
        default: self = .other
        }
    }
}

extension DrivenError {
    // The number of the TLS library lies below a key that has no name in the headers.
    fileprivate init(_ error: any Error) {
        let known = error as NSError
        self.init(
            domain: known.domain, code: known.code, streamCode: known.userInfo["_kCFStreamErrorCodeKey"] as? Int)
    }
}

extension DrivenMeasurement {
    fileprivate init(_ found: URLSessionTaskTransactionMetrics) {
        self.init()
        protocolName = found.networkProtocolName
        tlsVersion = found.negotiatedTLSProtocolVersion?.rawValue
        cipherSuite = found.negotiatedTLSCipherSuite?.rawValue
        isReused = found.isReusedConnection
        let start = found.fetchStartDate
        func passed(_ end: Date?) -> Duration {
            guard let start, let end else { return .zero }
            return .seconds(max(0, end.timeIntervalSince(start)))
        }
        nameLookup = passed(found.domainLookupEndDate)
        connect = passed(found.connectEndDate)
        tls = passed(found.secureConnectionEndDate)
        firstByte = passed(found.responseStartDate)
        total = passed(found.responseEndDate)
        sent = found.countOfRequestBodyBytesSent
        received = found.countOfResponseBodyBytesReceived
    }
}
#endif
