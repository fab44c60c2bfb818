internal import Foundation
internal import FoundationNetworking
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework
internal import Synchronization

/// Where a challenge about a server comes from.
final class ServerTrustSpace: URLProtectionSpace {
    let trust: SecTrust

    init(_ question: ServerQuestion, _ trust: SecTrust) {
        self.trust = trust
        super.init(
            host: question.origin.host, port: Int(question.origin.port), protocol: NSURLProtectionSpaceHTTPS,
            realm: nil, authenticationMethod: NSURLAuthenticationMethodServerTrust)
    }
}

/// What `URLCredential(trust:)` makes.
final class AcceptedTrust: URLCredential {
    init() { super.init(user: "", password: "", persistence: .forSession) }

    required init?(coder: NSCoder) { nil }

    override var user: String? { nil }
    override var password: String? { nil }
    override var hasPassword: Bool { false }
}

/// A challenge that knows whether anybody looked at it.
///
/// Foundation on Linux gives each delegate a method that says "default" and looks at nothing, so what was not looked at was not
/// implemented, or answers as if it were not.
final class ServerTrustChallenge: URLAuthenticationChallenge {
    private let wasSeen = Atomic(false)

    init(_ space: ServerTrustSpace, _ sender: ChallengeSender) {
        super.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: sender)
    }

    override var protectionSpace: URLProtectionSpace {
        wasSeen.store(true, ordering: .relaxed)
        return super.protectionSpace
    }

    override var sender: (any URLAuthenticationChallengeSender)? {
        wasSeen.store(true, ordering: .relaxed)
        return super.sender
    }

    var wasLookedAt: Bool { wasSeen.load(ordering: .relaxed) }
}

/// The older way to answer: `challenge.sender?.use(credential, for: challenge)`.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    private let answer: ChallengeAnswer

    init(_ answer: ChallengeAnswer) { self.answer = answer }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        answer.give(.useCredential, credential)
    }
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer.give(.useCredential, nil) }
    func cancel(_ challenge: URLAuthenticationChallenge) { answer.give(.cancelAuthenticationChallenge, nil) }
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer.give(.performDefaultHandling, nil) }
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        answer.give(.rejectProtectionSpace, nil)
    }
}

/// Takes the answer to one challenge: the first. Whoever answers again is told on standard error, as what he says then has no
/// effect.
final class ChallengeAnswer: Sendable {
    typealias Receiver = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private let receiver: Mutex<Receiver?>
    private let host: String

    init(about host: String, _ receiver: @escaping Receiver) {
        self.host = host
        self.receiver = Mutex(receiver)
    }

    func give(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        guard let receive = receiver.withLock({ $0.take() }) else {
            let words = """
                PaviseURLSession: the delegate answered the challenge about \(host) twice. The first answer counts; \
                call the completion handler of urlSession(_:didReceive:completionHandler:) once.

                """
            try? FileHandle.standardError.write(contentsOf: Data(words.utf8))
            return
        }
        receive(disposition, credential)
    }
}
