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
        let pause = backoff(retryAfter, isRejection, chance)
        pauseUntil = ClockReading(wall: now.wall + pause, continuous: now.continuous + pause, boot: now.boot)
        followsUp = false
        let isGood = !isRefused && !isExpired(at: now)
        let failure = SessionFailure.unavailable(degraded ?? reason, retryIn: (pause + 999) / 1000)
        return Completion(
            failure: isGood ? nil : failure, forcedFailure: failure, retryIn: .milliseconds(pause))
    }

    // Full jitter: anything between nothing and base × 2^n, at most the cap (SR8). Rejections stay a second apart (§5).
    // A degraded session tries at the cap's interval, a tenth more or less.
    private func backoff(_ retryAfter: Int64?, _ isRejection: Bool, _ chance: Double) -> Int64 {
        let cap = Self.bounded(policy.backoffCap)
        let ceiling = min(cap, Self.bounded(policy.backoffBase) << Int64(min(failures - 1, 16)))
        let steady = Int64(Double(cap) * (0.9 + 0.2 * chance))
        let drawn = failures >= policy.failuresUntilDegraded && !isRejection ? steady : Int64(Double(ceiling) * chance)
        let asked = Self.bounded(min(.seconds(retryAfter ?? 0), policy.retryAfterCap))
        return max(isRejection ? max(1000, drawn) : drawn, asked)
    }

    // Milliseconds, at most a century: with these every sum above stays within 64 bits, whatever a policy and a server
    // say.
    private static func bounded(_ duration: Duration) -> Int64 {
        min(max(0, duration.milliseconds), 36_525 * 86_400_000)
    }
}
