internal import Pavise
internal import PavisePrimitives
internal import PaviseTransport

/// Looks at servers before any credential goes to them, and asks about what a person has to decide. The keeper
/// remembers it.
struct ServerJudge: Sendable {
    let environment: Environment
    let keeper: KnownServersStore
    /// From `--approve-certificate`.
    let fingerprint: Fingerprint?
    /// JSON is wanted: nobody is asked.
    let isSilent: Bool
    /// Also what a known server shows is told: the way of a sign-in is seen whole.
    var tellsKnown = false

    /// Judges the certificate of `origin`.
    ///
    /// - Returns: What it says.
    /// - Throws: ``CommandFailure`` with status 3 when the server is refused.
    func judge(_ origin: Origin) async throws -> CertificateSummary? {
        let (outcome, summary) = try await keeper.look(at: origin, through: environment.connections.makeClient)
        switch outcome {
        case .allow(let note):
            if note == .first || tellsKnown { tell(summary, origin) }
            if note == .renewedAuthority || note == .renewedValid {
                environment.console.tell(ServerNotice.renewed(origin, note).line)
            }
        case .ask(let review): try await settle(review, origin)
        case .deny(let refusal):
            throw CertificateQuestion.failure(refusal, at: origin, advice: "Nobody can approve this.")
        // No look ends so today.
        case .rejected(let review): throw CertificateQuestion.failure(review, at: origin)
        case .void:
            let refusal = CertificateRefusal(failures: [.notCompliant], summary: summary, canBeApproved: false)
            throw CertificateQuestion.failure(refusal, at: origin, advice: "Nobody can approve this.")
        }
        return summary
    }

    // Also of one that satisfies every rule: whoever wants to compare it can.
    private func tell(_ certificate: CertificateSummary?, _ origin: Origin) {
        guard !isSilent, let certificate else { return }
        environment.console.tell(
            .line(
                "\(origin): certificate of \(Printable.text(certificate.subject)), issued by "
                    + "\(Printable.text(certificate.issuer)), \(expiry(certificate).words ?? ""), "
                    + "SPKI SHA-256 \(certificate.spki)."))
    }

    private func expiry(_ certificate: CertificateSummary) -> Report.Fact {
        certificate.end(environment.time.wallSeconds)
    }

    private func settle(_ review: CertificateReview, _ origin: Origin) async throws {
        switch CertificateQuestion(review, given: fingerprint) {
        case .approved: break
        case .refused(let failure): throw failure
        case .open:
            guard try !isSilent && isApproved(review, origin) else {
                _ = try await keeper.reject(at: origin)
                throw CertificateQuestion.failure(review, at: origin)
            }
        }
        guard case .allow = try await keeper.approve(review.summary.fingerprint, at: origin) else {
            throw CertificateQuestion.failure(review, at: origin)
        }
    }

    private func isApproved(_ review: CertificateReview, _ origin: Origin) throws -> Bool {
        let console = environment.console
        console.tell(.failure("The certificate of \(origin) is not trusted. \(review.sentences)"))
        for fact in review.facts + [expiry(review.summary)] { console.tell(.fact(fact)) }
        let question =
            "Compare the SPKI SHA-256 with the server's owner. Type yes to approve this key for this server: "
        return try environment.person.answer(to: question) == "yes"
    }
}
