/// What the rules for TLS servers say about a presented chain, before pins and approvals.
public struct EvaluatedChain: Hashable, Sendable {
    /// What failed, most important first; empty when a path to an anchor was found and every rule holds.
    public let failures: [TrustFailure]
    /// The keys of the path that was built, the leaf first; only the leaf's when none was built.
    public let path: [Pin]
    /// SHA-256 of the certificates of the same path.
    public let certificates: [CertificateDigest]
    /// The same certificates, DER: for reports.
    public let der: [[UInt8]]
    /// What the leaf says; `nil` when it could not be read.
    public let summary: CertificateSummary?
    /// What the rules of App Transport Security say about keys and hashes, beyond those of the system.
    package var strength: ATSChainJudgement = .strict

    /// An evaluation from its parts.
    public init(
        failures: [TrustFailure], path: [Pin], certificates: [CertificateDigest] = [], der: [[UInt8]] = [],
        summary: CertificateSummary?
    ) {
        self.failures = failures
        self.path = path
        self.certificates = certificates
        self.der = der
        self.summary = summary
    }
}
