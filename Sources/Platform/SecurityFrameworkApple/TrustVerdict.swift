/// What the evaluation of a chain found.
package struct TrustVerdict: Sendable {
    /// What speaks against the chain, most important first; empty for a trusted one.
    package let failures: [TrustFinding]
    /// The path that was built, DER, leaf first.
    package let path: [[UInt8]]
    /// What the leaf says. `nil` when it cannot be read, and also when ``failures`` may not be all that is wrong:
    /// without it nobody can approve the certificate.
    package let leaf: CertificateFacts?

    /// Whether nothing speaks against the chain.
    package var isTrusted: Bool { failures.isEmpty && !path.isEmpty }

    /// The verdict on what is no chain of certificates, or on a system that gives no answer.
    static let unreadable = TrustVerdict(failures: [TrustFinding(kind: .notCompliant)], path: [], leaf: nil)
}
