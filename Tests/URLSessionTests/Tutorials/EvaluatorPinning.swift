import Foundation
import FoundationNetworking
import PaviseURLSession
import SecurityFramework
import Synchronization

// The shapes of two libraries, in our own words: one evaluator for each host behind a task's challenge, and one
// validator that is handed the challenge.

protocol HostEvaluating: Sendable {
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

enum EvaluationError: Error { case noEvaluator, untrusted, otherKey }

/// Trusts these anchors only, and wants one of these certificates in the chain.
struct PinnedCertificatesEvaluator: HostEvaluating {
    let certificates: [Data]
    var anchors: [Data] = []

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        if !anchors.isEmpty {
            let made = anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard SecTrustSetAnchorCertificates(trust, made as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { throw EvaluationError.untrusted }
        }
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString))
        guard SecTrustEvaluateWithError(trust, nil) else { throw EvaluationError.untrusted }
        let chain = (SecTrustCopyCertificateChain(trust) as? [SecCertificate]) ?? []
        let shown = Set(chain.map { SecCertificateCopyData($0) as Data })
        guard !shown.isDisjoint(with: certificates) else { throw EvaluationError.otherKey }
    }
}

/// A session's delegate with the method for tasks only.
final class EvaluatingDelegate: NSObject, URLSessionDataDelegate {
    private let evaluators: [String: any HostEvaluating]
    private let failures = Mutex<[EvaluationError]>([])

    init(_ evaluators: [String: any HostEvaluating]) { self.evaluators = evaluators }

    var errors: [EvaluationError] { failures.withLock { $0 } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let result: (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: result = attemptServerTrust(with: challenge)
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodClientCertificate:
            result = (.performDefaultHandling, nil)
        default: result = (.performDefaultHandling, nil)
        }
        completionHandler(result.disposition, result.credential)
    }

    private func attemptServerTrust(
        with challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let host = challenge.protectionSpace.host
        guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        do {
            guard let evaluator = evaluators[host] else { throw EvaluationError.noEvaluator }
            try evaluator.evaluate(trust, forHost: host)
            return (.useCredential, URLCredential(trust: trust))
        } catch {
            failures.withLock { $0.append(error as? EvaluationError ?? .untrusted) }
            return (.cancelAuthenticationChallenge, nil)
        }
    }
}

/// Handles challenges that it has pins for, and says whether it did.
final class KeyValidator: Sendable {
    private let keys: [String: [Data]]

    init(_ keys: [String: [Data]]) { self.keys = keys }

    func handle(
        _ challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust,
            let pinned = keys[space.host]
        else { return false }
        guard SecTrustEvaluateWithError(trust, nil), let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?, pinned.contains(data)
        else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return true
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
        return true
    }
}

final class ValidatingDelegate: NSObject, URLSessionDelegate {
    private let validator: KeyValidator

    init(_ keys: [String: [Data]]) { validator = KeyValidator(keys) }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if validator.handle(challenge, completionHandler: completionHandler) == false {
            completionHandler(.performDefaultHandling, nil)
        }
    }
}
