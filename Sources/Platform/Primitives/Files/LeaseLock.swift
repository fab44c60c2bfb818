/// A lock between processes that no holder keeps longer than its lease: one that hangs or was stopped loses it.
///
/// A file lock alone goes when its holder dies, and with no holder that only stands still. Here the file names the end
/// of the lease, and whoever waits takes the place of a holder whose lease is over, with a lock file of its own. So a
/// holder does what nobody else may do only while ``lease`` is not over; one that goes on after a standstill finds that
/// it is, does not act, and queues again.
///
/// Every step (taking, looking, replacing) is made under a second file lock, `path.guard`, which is held for a few
/// system calls: what a waiter saw is what it replaces. A holder's time ends before a waiter's begins by
/// ``patience``.
package struct LeaseLock: ~Copyable {
    /// Until when the holder may act.
    package struct Lease: Hashable, Sendable {
        /// Milliseconds of the boot clock.
        let until: Int64
        /// The boot that they belong to.
        let boot: String

        /// Milliseconds that are left; 0 when the lease is over, also by a boot in between.
        package func left(at time: TimeSource) -> Int64 {
            let now = time.bootMilliseconds
            // Of a note, which may say any number, only what lies ahead is subtracted from.
            return time.bootEpoch == boot && until > now ? until - now : 0
        }

        /// Whether nothing that needs the lock may begin any more.
        package func isOver(at time: TimeSource) -> Bool { left(at: time) == 0 }
    }

    /// How long a waiter has to see one lease as over before it takes the place of its holder: what was asleep together
    /// with the machine comes to itself first.
    package static let patience = Duration.seconds(2)

    private let lock: FileLock
    /// Ask it immediately before each step that nobody else may do.
    package let lease: Lease

    /// Waits at most `wait` for the lock without blocking a thread.
    ///
    /// - Parameters:
    ///   - path: The lock's file. Beside it lie `path.guard` and, while a holder is replaced, `path.next`.
    ///   - wait: Longer than `lease` and ``patience`` together, or a holder that hangs is not outlived.
    ///   - lease: How long this holder may act.
    ///   - time: The clock of all holders. Between different boots nothing is taken, so on Apple's systems, where no
    ///     boot has a name, nothing of another process (Documentation/Apple.md).
    package static func acquire(
        _ path: String, wait: Duration, lease: Duration, time: TimeSource = .system
    ) async throws(FileLock.Failure) -> LeaseLock {
        let clock = ContinuousClock()
        let deadline = clock.now + wait
        var pause = Duration.milliseconds(2)
        var watch = Watch()
        while true {
            do {
                if let lock = try tryAcquire(path, lease, time, &watch) { return lock }
            } catch {
                throw .system(error)
            }
            guard clock.now < deadline, !Task.isCancelled else { throw .held(owner: FileLock.owner(of: path)) }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    // Nothing here waits: who holds the guard is through in a moment, or hangs in it, and then nobody is replaced.
    private static func tryAcquire(
        _ path: String, _ lease: Duration, _ time: TimeSource, _ watch: inout Watch
    ) throws(SystemFailure) -> LeaseLock? {
        guard let turn = try FileLock.tryAcquire(path + ".guard", time: time) else { return nil }
        let taken: LeaseLock?
        do throws(SystemFailure) { taken = try take(path, lease, time, &watch) } catch {
            _ = consume turn
            throw error
        }
        // Kept until here: a value that is not used any more may go away earlier.
        _ = consume turn
        return taken
    }

    private static func take(
        _ path: String, _ lease: Duration, _ time: TimeSource, _ watch: inout Watch
    ) throws(SystemFailure) -> LeaseLock? {
        let given = Lease(until: time.bootMilliseconds + lease.bounded.milliseconds, boot: time.bootEpoch)
        if let lock = try FileLock.tryAcquire(path, lease: lease, time: time) {
            return LeaseLock(lock: lock, lease: given)
        }
        guard watch.isOver(FileLock.owner(of: path), time),
            let lock = try FileLock.tryAcquire(path + ".next", lease: lease, time: time)
        else { return nil }
        // The file of the old holder has no name any more: what it still holds holds nobody up.
        try DurableFile.rename(path + ".next", to: path)
        return LeaseLock(lock: lock, lease: given)
    }

    /// What one waiter has seen of one holder.
    private struct Watch {
        private var seen: (note: String, since: SuspendingClock.Instant)?

        /// Whether the holder of this note has been seen beyond its lease for long enough. A note that cannot be read
        /// is nobody's, and is not replaced.
        mutating func isOver(_ note: String, _ time: TimeSource) -> Bool {
            guard Self.lease(in: note)?.boot == time.bootEpoch, Self.lease(in: note)?.isOver(at: time) == true else {
                seen = nil
                return false
            }
            let now = SuspendingClock().now
            guard let seen, seen.note == note else {
                seen = (note, now)
                return false
            }
            return now - seen.since >= patience
        }

        // "pid 7 boot 1f… until 123", as FileLock writes it.
        private static func lease(in note: String) -> Lease? {
            let words = note.split(separator: " ")
            guard words.count == 6, words[0] == "pid", words[2] == "boot", words[4] == "until",
                let until = Int64(words[5])
            else { return nil }
            return Lease(until: until, boot: String(words[3]))
        }
    }
}
