internal import Foundation
internal import Security

/// The certificates where trust begins.
package struct TrustAnchors: Sendable {
    /// Whether the system's roots count as well, those of the person and the administrator among them.
    private let usesSystem: Bool
    private let certificates: [[UInt8]]

    /// The system's roots.
    package static let system = TrustAnchors(usesSystem: true, certificates: [])

    /// The same: no variable of the environment names others here.
    package static let machine = system

    /// No variable names others.
    package static let variables: [String] = []

    /// These (DER) and no others. What cannot be read is left out.
    package static func only(_ certificates: [[UInt8]]) -> TrustAnchors {
        TrustAnchors(usesSystem: false, certificates: certificates)
    }

    /// These as well. What cannot be read is left out.
    package func adding(_ certificates: [[UInt8]]) -> TrustAnchors {
        TrustAnchors(usesSystem: usesSystem, certificates: self.certificates + certificates)
    }

    /// Makes `trust` begin here; `false` when the system did not take it.
    func apply(to trust: SecTrust) -> Bool {
        guard !usesSystem || !certificates.isEmpty else { return true }
        let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        return SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess
            && SecTrustSetAnchorCertificatesOnly(trust, !usesSystem) == errSecSuccess
    }
}
