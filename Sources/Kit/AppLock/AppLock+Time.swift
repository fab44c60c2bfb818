internal import PavisePrimitives
internal import Synchronization

extension AppLock {
    /// Locks now, in every process that found it unlocked. Twice is fine.
    public func lock() {
        openOnce()
        perform(handle(.lock))
    }

    /// Says that a person used the app: a touch, a key, a command. Playing and synchronising are no use (AL34).
    public func used() {
        openOnce()
        let now = self.now
        perform(handle(.used(now)))
        writeUse(now)
    }

    /// Says that the app is about to leave the foreground: call it at resign-active, before the system takes its
    /// picture.
    ///
    /// - Returns: `true`, always: cover what is on the screen.
    @discardableResult
    public func left() -> Bool {
        openOnce()
        perform(handle(.left(now)))
        startTimer()
        return true
    }

    /// Says that the app comes back. Ask this before anything is drawn.
    public func returned() -> AppLockState {
        openOnce()
        perform(handle(.returned(now)))
        return state
    }

    /// Takes over other figures of an administrator, at once.
    public func follow(_ rules: AppLockTightening) {
        let policy = product.tightened(by: rules)
        perform(handle(.rules(policy, now)))
        // What the timer waits for may be over sooner now.
        if case .unlocked = memory.withLock({ $0.machine.state }) { startTimer() }
    }

    /// Does what needs no record.
    func perform(_ actions: [AppLockMachine.Action]) {
        for case .dropKey in actions {
            if let record = memory.withLock({ $0.record }) { parts.place.forget(place(record)) }
            tell(isOpen: false)
        }
    }

    // At most every 30 seconds (AL34). What is not written makes the idle time end earlier, never later: the caller,
    // who may be the one that draws, does not wait for a process that judges a PIN. The next use writes it.
    private func writeUse(_ now: ClockReading) {
        let (state, written) = memory.withLock { ($0.machine.state, $0.written) }
        guard case .unlocked(let use) = state else { return }
        if let written, case .time(let passed, _) = now.elapsed(since: written), passed < 30_000 { return }
        memory.withLock { $0.written = now }
        noticeOthers()
        do throws(AppLockFailure) {
            try alone(waiting: .zero) { () throws(AppLockFailure) in
                guard var record = look().0, record.ending == .none, record.use != nil else { return }
                record.use = use
                try save(&record)
            }
        } catch {
            guard error == .busy else { return }
            memory.withLock { $0.written = written }
        }
    }
}
