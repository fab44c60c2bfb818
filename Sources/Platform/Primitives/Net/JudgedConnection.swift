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

    private struct State {
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
    private let state = Mutex(State())

    /// A connection that has no verdict yet.
    package init(identity: ClientIdentity? = nil, judge: @escaping Judge) {
        self.identity = identity
        self.judge = judge
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
        guard var chain = state.withLock({ $0.held.take() }) else { return verdict?.isAccepted == true }
        chain.staple = staple
        return decide(on: chain)
    }

    /// Asks the judge and keeps what it said.
    package func decide(on chain: PresentedChain) -> Bool {
        var chain = chain
        chain.timestamps = state.withLock { $0.timestamps }
        let verdict = judge(chain)
        state.withLock {
            $0.verdict = verdict
            $0.version = chain.version
            $0.suite = chain.suite
        }
        return verdict.isAccepted
    }
}
