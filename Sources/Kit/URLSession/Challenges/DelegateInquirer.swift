internal import Foundation
internal import FoundationNetworking
internal import PaviseTransport
internal import SecurityFramework

/// Asks the delegates of a session and of a task about servers, on the session's delegate queue.
///
/// In Apple's order: the session's method for connections; where nobody implemented it, the method for tasks of the
/// task's own delegate, then of the session's. In both forms, with a completion handler and with `async`.
final class DelegateInquirer: ServerInquirer {
    typealias Step = @Sendable (ServerTrustChallenge, ChallengeCompletion) -> Void

    let pool: InquiryPool
    private let queue: OperationQueue
    private let steps: [Step]

    /// `nil` where nobody is there to be asked.
    init?(_ session: URLSession, _ task: URLSessionTask) {
        let own = TaskFacts.ownDelegate(of: task, in: session)
        guard session.delegate != nil || own != nil else { return nil }
        queue = session.delegateQueue
        pool = InquiryPools.shared.pool(of: session, own)
        steps =
            Self.connectionSteps(session.delegate, session) + Self.taskSteps(own, session, task)
            + Self.connectionSteps(own, session)
            + Self.taskSteps(session.delegate as? any URLSessionTaskDelegate, session, task)
    }

    func ask(_ question: ServerQuestion, answer: @escaping @Sendable (TrustDisposition) -> Void) {
        queue.addOperation { [steps, queue] in
            // Nothing to ask about is no consent: whoever pins would be passed over.
            guard let trust = SecTrust.of(question) else { return answer(.rejected) }
            let space = ServerTrustSpace(
                host: question.origin.host, port: Int(question.origin.port), trust: trust)
            Self.ask(steps[...], space, queue, answer)
        }
    }

    private static func ask(
        _ steps: ArraySlice<Step>, _ space: ServerTrustSpace, _ queue: OperationQueue,
        _ answer: @escaping @Sendable (TrustDisposition) -> Void
    ) {
        guard let step = steps.first else { return answer(.asJudged) }
        let seen = SeenChallenge()
        let given = ChallengeCompletion(about: space.host) { disposition, credential in
            if disposition == .performDefaultHandling, seen.challenge?.wasLookedAt == false {
                // A delegate answers on any thread, and the next one is asked on the session's queue all the same.
                return queue.addOperation { ask(steps.dropFirst(), space, queue, answer) }
            }
            answer(TrustDisposition(disposition, credential))
        }
        let challenge = ServerTrustChallenge(space, ChallengeSender(given))
        seen.note(challenge)
        step(challenge, given)
    }

    private static func connectionSteps(_ delegate: (any URLSessionDelegate)?, _ session: URLSession) -> [Step] {
        guard let delegate else { return [] }
        let first: Step = { challenge, answer in
            delegate.urlSession(session, didReceive: challenge) { answer.give($0, $1) }
        }
        guard let asynchronous = delegate as? any AsyncSessionChallenges else { return [first] }
        return [
            first,
            { challenge, answer in
                Task {
                    let (disposition, credential) = await asynchronous.urlSession(session, didReceive: challenge)
                    answer.give(disposition, credential)
                }
            },
        ]
    }

    private static func taskSteps(
        _ delegate: (any URLSessionTaskDelegate)?, _ session: URLSession, _ task: URLSessionTask
    ) -> [Step] {
        guard let delegate else { return [] }
        let first: Step = { challenge, answer in
            delegate.urlSession(session, task: task, didReceive: challenge) { answer.give($0, $1) }
        }
        guard let asynchronous = delegate as? any AsyncTaskChallenges else { return [first] }
        return [
            first,
            { challenge, answer in
                Task {
                    let (disposition, credential) = await asynchronous.urlSession(
                        session, task: task, didReceive: challenge)
                    answer.give(disposition, credential)
                }
            },
        ]
    }
}

extension TrustDisposition {
    /// Without a credential for server trust nothing is accepted beyond what is trusted anyway.
    init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        self =
            switch disposition {
            case .useCredential: credential is AcceptedTrust ? .accepted : .asJudged
            case .performDefaultHandling: .asJudged
            case .cancelAuthenticationChallenge: .cancelled
            case .rejectProtectionSpace: .rejected
            }
    }
}
