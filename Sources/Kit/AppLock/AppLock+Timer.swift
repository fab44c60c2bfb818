internal import Synchronization

/// What closes by time closes though nobody looks (app-lock AL34).
extension AppLock {
    /// From now on the lock's key leaves memory by itself when the time without use, the whole time of use, or the
    /// grace of somebody who left, is over, and whoever observes the lock hears of it then.
    ///
    /// - Parameter sleep: Waits for a time in which the machine may be asleep.
    package func closeInTime(
        _ sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        let isFirst = memory.withLock { memory in
            defer { memory.sleep = memory.sleep ?? sleep }
            return memory.sleep == nil
        }
        guard isFirst else { return }
        observe { [weak self] isOpen in
            guard let self else { return false }
            if isOpen { startTimer() }
            return true
        }
    }

    // Each unlock and each leaving has a timer of its own, and the newest goes on. A use or a return only makes it look
    // once more.
    func startTimer() {
        let (wait, number) = memory.withLock { memory in
            memory.timer += 1
            memory.timing?.cancel()
            memory.timing = nil
            return (memory.sleep, memory.timer)
        }
        guard let wait else { return }
        let task = Task { [weak self] in
            while let seconds = self?.secondsLeft(timer: number) {
                guard (try? await wait(.seconds(max(1, seconds)))) != nil else { return }
            }
        }
        memory.withLock { memory in
            if memory.timer == number { memory.timing = task }
        }
    }

    // Looking is what closes it.
    private func secondsLeft(timer number: UInt64) -> Int64? {
        guard memory.withLock({ $0.timer == number }), case .unlocked(let seconds) = state else { return nil }
        return seconds
    }
}
