extension ServerVerdict {
    /// The verdict when the app's own code has said `answer` (Apple: URLSession's server trust challenge).
    ///
    /// It may refuse everything. It may accept only what the platform's rules alone refuse, where App Transport
    /// Security lets it (facts on ATS, section 3.4) and a person could: never pins, hard failures, known servers or
    /// what management says.
    func answered(_ answer: TrustDisposition) -> ServerVerdict {
        switch answer {
        case .asJudged: return self
        case .cancelled, .rejected:
            return ServerVerdict(chain: chain, decision: decision, weakness: weakness, objection: answer)
        case .accepted:
            guard mayBeLoosened, weakness == nil, case .ask(let refusal) = decision,
                Set(refusal.failures).isSubset(of: chain.failures)
            else { return self }
            return ServerVerdict(chain: chain, decision: .allow(.approved(Set(refusal.failures))))
        }
    }
}
