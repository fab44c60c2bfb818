internal import PavisePrimitives

// The order of AL16: gate, durable count, judge, and only then the count back to zero. A kill at any point costs a try.
extension AppLockMachine {
    mutating func attempt(_ purpose: Purpose, _ now: ClockReading) -> [Action] {
        guard pending == nil else { return [.refuse(.busy)] }
        switch state {
        case .unset: return [.refuse(.notSet)]
        case .ended(let action): return [.refuse(.ended(action))]
        case .locked(.unreadable(let damage)): return [.refuse(.unreadable(damage))]
        case .locked, .unlocked: break
        }
        switch gate(now) {
        case .wait(let seconds): return [.refuse(.tryLater(seconds: seconds))]
        case .restarted(let again, let seconds):
            attempts = again
            return [.store(again), .refuse(.tryLater(seconds: seconds))]
        // The last try was counted, and its process did not live to draw the consequence.
        case .limit: return end()
        case .open:
            begin(purpose, attempts.counting(policy, at: now))
            return [.store(attempts)]
        }
    }

    /// Whether a try may be made.
    ///
    /// Rules that allow fewer tries than were made before they came end nothing by themselves: the running delay is
    /// waited for, and one try is left, which is counted as the last.
    func gate(_ now: ClockReading) -> Attempts.Gate {
        guard attempts.failures >= policy.limit, !attempts.isLast, Int(attempts.failures) < Self.mostAttempts else {
            return attempts.gate(policy, at: now)
        }
        return attempts.gate(OneMoreAttempt(policy: policy), at: now)
    }

    // No product allows more: see AppLockPolicy.attempts.
    private static var mostAttempts: Int { 10 }

    mutating func stored(_ isDurable: Bool) -> [Action] {
        guard case .counting(let purpose) = pending else { return [] }
        guard isDurable else {
            wait(for: nil)
            return [.refuse(.notWritten("Try again."))]
        }
        wait(for: .judging(purpose))
        return [.judge]
    }

    mutating func judged(_ isRight: Bool, _ now: ClockReading) -> [Action] {
        guard case .judging(let purpose) = pending else { return [] }
        wait(for: nil)
        guard isRight else { return failed(now) }
        attempts = Attempts()
        require(pin: false)
        switch purpose {
        case .unlock:
            if let closing {
                become(.locked(closing))
                return [.store(attempts), .refuse(.locked(closing))]
            }
            become(.unlocked(Use(since: now, last: now, left: leaving)))
            return [.store(attempts), .release]
        case .change: return [.store(attempts), .rewrap]
        case .remove:
            become(.unset)
            return [.remove]
        }
    }

    mutating func unjudged() -> [Action] {
        guard case .judging = pending else { return [] }
        takeBack()
        return [.store(attempts)]
    }

    private mutating func failed(_ now: ClockReading) -> [Action] {
        guard attempts.failures < policy.limit else { return end() }
        let left = policy.attempts - Int(attempts.failures)
        let wait = policy.delay(after: attempts.failures) ?? 0
        // From the third on, and before the last one in any case: three tries are the fewest that rules may allow.
        let told = attempts.failures >= 3 || left == 1 ? left : nil
        return [.refuse(.wrongPIN(.init(attempts: told, finalAction: policy.finalAction, wait: wait)))]
    }

    mutating func end() -> [Action] {
        wait(for: nil)
        become(.ended(policy.finalAction))
        return [.dropKey, .finish(policy.finalAction), .refuse(.ended(policy.finalAction))]
    }

    // Convenience, never a second factor: it counts nothing, resets nothing, and waits as long as a PIN has to.
    mutating func biometric(_ proof: Biometric, _ now: ClockReading) -> [Action] {
        if proof == .enrolmentChanged {
            require(pin: true)
            if case .locked(.unreadable) = state { return [] }
            if case .locked = state { become(.locked(.enrolmentChanged), pending: pending) }
            return []
        }
        guard proof == .released else { return [] }
        guard policy.allowsBiometrics else { return [.dropKey, .refuse(.noBiometrics("The rules want the PIN."))] }
        guard pending == nil, !needsPIN, case .locked(let reason) = state else { return [] }
        if case .unreadable(let damage) = reason { return [.dropKey, .refuse(.unreadable(damage))] }
        switch gate(now) {
        case .open:
            become(.unlocked(Use(since: now, last: now)))
            return [.release]
        case .wait(let seconds): return [.dropKey, .refuse(.tryLater(seconds: seconds))]
        case .restarted(let again, let seconds):
            attempts = again
            return [.store(again), .dropKey, .refuse(.tryLater(seconds: seconds))]
        case .limit: return end()
        }
    }
}

/// The rules of a policy without its limit: for the one try that is left where a stricter limit came too late.
private struct OneMoreAttempt: AttemptRules {
    let policy: AppLockPolicy
    var limit: UInt8 { .max }
    var endsAtLimit: Bool { true }

    func delay(after failures: UInt8) -> Int64? { policy.usualDelay(after: failures) }
}
