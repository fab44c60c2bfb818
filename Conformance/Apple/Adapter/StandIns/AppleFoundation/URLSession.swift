// URLSession as Apple documents its API, for the carrier of Apple's systems on Linux: it forwards each call to what a
// test plays, and does nothing of its own. The rest of Foundation is Linux' own.
// Pages: https://developer.apple.com/documentation/foundation/ and the name in lower case.
@_exported public import Foundation
internal import Synchronization

/// What stands behind a session.
public protocol SessionPlayer: Sendable {
    /// A task for `request`; `isStreamed` when its body comes from the delegate.
    func task(for request: URLRequest, isStreamed: Bool, of session: URLSession) -> any TaskPlayer
    func finish()
    func cancel()
}

/// What stands behind a task.
public protocol TaskPlayer: Sendable {
    var number: Int { get }
    func resume()
    func suspend()
    func cancel()
}

public final class URLSession: Sendable {
    /// Makes what stands behind the sessions that are made in its scope.
    @TaskLocal public static var player: (@Sendable (URLSessionConfiguration) -> any SessionPlayer)?

    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    public enum ResponseDisposition: Int, Sendable { case cancel, allow }

    public let configuration: URLSessionConfiguration
    /// A session keeps its delegate until it is invalidated.
    public let delegate: (any URLSessionDelegate)?
    private let player: any SessionPlayer
    private let isOver = Mutex(false)

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {
        guard let make = Self.player else { fatalError("a session was made outside of a test's scope") }
        // A session takes a copy: what is changed later has no effect.
        self.configuration = configuration.copied()
        self.delegate = delegate
        player = make(self.configuration)
    }

    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        URLSessionDataTask(made(request, isStreamed: false), request)
    }

    /// The body of the request is ignored, as documented.
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        var request = request
        request.httpBody = nil
        return URLSessionUploadTask(made(request, isStreamed: true), request)
    }

    private func made(_ request: URLRequest, isStreamed: Bool) -> any TaskPlayer {
        precondition(!isOver.withLock { $0 }, "an exception is raised: the session was invalidated")
        return player.task(for: request, isStreamed: isStreamed, of: self)
    }

    public func finishTasksAndInvalidate() {
        isOver.withLock { $0 = true }
        player.finish()
    }

    public func invalidateAndCancel() {
        isOver.withLock { $0 = true }
        player.cancel()
    }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    private let player: any TaskPlayer
    public let originalRequest: URLRequest?

    public init(_ player: any TaskPlayer, _ request: URLRequest) {
        self.player = player
        originalRequest = request
    }

    public var taskIdentifier: Int { player.number }
    public func resume() { player.resume() }
    public func suspend() { player.suspend() }
    public func cancel() { player.cancel() }
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// Each method is optional. What the system does without it: it judges servers by its own rules and not by ours,
// follows redirects, and takes every answer.
extension URLSessionDelegate {
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.performDefaultHandling, nil) }
}
extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.performDefaultHandling, nil) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(request) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(nil) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}
extension URLSessionDataDelegate {
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) { completionHandler(.allow) }
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}
