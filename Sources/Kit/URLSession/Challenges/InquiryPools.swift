internal import Foundation
internal import FoundationNetworking
internal import PaviseTransport
internal import Synchronization

/// The pools of connections by the delegates that are asked about them: one for each session, and one for each delegate
/// that a task has of its own.
final class InquiryPools: Sendable {
    static let shared = InquiryPools()

    // A class: a structure with a weak reference to a protocol's value can read as `nil` where it is optional, in
    // `first(where:)` too. Swift 6.3 marks that in a word of the reference which it does not set when the reference is
    // nil.
    private final class Entry {
        private(set) weak var session: URLSession?
        private(set) weak var own: (any URLSessionTaskDelegate)?
        private let hasOwn: Bool
        let pool = InquiryPool()

        init(_ session: URLSession, _ own: (any URLSessionTaskDelegate)?) {
            self.session = session
            self.own = own
            hasOwn = own != nil
        }

        // A new object may lie where an old one was; a weak reference to the old one is nil.
        var isAlive: Bool { session != nil && (!hasOwn || own != nil) }
    }
    private let entries = Mutex<[Entry]>([])

    func pool(of session: URLSession, _ own: (any URLSessionTaskDelegate)?) -> InquiryPool {
        entries.withLock { entries in
            entries.removeAll { !$0.isAlive }
            if let known = entries.first(where: { $0.session === session && $0.own === own }) { return known.pool }
            let made = Entry(session, own)
            entries.append(made)
            return made.pool
        }
    }
}

/// The challenge that an answer is about; it is made after the one who takes the answer.
final class SeenChallenge: Sendable {
    private let kept = Mutex<ServerTrustChallenge?>(nil)

    var challenge: ServerTrustChallenge? { kept.withLock { $0 } }

    func note(_ challenge: ServerTrustChallenge) { kept.withLock { $0 = challenge } }
}
