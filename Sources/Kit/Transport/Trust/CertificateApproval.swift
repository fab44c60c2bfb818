internal import PavisePrimitives

/// A person's approval of a certificate that fails the rules: for one server of one connection, and for a limited time.
///
/// It does not hold for another connection, host, port or key; a failure that was not shown to the person is asked
/// about again.
public struct CertificateApproval: Hashable, Sendable {
    /// The longest time, 90 days in seconds.
    public static let longestTime: Int64 = 90 * 86_400
    /// How far a clock may be set back after an approval, 5 minutes in seconds.
    static let skew: Int64 = 300

    /// Who approved.
    public enum Approver: String, Hashable, Sendable, Codable, CaseIterable {
        /// A person who looked at it.
        case person
        /// An administrator, before anybody looked.
        case managed
    }

    /// The connection it holds for, by its identifier; `nil` while there is none yet, and for policies of no
    /// connection.
    public internal(set) var connection: String?
    /// The host and port it holds for.
    public let origin: Origin
    /// The key it holds for, also in a renewed certificate.
    public let spki: Pin
    /// SHA-256 of the certificate that was shown, lower-case hexadecimal.
    public let fingerprint: String
    /// What was wrong with it. A subset of this is approved as well, anything more is not.
    public let failures: Set<TrustFailure>
    /// Seconds since 1970.
    public let created: Int64
    /// Seconds since 1970, inclusive.
    public let expires: Int64
    /// Who approved.
    public let approver: Approver
    /// SHA-256 of what was shown, see ``CertificateRefusal/evidence(at:)``; `nil` in approvals of an older Pavise.
    public let evidence: CertificateDigest?

    /// Approves what `refusal` showed, for 90 days, but not beyond the certificate's own end unless that had passed
    /// already.
    ///
    /// - Returns: `nil` when the refusal is one that nobody can approve, and when the certificate has ended since it
    ///   was shown.
    public init?(
        of refusal: CertificateRefusal, origin: Origin, at seconds: Int64, connection: String? = nil,
        by approver: Approver = .person
    ) {
        guard refusal.canBeApproved, !refusal.failures.isEmpty, origin.scheme == .https, let summary = refusal.summary,
            let spki = Pin(summary.spki)
        else { return nil }
        self.connection = connection
        self.origin = origin
        self.spki = spki
        self.approver = approver
        fingerprint = summary.fingerprint
        failures = Set(refusal.failures)
        created = seconds
        evidence = refusal.evidence(at: origin)
        let latest = seconds + Self.longestTime
        expires = failures.contains(.expired) ? latest : min(latest, summary.notAfter)
        // The certificate may have ended while somebody looked at it. Then it is shown again.
        guard isSensible else { return nil }
    }

    /// The same for a connection that has just got its identifier. One that has a connection keeps it.
    public func bound(to identifier: String) -> CertificateApproval {
        guard connection == nil else { return self }
        var copy = self
        copy.connection = identifier
        return copy
    }

    /// Whether it speaks for this key with these failures at this server and time.
    ///
    /// - Parameters:
    ///   - leaf: The key that the server shows; `nil` where it could not be read.
    ///   - found: Everything that is wrong with the chain now.
    ///   - server: The server that shows it.
    ///   - seconds: The time, in seconds since 1970.
    ///   - identifier: The connection that asks. An approval for another one is worth nothing.
    public func covers(
        _ leaf: Pin?, failures found: [TrustFailure], at server: Origin, seconds: Int64,
        connection identifier: String? = nil
    ) -> Bool {
        (connection == nil || connection == identifier) && leaf == spki && server == origin
            && failures.isSuperset(of: found) && isSensible && seconds >= created - Self.skew && seconds <= expires
    }

    /// Whether it could have been given: https, an end behind its beginning, and no longer than ``longestTime``.
    /// Another one is worth nothing, wherever it was read.
    var isSensible: Bool {
        guard origin.scheme == .https, created >= 0, !failures.isEmpty, !failures.contains(where: \.isHard) else {
            return false
        }
        let (length, overflow) = expires.subtractingReportingOverflow(created)
        return !overflow && (0...Self.longestTime).contains(length)
    }
}
