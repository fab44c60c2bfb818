/// What a handshake showed of a server, for a person who decides whether to trust it before any credential is sent.
public struct ServerInspection: Hashable, Sendable {
    /// The server.
    public let origin: Origin
    /// What the policy says about it.
    public let decision: TrustDecision
    /// What its certificate says; `nil` when it could not be read.
    public let summary: CertificateSummary?
    /// The keys of the path, the leaf first: what pins could hold.
    public let path: [Pin]
    /// Version and suite.
    public let connection: ConnectionFacts
    /// The chain as the rules saw it.
    package let chain: EvaluatedChain

    /// An inspection from its parts.
    package init(
        origin: Origin, decision: TrustDecision, chain: EvaluatedChain, connection: ConnectionFacts
    ) {
        self.origin = origin
        self.decision = decision
        self.chain = chain
        summary = chain.summary
        path = chain.path
        self.connection = connection
    }
}
