internal import Foundation
internal import FoundationNetworking
internal import PaviseTransport
internal import Synchronization

/// The pools of connections by the delegates that are asked about them: one for each session, and one for each delegate that a
/// task has of its own.
final class InquiryPools: Sendable {
    static let shared = InquiryPools()

    private struct Entry {
        weak var session: URLSession?
        weak var own: (any URLSessionTaskDelegate)?
        let hasOwn: Bool
        let pool: InquiryPool

        // A new object may lie where an old one was; a weak reference to the old one is nil.
        var isAlive: Bool { session != nil && (!hasOwn || own != nil) }
    }
    private let entries = Mutex<[Entry]>([])

    func pool(of session: URLSession, _ own: (any URLSessionTaskDelegate)?) -> InquiryPool {
        entries.withLock { entries in
            entries.removeAll { !$0.isAlive }
            if let known = entries.first(where: { $0.session === session && $0.own === own }) { return known.pool }
            let made = InquiryPool()
            entries.append(Entry(session: session, own: own, hasOwn: own != nil, pool: made))
            return made
        }
    }
}

/// The challenge that an answer is about; it is made after the one who takes the answer.
final class SeenChallenge: Sendable {
    private let kept = Mutex<ServerTrustChallenge?>(nil)

    var challenge: ServerTrustChallenge? { kept.withLock { $0 } }

    func note(_ challenge: ServerTrustChallenge) { kept.withLock { $0 = challenge } }
}
