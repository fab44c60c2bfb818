/// What the rules for TLS servers say about a presented chain, before pins and approvals.
public struct EvaluatedChain: Hashable, Sendable {
    /// What failed, most important first; empty when a path to an anchor was found and every rule holds.
    public let failures: [TrustFailure]
    /// The keys of the path that was built, the leaf first; only the leaf's when none was built.
    public let path: [Pin]
    /// What the leaf says; `nil` when it could not be read.
    public let summary: CertificateSummary?

    /// An evaluation from its parts.
    public init(failures: [TrustFailure], path: [Pin], summary: CertificateSummary?) {
        self.failures = failures
        self.path = path
        self.summary = summary
    }
}
