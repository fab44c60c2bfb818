package import PavisePrimitives

extension RefreshMachine {
    /// Whether the access token's lifetime has passed. After a reboot it counts as expired (SR14).
    package func isExpired(at now: ClockReading) -> Bool {
        guard now.isSameBoot(as: facts.received) else { return true }
        return now.milliseconds(since: facts.received) >= facts.lifetime * 1000
    }

    /// Whether it is time to renew ahead of the end (SR15).
    func isAgeing(at now: ClockReading) -> Bool {
        now.milliseconds(since: facts.received) >= facts.lifetime * 1000 - lead
    }

    /// Milliseconds until the token should be renewed ahead of its end; 0 when that is now.
    package func renewal(at now: ClockReading) -> Int64 {
        guard now.isSameBoot(as: facts.received) else { return 0 }
        let end = max(0, facts.lifetime * 1000 - now.milliseconds(since: facts.received))
        let ahead = max(0, end - lead)
        return mayRenewAhead(at: now, in: ahead) ? ahead : end
    }

    // 120 s or half of the lifetime, whichever is shorter; up to a tenth more by jitter.
    private var lead: Int64 {
        let base = min(policy.lead.milliseconds, facts.lifetime * 500)
        return base + Int64(Double(base) * 0.1 * leadJitter)
    }

    func isPaused(at now: ClockReading) -> Bool { pause(at: now) > 0 }

    /// Whole seconds until the pause ends, rounded up.
    func pause(at now: ClockReading) -> Int64 {
        guard let pauseUntil, pauseUntil.isSameBoot(as: now), pauseUntil.continuous > now.continuous else { return 0 }
        return (pauseUntil.continuous - now.continuous + 999) / 1000
    }

    func isCapped(at now: ClockReading) -> Bool {
        starts.count { isRecent($0, now) } >= policy.refreshesPerWindow
    }

    /// Whether more than half of the refreshes of a window are left, `milliseconds` after `now`. One that could wait
    /// takes none of the others: a server whose tokens live for seconds would use them all up ahead of time, and leave
    /// none for a token that has ended.
    func mayRenewAhead(at now: ClockReading, in milliseconds: Int64 = 0) -> Bool {
        starts.count { isRecent($0, now, in: milliseconds) } < max(1, policy.refreshesPerWindow / 2)
    }

    /// Whether `start` still counts, `milliseconds` after `now`.
    func isRecent(_ start: ClockReading, _ now: ClockReading, in milliseconds: Int64 = 0) -> Bool {
        start.isSameBoot(as: now) && now.milliseconds(since: start) < policy.window.milliseconds - milliseconds
    }
}
