public import FoundationNetworking

/// A session's delegate that answers challenges with `async`.
///
/// Apple's protocols have this method as another form of the one with a completion handler. A protocol of Swift's own,
/// as Foundation has them on Linux, knows one form only, so the delegate names this protocol beside its own:
///
/// ```swift
/// extension PinningDelegate: AsyncSessionChallenges {}
/// ```
public protocol AsyncSessionChallenges: URLSessionDelegate {
    /// What is done about `challenge`.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

/// A task's delegate that answers challenges with `async`; see ``AsyncSessionChallenges``.
public protocol AsyncTaskChallenges: URLSessionTaskDelegate {
    /// What is done about `challenge`.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}
