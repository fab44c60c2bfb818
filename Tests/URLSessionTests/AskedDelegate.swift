import Foundation
import FoundationNetworking
import PaviseURLSession
import SecurityFramework
import Synchronization

/// A delegate that answers each challenge with what it was told to, and remembers whom it was asked about.
final class AskedDelegate: NSObject, URLSessionDelegate {
    typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private let body: @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void
    private let seen = Mutex<[Int]>([])

    init(_ body: @escaping @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void) { self.body = body }

    convenience init(_ disposition: URLSession.AuthChallengeDisposition) {
        self.init { challenge, answer in
            let trust = challenge.protectionSpace.serverTrust
            answer(disposition, disposition == .useCredential ? trust.map { URLCredential(trust: $0) } : nil)
        }
    }

    /// The ports that were asked about, in order.
    var ports: [Int] { seen.withLock { $0 } }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Completion
    ) {
        let port = challenge.protectionSpace.port
        seen.withLock { $0.append(port) }
        body(challenge, completionHandler)
    }
}
