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
            return present(chain, policy.decide(on: chain, at: origin, seconds: seconds), policy)
        case .approve(let fingerprint): return approve(fingerprint)
        case .reject: return reject()
        }
    }

    private mutating func present(_ chain: EvaluatedChain, _ decision: TrustDecision, _ policy: TrustPolicy) -> Outcome
    {
        let rule = policy.managed.renewal
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
            guard let note = Self.renewal(from: previous, to: shown, rule) else { return ask(shown, []) }
            self = .trusted(shown)
            return .allow(note)
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

    // What was known before the question is known after it: a server that was trusted with one key does not become an unknown
    // one, which the next valid certificate would make trusted without a word.
    private mutating func reject() -> Outcome {
        guard case .awaitingReview(let review) = self else { return .void }
        self = review.previous.map { review.wasApproved ? .approved($0) : .trusted($0) } ?? .unknown
        return .rejected(review)
    }

    // What the next certificate is compared with.
    private var previous: KnownServer? {
        switch self {
        case .unknown: nil
        case .blocked(_, let before): before
        case .awaitingReview(let review): review.previous
        case .trusted(let known), .approved(let known): known
        }
    }

    private var wasApproved: Bool {
        switch self {
        case .unknown, .trusted, .blocked: false
        case .awaitingReview(let review): review.wasApproved
        case .approved: true
        }
    }

    private static func renewal(from old: KnownServer, to new: KnownServer, _ rule: ManagedTrust.Renewal) -> Note? {
        if old.summary.fingerprint == new.summary.fingerprint { return .unchanged }
        switch rule {
        case .alwaysAsk: return nil
        case .sameKey: return old.key == new.key ? .renewedKey : nil
        case .sameIssuers, .validIsEnough:
            if old.key == new.key { return .renewedKey }
            if !old.authorities.isDisjoint(with: new.authorities) { return .renewedAuthority }
            return rule == .validIsEnough ? .renewedValid : nil
        }
    }
}

extension CertificateRefusal {
    fileprivate static var unreadable: CertificateRefusal {
        CertificateRefusal(failures: [.notCompliant], summary: nil, canBeApproved: false)
    }
}
