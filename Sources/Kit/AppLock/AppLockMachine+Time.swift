package import PavisePrimitives

extension AppLockMachine {
    /// Locks when one of the times is over.
    mutating func check(_ now: ClockReading) -> [Action] {
        guard case .unlocked(let use) = state, let reason = overdue(use, now) else { return [] }
        return close(reason)
    }

    /// A use begins the idle time again, unless it is over already.
    mutating func use(_ now: ClockReading) -> [Action] {
        let actions = check(now)
        guard case .unlocked(var use) = state, use.left == nil else { return actions }
        use.last = now
        become(.unlocked(use), pending: pending)
        return actions
    }

    mutating func leave(_ now: ClockReading) -> [Action] {
        let actions = check(now)
        leaveBehind(at: now)
        guard case .unlocked(var use) = state else { return [.cover] + actions }
        guard policy.grace > .zero else { return [.cover] + close(.background) }
        use.left = use.left ?? now
        become(.unlocked(use), pending: pending)
        return [.cover]
    }

    // The decision first, then the picture.
    mutating func comeBack(_ now: ClockReading) -> [Action] {
        let actions = check(now)
        comeBackInTime()
        guard case .unlocked(var use) = state else { return actions + [.uncover] }
        use.left = nil
        become(.unlocked(use), pending: pending)
        return [.uncover]
    }

    private func overdue(_ use: Use, _ now: ClockReading) -> LockReason? {
        if let left = use.left, let reason = overdue(left, policy.grace, .background, now) { return reason }
        return overdue(use.since, policy.activeTime, .activeTime, now) ?? overdue(use.last, policy.idle, .idle, now)
    }

    private func overdue(
        _ start: ClockReading, _ limit: Duration, _ reason: LockReason, _ now: ClockReading
    ) -> LockReason? {
        switch now.elapsed(since: start) {
        case .restarted: .restarted
        case .time(let milliseconds, _): milliseconds >= limit.components.seconds * 1000 ? reason : nil
        }
    }

    /// The lock as others see it at `now`. Nothing is changed by asking.
    package func seen(_ now: ClockReading) -> AppLockState {
        switch state {
        case .unset: return .unset
        case .ended(let action): return .ended(action)
        case .unlocked(let use):
            if let reason = overdue(use, now) { return closed(reason, now) }
            return .unlocked(secondsLeft: secondsLeft(use, now))
        case .locked(let reason): return closed(reason, now)
        }
    }

    private func closed(_ reason: LockReason, _ now: ClockReading) -> AppLockState {
        if case .unreadable = reason { return .locked(reason) }
        switch gate(now) {
        case .open, .limit: return .locked(reason)
        case .wait(let seconds), .restarted(_, let seconds): return .delayed(reason, seconds: seconds)
        }
    }

    private func secondsLeft(_ use: Use, _ now: ClockReading) -> Int64 {
        func left(_ start: ClockReading, _ limit: Duration) -> Int64 {
            guard case .time(let milliseconds, _) = now.elapsed(since: start) else { return 0 }
            return max(0, limit.components.seconds - max(0, milliseconds) / 1000)
        }
        let used = min(left(use.last, policy.idle), left(use.since, policy.activeTime))
        return min(used, use.left.map { left($0, policy.grace) } ?? used)
    }
}
