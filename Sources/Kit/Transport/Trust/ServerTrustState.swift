/// What is known about one server of one connection, as a state machine without side effects; the actor around it
/// stores the state and asks the person.
///
/// ```swift
/// var state = ServerTrustState.unknown
/// print(state.handle(.presented(chain), policy: policy, at: origin, seconds: now))
/// ```
public enum ServerTrustState: Hashable, Sendable {
    /// Nothing was decided yet.
    case unknown
    /// A person is asked. Nothing is sent, and nothing that came is used.
    case awaitingReview(CertificateReview)
    /// Its certificates are valid.
    case trusted(KnownServer)
    /// A person or management approved what fails.
    case approved(KnownServer)
    /// Refused, and nobody can approve it. What was known before stays known: a forged certificate in between must not
    /// make the next one a first one.
    case blocked(CertificateRefusal, before: KnownServer?)

    /// What can happen.
    public enum Event: Hashable, Sendable {
        /// A handshake showed this chain.
        case presented(EvaluatedChain)
        /// A person approved the certificate with this fingerprint: the bytes that were shown, not the current ones.
        case approve(fingerprint: String)
        /// A person said no, closed the question or let it wait for too long.
        case reject
    }

    /// What follows.
    public enum Outcome: Hashable, Sendable {
        /// A request may be sent.
        case allow(Note)
        /// A person has to look first.
        case ask(CertificateReview)
        /// Nothing is sent.
        case deny(CertificateRefusal)
        /// The event meant something that is over, for example an approval of a certificate that is not shown any more.
        case void
        /// The question is over without a yes.
        case rejected(CertificateReview)
    }

    /// What is worth a line in the log.
    public enum Note: Hashable, Sendable {
        /// Seen for the first time.
        case first
        /// As before.
        case unchanged
        /// Another certificate with the same key.
        case renewedKey
        /// Another key under an authority that vouched before.
        case renewedAuthority
        /// Another key, and the policy says that a valid certificate is enough.
        case renewedValid
        /// What fails was approved.
        case approved
    }
}

/// A question to a person.
public struct CertificateReview: Hashable, Sendable {
    /// What the certificate says.
    public let summary: CertificateSummary
    /// What fails; empty when only the change is the question.
    public let failures: [TrustFailure]
    /// What was known of the server before; `nil` for the first time.
    public let previous: KnownServer?
    /// Where the certificate differs from the one before.
    public let changes: [CertificateChange]
    let shown: KnownServer
    let wasApproved: Bool

    init(_ shown: KnownServer, failures: [TrustFailure], previous: KnownServer?, wasApproved: Bool) {
        summary = shown.summary
        self.failures = failures
        self.previous = previous
        changes = previous.map { CertificateChange.between($0.summary, shown.summary) } ?? []
        self.shown = shown
        self.wasApproved = wasApproved
    }

    /// The question about a certificate that a handshake refused, where the chain is not at hand any more. A refusal
    /// for the change alone has no failure of its own. `nil` where the key cannot be read.
    init?(refused summary: CertificateSummary, _ failures: [TrustFailure], before: ServerTrustState) {
        guard let shown = KnownServer(summary) else { return nil }
        self.init(
            shown, failures: failures.filter { $0 != .keyChanged }, previous: before.known,
            wasApproved: before.wasApproved)
    }
}
