internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Checks again and again whether a file is still the one that was opened, at less cost than looking up its path each
/// time (Documentation/Benchmarks.md).
///
/// A descriptor is kept. It says at once when the file was written, removed or replaced by another one of its name.
/// That a folder above it was moved away shows only along the path, which is walked when the last walk is 10 ms old.
package final class FileWatch: Sendable {
    /// How long a walk along the path counts, in nanoseconds.
    package static let walkCounts: UInt64 = 10_000_000

    /// Which file is watched.
    package let place: FileIdentity.Location
    private let path: String
    private let descriptor: Int32
    private let walked: Atomic<UInt64>
    private let now: @Sendable () -> UInt64

    /// Watches what is at `path` now; `nil` when nothing is.
    ///
    /// - Parameter now: The time in nanoseconds since any moment; a test has its own.
    package init?(_ path: String, now: @escaping @Sendable () -> UInt64 = FileWatch.coarseTime) {
        #if canImport(Glibc)
        // O_PATH, which the module of the C library leaves out: the file itself is not opened.
        let descriptor = unsafe open(path, 0o10000000 | O_CLOEXEC)
        #else
        let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { return nil }
        guard let stamp = FileIdentity(descriptor: descriptor) else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
        self.now = now
        place = stamp.place
        walked = Atomic(now())
    }

    deinit { close(descriptor) }

    /// The stamp of the watched file; `nil` when it does not lie under its name any more.
    package var stamp: FileIdentity? {
        guard let stamp = FileIdentity(descriptor: descriptor) else { return nil }
        return isWalked || walk() ? stamp : nil
    }

    /// Whether the watched file lies under its name.
    ///
    /// - Parameter exactly: Walk along the path now, however short ago somebody did.
    package func isInPlace(exactly: Bool) -> Bool { exactly ? walk() : stamp != nil }

    private var isWalked: Bool { now() &- walked.load(ordering: .relaxed) < Self.walkCounts }

    private func walk() -> Bool {
        let time = now()
        guard FileIdentity(path)?.place == place else { return false }
        walked.store(time, ordering: .relaxed)
        return true
    }

    /// A clock that is read without a system call and may be one tick of the kernel late (4 ms at 250 Hz).
    package static func coarseTime() -> UInt64 {
        #if canImport(Glibc)
        let clock = CLOCK_MONOTONIC_COARSE
        #else
        let clock = CLOCK_MONOTONIC
        #endif
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
