internal import Synchronization

/// What closes by time closes though nobody looks (app-lock AL34).
extension AppLock {
    /// From now on the lock's key leaves memory by itself when the time without use, or the whole time of use, is over,
    /// and whoever observes the lock hears of it then.
    ///
    /// - Parameter sleep: Waits for a time in which the machine may be asleep.
    package func closeInTime(
        _ sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        let isFirst = memory.withLock { memory in
            defer { memory.closesInTime = true }
            return !memory.closesInTime
        }
        guard isFirst else { return }
        observe { [weak self] isOpen in
            guard let self else { return false }
            if isOpen { startTimer(sleep) }
            return true
        }
    }

    // Each unlock has a timer of its own, and the newest goes on. A use only makes it look once more.
    private func startTimer(_ sleep: @escaping @Sendable (Duration) async throws -> Void) {
        let number = memory.withLock { memory in
            memory.timer += 1
            return memory.timer
        }
        Task { [weak self] in
            while let seconds = self?.secondsLeft(timer: number) {
                guard (try? await sleep(.seconds(max(1, seconds)))) != nil else { return }
            }
        }
    }

    // Looking is what closes it.
    private func secondsLeft(timer number: UInt64) -> Int64? {
        guard memory.withLock({ $0.timer == number }), case .unlocked(let seconds) = state else { return nil }
        return seconds
    }
}
