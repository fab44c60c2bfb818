extension TrustPolicy {
    /// The decision inside a handshake: that of ``decide(on:at:seconds:)``, and where it allows a valid certificate,
    /// whether it is one that the known server may have got. So a server that became another one gets no byte, and not
    /// only no second request.
    package func decideComparingKnown(_ chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> TrustDecision {
        let decision = decide(on: chain, at: origin, seconds: seconds)
        switch decision {
        case .ask, .deny, .allow(.approved), .allow(.managed): return decision
        case .allow(.valid), .allow(.pinned):
            guard let known = knownServers[origin], let shown = KnownServer(chain),
                known.renewal(to: shown, under: managed.renewal) == nil
            else { return decision }
            return answer(toChange: chain, at: origin, seconds: seconds)
        }
    }

    /// What happens to a valid certificate that differs too much from the known one: management approved it, a person
    /// is asked, or nobody may be.
    func answer(toChange chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> TrustDecision {
        let failures = [TrustFailure.keyChanged]
        guard !managed.approves(failures, of: chain, at: origin, seconds: seconds) else {
            return .allow(.managed(Set(failures)))
        }
        let mayAsk = managed.personApproval != .forbidden
        let refusal = CertificateRefusal(failures: failures, summary: chain.summary, canBeApproved: mayAsk)
        return mayAsk ? .ask(refusal) : .deny(refusal)
    }
}
