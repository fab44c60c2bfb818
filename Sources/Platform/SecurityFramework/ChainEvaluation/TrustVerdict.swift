internal import PaviseCrypto

/// What the evaluation of a chain found.
package struct TrustVerdict: Sendable {
    /// What speaks against the chain, most important first; empty for a trusted one.
    package let failures: [TrustFinding]
    /// The path that was built, DER, leaf first. An untrusted chain shows the longest path that was found.
    package let path: [[UInt8]]
    /// What the leaf says; `nil` when it cannot be read.
    package var leaf: CertificateFacts? { path.first.flatMap(CertificateFacts.init) }
    /// Who chose the anchor of the path; `nil` without one.
    package let origin: TrustAnchors.Origin?

    /// Whether nothing speaks against the chain.
    package var isTrusted: Bool { failures.isEmpty && !path.isEmpty }

    /// Whether a failure cannot be overruled.
    package var isFatal: Bool { failures.contains(where: \.isFatal) }

    init(_ failures: [TrustFinding], path: [X509Certificate], origin: TrustAnchors.Origin?) {
        self.failures = Self.sorted(failures)
        self.path = path.map(\.der)
        self.origin = origin
    }

    /// The verdict on bytes that are no certificate.
    static let unreadable = TrustVerdict(
        [TrustFinding(.notCompliant(.unreadable("certificate")), certificate: 0)], path: [], origin: nil)

    /// By priority; among equals the certificate nearest to the leaf comes first.
    static func sorted(_ findings: [TrustFinding]) -> [TrustFinding] {
        findings.enumerated().sorted {
            ($0.element.priority, $0.element.certificate, $0.offset)
                < ($1.element.priority, $1.element.certificate, $1.offset)
        }.map(\.element)
    }

    func isBetter(than other: TrustVerdict?) -> Bool {
        guard let other else { return true }
        return (isFatal ? 1 : 0, failures.count) < (other.isFatal ? 1 : 0, other.failures.count)
    }
}
