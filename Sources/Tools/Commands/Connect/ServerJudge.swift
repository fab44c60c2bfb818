internal import PavisePrimitives
internal import PaviseTransport

/// Looks at servers before any credential exists, and collects what a person approves.
struct ServerJudge: Sendable {
    let environment: Environment
    /// From `--approve-certificate`.
    let fingerprint: Fingerprint?
    /// JSON is wanted: nobody is asked.
    let isSilent: Bool

    /// Judges the certificate of `origin` under `policy`.
    ///
    /// - Returns: The policy, with an approval more where one was needed and given.
    /// - Throws: ``CommandFailure`` with status 3 when the server is refused.
    func judge(_ origin: Origin, under policy: TrustPolicy) async throws -> TrustPolicy {
        let transport = try environment.makeTransport(policy)
        let inspection = try await transport.inspect(origin)
        guard let refusal = inspection.decision.refusal else { return policy }
        var policy = policy
        policy.approvals.append(try approval(of: refusal, at: origin))
        return policy
    }

    private func approval(of refusal: CertificateRefusal, at origin: Origin) throws -> CertificateApproval {
        let seconds = environment.time.wallSeconds
        switch CertificateQuestion(refusal, at: origin, given: fingerprint, seconds: seconds) {
        case .approved(let approval): return approval
        case .refused(let failure): throw failure
        case .open: return try ask(refusal, origin, seconds)
        }
    }

    private func ask(_ refusal: CertificateRefusal, _ origin: Origin, _ seconds: Int64) throws -> CertificateApproval {
        let refused = CertificateQuestion.failure(refusal, at: origin, advice: CertificateQuestion.approvalAdvice)
        guard !isSilent else { throw refused }
        let console = environment.console
        console.tell(.failure("The certificate of \(origin) is not trusted. \(refusal.sentences)"))
        for fact in refusal.facts { console.tell(.fact(fact)) }
        let question =
            "Compare the SPKI SHA-256 with the server's owner. Type yes to approve this key for this server: "
        guard try environment.person.answer(to: question) == "yes",
            let approval = CertificateApproval(of: refusal, origin: origin, at: seconds)
        else {
            throw CommandFailure(
                .refused,
                "The certificate of \(origin) is not trusted. \(CertificateQuestion.approvalAdvice) Nothing was sent.",
                rule: "certificate", facts: refusal.facts)
        }
        return approval
    }
}
