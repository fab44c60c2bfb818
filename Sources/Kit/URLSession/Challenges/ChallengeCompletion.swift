internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// The older way to answer: `challenge.sender?.use(credential, for: challenge)`.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    private let answer: ChallengeCompletion

    init(_ answer: ChallengeCompletion) { self.answer = answer }

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

/// Takes the answer to one challenge: the first. Whoever answers again is told on standard error, as what he says then
/// has no effect.
final class ChallengeCompletion: Sendable {
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
