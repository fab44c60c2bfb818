extension ServerTrustState {
    /// Takes one event. Total: every state has an answer to every event.
    ///
    /// After ``Outcome/allow(_:)`` with ``Note/approved`` for an `approve` event, the caller stores a
    /// ``CertificateApproval`` and adds it to the policy: the state alone approves nothing that fails.
    public mutating func handle(
        _ event: Event, policy: TrustPolicy, at origin: Origin, seconds: Int64
    ) -> Outcome {
        switch event {
        case .presented(let chain):
            return present(chain, policy, origin, seconds)
        case .approve(let fingerprint): return approve(fingerprint)
        case .reject: return reject()
        }
    }

    private mutating func present(
        _ chain: EvaluatedChain, _ policy: TrustPolicy, _ origin: Origin, _ seconds: Int64
    ) -> Outcome {
        let decision = policy.decide(on: chain, at: origin, seconds: seconds)
        guard let shown = KnownServer(chain) else { return block(decision.refusal ?? .unreadable) }
        switch decision {
        case .deny(let refusal): return block(refusal)
        case .ask(let refusal): return ask(shown, refusal.failures)
        case .allow(.approved), .allow(.managed):
            guard let previous, !wasApproved || previous.key != shown.key else {
                return settle(.approved(shown), shown)
            }
            // The approval names this very key and these failures, so the person has seen both.
            self = .approved(shown)
            return .allow(.approved)
        case .allow(.valid), .allow(.pinned):
            guard let previous else {
                self = .trusted(shown)
                return .allow(.first)
            }
            guard let note = previous.renewal(to: shown, under: policy.managed.renewal) else {
                return change(chain, to: shown, policy, origin, seconds)
            }
            self = .trusted(shown)
            return .allow(note)
        }
    }

    // A valid certificate that is not what the server had. The words of management go first, as everywhere.
    private mutating func change(
        _ chain: EvaluatedChain, to shown: KnownServer, _ policy: TrustPolicy, _ origin: Origin, _ seconds: Int64
    ) -> Outcome {
        switch policy.answer(toChange: chain, at: origin, seconds: seconds) {
        case .allow:
            self = .trusted(shown)
            return .allow(.approved)
        case .ask: return ask(shown, [])
        case .deny(let refusal): return block(refusal)
        }
    }

    private mutating func settle(_ next: ServerTrustState, _ shown: KnownServer) -> Outcome {
        let note: Note =
            switch previous {
            case nil: .approved
            case let known? where known.summary == shown.summary: .unchanged
            default: .renewedKey
            }
        self = next
        return .allow(note)
    }

    private mutating func block(_ refusal: CertificateRefusal) -> Outcome {
        self = .blocked(refusal, before: previous)
        return .deny(refusal)
    }

    private mutating func ask(_ shown: KnownServer, _ failures: [TrustFailure]) -> Outcome {
        let review = CertificateReview(shown, failures: failures, previous: previous, wasApproved: wasApproved)
        self = .awaitingReview(review)
        return .ask(review)
    }

    private mutating func approve(_ fingerprint: String) -> Outcome {
        guard case .awaitingReview(let review) = self, review.summary.fingerprint == fingerprint else { return .void }
        self = review.failures.isEmpty ? .trusted(review.shown) : .approved(review.shown)
        return .allow(.approved)
    }

    // What was known before the question is known after it: a server that was trusted with one key does not become an
    // unknown one, which the next valid certificate would make trusted without a word.
    private mutating func reject() -> Outcome {
        guard case .awaitingReview(let review) = self else { return .void }
        self = review.previous.map { review.wasApproved ? .approved($0) : .trusted($0) } ?? .unknown
        return .rejected(review)
    }

    // What the next certificate is compared with.
    private var previous: KnownServer? { known }

    /// What the server showed when it was last trusted; `nil` for a server that never was.
    var known: KnownServer? {
        switch self {
        case .unknown: nil
        case .blocked(_, let before): before
        case .awaitingReview(let review): review.previous
        case .trusted(let known), .approved(let known): known
        }
    }

    var wasApproved: Bool {
        switch self {
        case .unknown, .trusted, .blocked: false
        case .awaitingReview(let review): review.wasApproved
        case .approved: true
        }
    }
}

extension CertificateRefusal {
    fileprivate static var unreadable: CertificateRefusal {
        CertificateRefusal(failures: [.notCompliant], summary: nil, canBeApproved: false)
    }
}
