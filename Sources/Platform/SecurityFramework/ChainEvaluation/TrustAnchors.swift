internal import PaviseCrypto

/// The certificates where trust begins.
package struct TrustAnchors: Sendable {
    /// Who chose an anchor; the rules for public authorities do not bind one's own.
    package enum Origin: Sendable {
        /// The distribution's root store.
        case system
        /// A root that the machine's administrator added.
        case administrator
        /// A root that the app brings.
        case application
    }

    struct Anchor: Sendable {
        let certificate: X509Certificate
        let origin: Origin
    }

    private var bySubject: [[UInt8]: [Anchor]] = [:]

    /// How many anchors there are.
    package private(set) var count = 0

    /// No anchor: nothing is trusted.
    package static let none = TrustAnchors()

    /// The machine's roots, or those that SSL_CERT_FILE and SSL_CERT_DIR name, read once. A store that cannot be read
    /// gives no anchors: everything is refused.
    package static let system = SystemRoots.current.read()

    /// The machine's roots, whatever the environment says.
    package static let machine = SystemRoots.machine.read()

    /// The variables that name authorities in the place of the machine's, in ``system``.
    package static let variables = SystemRoots.current.variables

    /// These and no others. What cannot be read is left out.
    package static func only(_ certificates: [[UInt8]], origin: Origin = .application) -> TrustAnchors {
        TrustAnchors().adding(certificates, origin: origin)
    }

    /// These as well. What cannot be read is left out.
    package func adding(_ certificates: [[UInt8]], origin: Origin = .application) -> TrustAnchors {
        var anchors = self
        for certificate in certificates.compactMap({ try? X509Certificate(der: $0) }) {
            anchors.add(Anchor(certificate: certificate, origin: origin))
        }
        return anchors
    }

    /// These and no others: with their origin where they are among the ones of this value, and else as the app's own.
    func only(_ certificates: [[UInt8]]) -> TrustAnchors {
        var anchors = TrustAnchors.none
        for certificate in certificates.compactMap({ try? X509Certificate(der: $0) }) {
            anchors.add(anchor(certificate) ?? Anchor(certificate: certificate, origin: .application))
        }
        return anchors
    }

    private mutating func add(_ anchor: Anchor) {
        guard self.anchor(anchor.certificate) == nil else { return }
        bySubject[anchor.certificate.subject.comparable, default: []].append(anchor)
        count += 1
    }

    /// The anchors that may have issued `certificate`, by name.
    func issuers(of certificate: X509Certificate) -> [Anchor] {
        bySubject[certificate.issuer.comparable] ?? []
    }

    /// The anchor that is this very certificate.
    func anchor(_ certificate: X509Certificate) -> Anchor? {
        bySubject[certificate.subject.comparable]?.first { $0.certificate == certificate }
    }
}
