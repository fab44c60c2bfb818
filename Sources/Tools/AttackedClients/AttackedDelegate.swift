internal import Foundation
internal import PaviseURLSession
internal import SecurityFramework

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A delegate that an app's session has, as ``AttackedURLSession`` plays it.
public enum AttackedDelegate: String, CaseIterable, Hashable, Sendable {
    /// Accepts every server, by a completion handler.
    case accepting
    /// Accepts every server, with `async`.
    case acceptingLater
    /// Accepts a server whose chain it has evaluated itself, and leaves every other one to the system.
    case evaluating

    /// A fresh one.
    func make() -> any URLSessionDelegate {
        switch self {
        case .accepting: AcceptingDelegate()
        case .acceptingLater: AcceptingLaterDelegate()
        case .evaluating: EvaluatingDelegate()
        }
    }
}

private typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

private final class AcceptingDelegate: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Completion
    ) {
        // pavise:ignore TLS-NO-EVALUATION The delegate that accepts everything is what is attacked here.
        completionHandler(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
}

private final class AcceptingLaterDelegate: NSObject, AsyncSessionChallenges {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await Task.yield()
        // pavise:ignore TLS-NO-EVALUATION The delegate that accepts everything is what is attacked here.
        return (.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
}

private final class EvaluatingDelegate: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Completion
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil)
        else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
