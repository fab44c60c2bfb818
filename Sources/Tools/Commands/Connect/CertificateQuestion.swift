internal import PavisePrimitives
internal import PaviseTransport

/// What to do about a certificate that the rules refuse: a value, decided without asking anybody.
enum CertificateQuestion: Sendable {
    /// It is approved by the fingerprint that was given.
    case approved(CertificateApproval)
    /// A person may decide, after reading these facts.
    case open(CertificateRefusal)
    /// It is refused.
    case refused(CommandFailure)

    /// Decides about `refusal` at `origin`, with the fingerprint from the command line.
    init(_ refusal: CertificateRefusal, at origin: Origin, given fingerprint: Fingerprint?, seconds: Int64) {
        guard refusal.canBeApproved, let summary = refusal.summary else {
            self = .refused(Self.failure(refusal, at: origin, advice: "Nobody can approve this."))
            return
        }
        guard let fingerprint else {
            self = .open(refusal)
            return
        }
        guard fingerprint.matches(summary) else {
            self = .refused(Self.wrongFingerprint(fingerprint, refusal, summary))
            return
        }
        guard let approval = CertificateApproval(of: refusal, origin: origin, at: seconds) else {
            self = .refused(Self.failure(refusal, at: origin, advice: "Nobody can approve this."))
            return
        }
        self = .approved(approval)
    }

    /// The refusal when nobody approved it.
    static func failure(_ refusal: CertificateRefusal, at origin: Origin?, advice: String) -> CommandFailure {
        let place = origin.map { " of \($0)" } ?? ""
        return CommandFailure(
            .refused, "The certificate\(place) is not trusted. \(refusal.sentences) \(advice) Nothing was sent.",
            rule: refusal.failures.contains(.pinMismatch) ? "pin" : "certificate", facts: refusal.facts)
    }

    /// What to say where approving is possible and nobody is there to ask.
    static let approvalAdvice = """
        If you know the key from another source, for example from the server's owner, connect again with \
        --approve-certificate and its SPKI SHA-256.
        """

    private static func wrongFingerprint(
        _ given: Fingerprint, _ refusal: CertificateRefusal, _ summary: CertificateSummary
    ) -> CommandFailure {
        CommandFailure(
            .refused,
            "The server shows another certificate than the approved one. This may be an attack; ask the server's owner. "
                + "Nothing was sent.",
            rule: "approved-certificate",
            facts: [
                .init("approved", "Approved", "\(given.base64) (\(given.hexadecimal))"),
                .init("shown", "Shown", "\(summary.spki) (certificate \(summary.fingerprint))"),
            ] + refusal.facts)
    }
}
