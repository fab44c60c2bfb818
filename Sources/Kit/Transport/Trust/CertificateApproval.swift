/// A person's word that a certificate which fails the rules is the right one, for one server and for a time.
///
/// It is worth nothing for another host, port or key, and a failure that the person did not see asks again.
public struct CertificateApproval: Hashable, Sendable, Codable {
    /// The longest time, 90 days in seconds.
    public static let longestTime: Int64 = 90 * 86_400

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

    /// Approves what `refusal` showed, for 90 days, but not beyond the certificate's own end unless that had passed already.
    ///
    /// - Returns: `nil` when the refusal is one that nobody can approve.
    public init?(of refusal: CertificateRefusal, origin: Origin, at seconds: Int64) {
        guard refusal.canBeApproved, !refusal.failures.isEmpty, origin.scheme == .https, let summary = refusal.summary,
            let spki = Pin(summary.spki)
        else { return nil }
        self.origin = origin
        self.spki = spki
        fingerprint = summary.fingerprint
        failures = Set(refusal.failures)
        created = seconds
        let latest = seconds + Self.longestTime
        expires = failures.contains(.expired) ? latest : min(latest, summary.notAfter)
    }

    /// Whether it speaks for this key with these failures at this server and time.
    public func covers(_ leaf: Pin?, failures found: [TrustFailure], at server: Origin, seconds: Int64) -> Bool {
        leaf == spki && server == origin && failures.isSuperset(of: found)
            && seconds >= created && seconds <= expires
    }
}
