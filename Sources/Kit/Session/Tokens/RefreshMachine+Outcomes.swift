package import PavisePrimitives

extension RefreshMachine {
    /// A refresh came to its end. `chance` in 0..<1 is for the jitter.
    package mutating func finished(_ outcome: Outcome, at now: ClockReading, chance: Double) -> Completion {
        guard phase == .refreshing else { return Completion(failure: .sessionChanged) }
        phase = .idle
        switch outcome {
        case .renewed(let facts, let isStored): return renewed(facts, isStored, at: now, chance)
        case .failed(let reason, let retryAfter, let isRejection):
            return failed(reason, retryAfter, isRejection, at: now, chance)
        case .storeFailed: return failed(.storage, nil, false, at: now, chance)
        case .ended(let failure):
            end(failure)
            return Completion(failure: failure)
        }
    }

    /// The record that was in memory only is on the disk now.
    package mutating func stored() {
        if degraded == .storage { degraded = nil }
    }

    /// The session ended from outside: sign-out, a limit, another process.
    package mutating func end(_ failure: SessionFailure) {
        phase = .ended(failure)
        followsUp = false
    }

    /// The network came back or the app came to the foreground: the pause is over.
    package mutating func wakeUp() { pauseUntil = nil }

    private mutating func renewed(
        _ facts: TokenFacts, _ isStored: Bool, at now: ClockReading, _ chance: Double
    ) -> Completion {
        self.facts = facts
        leadJitter = chance
        isRefused = false
        mustRecover = false
        failures = 0
        pauseUntil = nil
        lastReason = nil
        degraded = isStored ? nil : .storage
        defer { followsUp = false }
        // Forced refreshes that follow each other meet the same cap as all others (SR13).
        guard followsUp, isCapped(at: now) else { return Completion(startsAgain: followsUp) }
        return Completion(followersFailure: .tooManyRefreshes)
    }

    private mutating func failed(
        _ reason: DegradedReason, _ retryAfter: Int64?, _ isRejection: Bool, at now: ClockReading, _ chance: Double
    ) -> Completion {
        failures += 1
        lastReason = reason
        if failures >= policy.failuresUntilDegraded || reason == .storage || reason == .configuration {
            degraded = reason
        }
        let backoff = RefreshBackoff(policy: policy, failures: failures, chance: chance)
        let pause = backoff.pause(retryAfter: retryAfter, isRejection: isRejection)
        pauseUntil = ClockReading(wall: now.wall + pause, continuous: now.continuous + pause, boot: now.boot)
        followsUp = false
        let isGood = !isRefused && !isExpired(at: now)
        let failure = SessionFailure.unavailable(degraded ?? reason, retryIn: (pause + 999) / 1000)
        return Completion(
            failure: isGood ? nil : failure, forcedFailure: failure, retryIn: .milliseconds(pause))
    }
}
