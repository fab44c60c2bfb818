public import FoundationNetworking
public import PaviseURLSession

// Apple imports each of these methods in two forms, with a completion handler and `async`, and a delegate has either.
// Foundation's
// protocols on Linux have the first one only. These take their names in a file that imports this module, and have both.

/// A session's delegate, as on Apple's systems: a method about a challenge has a completion handler, or is `async`.
///
/// ```swift
/// final class PinningDelegate: NSObject, URLSessionDelegate, Sendable {
///     func urlSession(
///         _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
///     ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
/// }
/// ```
public protocol URLSessionDelegate: AsyncSessionChallenges {}

extension URLSessionDelegate {
    /// Looks at nothing, which counts as a method that is not there.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}

/// A task's delegate; see ``URLSessionDelegate``.
public protocol URLSessionTaskDelegate: FoundationNetworking.URLSessionTaskDelegate, URLSessionDelegate,
    AsyncTaskChallenges
{}

extension URLSessionTaskDelegate {
    /// Looks at nothing, which counts as a method that is not there.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}

/// A data task's delegate; see ``URLSessionDelegate``.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate, URLSessionTaskDelegate {}

/// A download task's delegate; see ``URLSessionDelegate``. Its tasks end with `URLError.unsupportedURL`, as
/// `URLSessionConfiguration.pavise(…)` says.
public protocol URLSessionDownloadDelegate: FoundationNetworking.URLSessionDownloadDelegate, URLSessionTaskDelegate {}

/// A web socket's delegate; see ``URLSessionDelegate``.
public protocol URLSessionWebSocketDelegate: FoundationNetworking.URLSessionWebSocketDelegate, URLSessionTaskDelegate {}
