internal import Synchronization

/// What a server presented during the handshake.
package struct PresentedChain: Sendable {
    /// The certificates as DER, the leaf first, in the order of the server. Nothing about them is checked yet.
    package let certificates: [[UInt8]]
    /// For example `TLSv1.3`.
    package let version: String
    /// The suite's OpenSSL name.
    package let suite: String
    /// The answer of a status service that came along (RFC 6066 §8), DER and not checked; empty without one.
    package var staple: [UInt8] = []
    /// The list of certificate timestamps that came along (RFC 6962 §3.3), not checked; empty without one.
    package var timestamps: [UInt8] = []

    /// A chain as the TLS library reported it.
    package init(certificates: [[UInt8]], version: String, suite: String) {
        self.certificates = certificates
        self.version = version
        self.suite = suite
    }
}

/// The answer of a judge. The judge's own type carries the reasons.
package protocol ConnectionVerdict: Sendable {
    /// Whether the handshake may be finished and a request may be sent.
    var isAccepted: Bool { get }
}

/// One TLS connection, from its handshake to its end, and the one verdict it got.
///
/// The verdict belongs to the connection and not to a request: a pooled connection keeps it, and a request that is sent
/// later on the same connection reads it from here.
package final class JudgedConnection: Sendable {
    /// Called once, on the thread that makes the handshake, before the client's last handshake message.
    package typealias Judge = @Sendable (PresentedChain) -> any ConnectionVerdict

    /// Asks somebody beside the judge, who has said what he thinks. Called once, on the thread that makes the
    /// handshake, and must not block; the answer may come on any thread, and at any time.
    package typealias Inquiry =
        @Sendable (PresentedChain, any ConnectionVerdict, _ answer: @escaping @Sendable (any ConnectionVerdict) -> Void)
        -> Void

    /// Whether the client may write.
    package enum Passage: Sendable {
        case open, waiting, closed
    }

    private struct State {
        var inquiry: Inquiry?
        /// What the judge said, as long as somebody else is to be asked.
        var judged: (chain: PresentedChain, verdict: any ConnectionVerdict)?
        var isWaiting = false
        var verdict: (any ConnectionVerdict)?
        var version = ""
        var suite = ""
        var timestamps: [UInt8] = []
        var held: PresentedChain?
        var wasAsked = false
    }
    private let judge: Judge
    /// Who we are to this server, if it asks; `nil` for nobody.
    package let identity: ClientIdentity?
    private let state: Mutex<State>

    /// A connection that has no verdict yet.
    ///
    /// - Parameter inquiry: Who is asked beside the judge; `nil` for nobody. Then nothing may be written from the
    ///   judge's word on until the answer is there: the TLS library asks ``passage()`` before each write.
    package init(identity: ClientIdentity? = nil, inquiry: Inquiry? = nil, judge: @escaping Judge) {
        self.identity = identity
        self.judge = judge
        state = Mutex(State(inquiry: inquiry))
    }

    /// Whether the handshake waits for somebody's answer.
    package var isWaiting: Bool { state.withLock { $0.isWaiting } }

    /// Whether the client may write now. The first call after the judge's word asks: by then the server has shown that
    /// it has the key of its certificate.
    package func passage() -> Passage {
        let question = state.withLock { state -> (Inquiry, PresentedChain, any ConnectionVerdict)? in
            guard let judged = state.judged, let inquiry = state.inquiry.take() else { return nil }
            return (inquiry, judged.chain, judged.verdict)
        }
        if let (inquiry, chain, verdict) = question {
            inquiry(chain, verdict) { [weak self] in self?.settle($0) }
        }
        return state.withLock { state in
            guard !state.isWaiting else { return .waiting }
            return state.verdict?.isAccepted == true ? .open : .closed
        }
    }

    // The first answer counts.
    private func settle(_ answer: any ConnectionVerdict) {
        state.withLock { state in
            guard state.isWaiting else { return }
            state.verdict = answer
            state.isWaiting = false
            state.judged = nil
        }
    }

    /// The verdict; `nil` as long as the server has not presented a certificate.
    package var verdict: (any ConnectionVerdict)? { state.withLock { $0.verdict } }

    /// Version and suite that were agreed; empty before the verdict.
    package var agreed: (version: String, suite: String) { state.withLock { ($0.version, $0.suite) } }

    /// The verdict and what was agreed, in one look.
    package var facts: (verdict: (any ConnectionVerdict)?, version: String, suite: String) {
        state.withLock { ($0.verdict, $0.version, $0.suite) }
    }

    /// Whether the server asked who we are and got no answer, because there is no identity for it.
    package var lacksIdentity: Bool { identity == nil && state.withLock { $0.wasAsked } }

    /// Notes that the server asked who we are.
    package func noteQuestion() { state.withLock { $0.wasAsked = true } }

    /// Keeps a list of timestamps until the chain is judged. They come before it.
    package func note(timestamps: [UInt8]) { state.withLock { $0.timestamps = timestamps } }

    /// Keeps a chain whose evidence is not complete yet: up to TLS 1.2 the status answer comes in a message of its own.
    package func hold(_ chain: PresentedChain) { state.withLock { $0.held = chain } }

    /// Judges the chain that was held, now with its status answer. Without one the verdict there is stays.
    ///
    /// - Returns: Whether the handshake may be finished; `false` when there is no verdict at all.
    package func decideHeld(staple: [UInt8]) -> Bool {
        guard var chain = state.withLock({ $0.held.take() }) else {
            return state.withLock { $0.isWaiting || $0.verdict?.isAccepted == true }
        }
        chain.staple = staple
        return decide(on: chain)
    }

    /// Asks the judge and keeps what it said.
    ///
    /// - Returns: Whether the handshake goes on. Where somebody else is asked it does, whatever the judge said, and
    ///   ``passage()`` has the end of it.
    package func decide(on chain: PresentedChain) -> Bool {
        var chain = chain
        chain.timestamps = state.withLock { $0.timestamps }
        let verdict = judge(chain)
        return state.withLock { state in
            state.version = chain.version
            state.suite = chain.suite
            guard state.inquiry == nil else {
                state.judged = (chain, verdict)
                state.isWaiting = true
                return true
            }
            state.verdict = verdict
            return verdict.isAccepted
        }
    }
}
