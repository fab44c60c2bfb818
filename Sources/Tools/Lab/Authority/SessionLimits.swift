/// How long a session may last at the server, whatever its client does.
struct SessionLimits: Hashable, Sendable {
    /// Seconds without use; `nil` for no limit.
    var idle: Int64?
    /// Seconds since the sign-in; `nil` for no limit.
    var maximum: Int64?

    /// When a session that began at `signedIn` ends at the latest; `nil` where it may last for ever.
    func end(of signedIn: Int64) -> Int64? { maximum.map { signedIn + $0 } }

    /// Which limit a session has passed.
    func passed(signedIn: Int64, lastUse: Int64, at now: Int64) -> AuthorityLedger.Ending? {
        if let end = end(of: signedIn), now >= end { return .maximum }
        if let idle, now >= lastUse + idle { return .idle }
        return nil
    }
}

extension AuthorityConfiguration {
    /// The limits of all sessions.
    var limits: SessionLimits { SessionLimits(idle: idleTime, maximum: maximumSession) }
}

extension AuthorityLedger {
    /// Ends every session whose time is over. It is done before each answer, so that no request meets a session that
    /// should be gone.
    mutating func endPassed(_ limits: SessionLimits, at now: Int64) {
        guard limits != SessionLimits() else { return }
        for number in families.indices where !families[number].isOver {
            let family = families[number]
            guard let ending = limits.passed(signedIn: family.grant.signedIn, lastUse: family.lastUse, at: now) else {
                continue
            }
            families[number].ending = ending
            if ending == .idle { counters.idleEnds += 1 } else { counters.maximumEnds += 1 }
        }
    }

    /// Refuses a session whose longest time passed between the sign-in and its first tokens: a code may live longer.
    func checkBeginning(_ grant: Grant, _ limits: SessionLimits, at now: Int64) throws(Refusal) {
        guard let ending = limits.passed(signedIn: grant.signedIn, lastUse: now, at: now) else { return }
        throw Refusal(code: "invalid_grant", reason: ending.rawValue)
    }

    /// When a token that was asked to live until `wanted` ends: never after its session.
    func end(_ wanted: Int64, in family: Int, _ limits: SessionLimits) -> Int64 {
        min(wanted, limits.end(of: families[family].grant.signedIn) ?? wanted)
    }
}
