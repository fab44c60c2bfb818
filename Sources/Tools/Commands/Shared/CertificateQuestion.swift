internal import PavisePrimitives
internal import PaviseTransport

/// What to do about a certificate that needs somebody's word: a value, decided without asking anybody.
enum CertificateQuestion: Sendable {
    /// It is approved by the fingerprint that was given.
    case approved
    /// A person may decide, after reading the review.
    case open
    /// It is refused.
    case refused(CommandFailure)

    /// Decides about `review`, with the fingerprint from the command line.
    init(_ review: CertificateReview, given fingerprint: Fingerprint?) {
        guard let fingerprint else {
            self = .open
            return
        }
        self = fingerprint.matches(review.summary) ? .approved : .refused(Self.wrongFingerprint(fingerprint, review))
    }

    /// The refusal when nobody approved it.
    static func failure(_ refusal: CertificateRefusal, at origin: Origin?, advice: String) -> CommandFailure {
        let place = origin.map { " of \($0)" } ?? ""
        return CommandFailure(
            .refused, "The certificate\(place) is not trusted. \(refusal.sentences) \(advice) Nothing was sent.",
            rule: rule(refusal.failures), facts: refusal.facts)
    }

    /// The refusal of a review that nobody answered with yes.
    static func failure(_ review: CertificateReview, at origin: Origin) -> CommandFailure {
        CommandFailure(
            .refused,
            "The certificate of \(origin) is not trusted. \(review.sentences) \(approvalAdvice) Nothing was sent.",
            rule: rule(review.refusal.failures), facts: review.facts)
    }

    /// What to say where approving is possible and nobody is there to ask.
    static let approvalAdvice = """
        If you know the key from another source, for example from the server's owner, connect again with \
        --approve-certificate and its SPKI SHA-256.
        """

    private static func rule(_ failures: [TrustFailure]) -> String {
        if failures.contains(.pinMismatch) { return "pin" }
        return failures == [.keyChanged] ? "certificate-changed" : "certificate"
    }

    private static func wrongFingerprint(_ given: Fingerprint, _ review: CertificateReview) -> CommandFailure {
        let summary = review.summary
        return CommandFailure(
            .refused,
            "The server shows another certificate than the approved one. This may be an attack; ask the server's "
                + "owner. "
                + "Nothing was sent.",
            rule: "approved-certificate",
            facts: [
                .init("approved", "Approved", "\(given.base64) (\(given.hexadecimal))"),
                .init("shown", "Shown", "\(summary.spki) (certificate \(summary.fingerprint))"),
            ] + review.facts)
    }
}
