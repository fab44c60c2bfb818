#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A value that one thread changes and other threads wait for.
///
/// For code that blocks its own thread: the loopback listener and the lab. Async code uses actors.
@safe
package final class Monitor<State: Sendable>: Sendable {
    // Safe to share: made for several threads, on the heap because it may never move, and freed with the monitor.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Safe to share: as the mutex.
    private nonisolated(unsafe) let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Safe to share: read and written only between lock and unlock of `mutex`.
    private nonisolated(unsafe) var state: State

    /// Starts with `state`.
    package init(_ state: State) {
        unsafe self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        unsafe Self.initialise(changed)
    }

    /// Reads or changes the value under the lock, then wakes everybody who waits. `body` must not block.
    @discardableResult
    package func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe body(&state)
    }

    /// A copy of the value.
    package var value: State {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe state
    }

    /// Blocks the thread until `condition` holds, at most `milliseconds` long.
    ///
    /// - Returns: Whether it holds.
    package func wait(within milliseconds: Int64, until condition: (State) -> Bool) -> Bool {
        let deadline = Self.now() + milliseconds
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while unsafe !condition(state) {
            let left = deadline - Self.now()
            guard left > 0 else { return false }
            unsafe Self.sleep(changed, mutex, milliseconds: left)
        }
        return true
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    #if canImport(Glibc)
    private static func initialise(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    private static func sleep(
        _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
        milliseconds: Int64
    ) {
        let end = now() + milliseconds
        var time = timespec(tv_sec: Int(end / 1000), tv_nsec: Int(end % 1000) * 1_000_000)
        _ = unsafe pthread_cond_timedwait(condition, mutex, &time)
    }
    #else
    private static func initialise(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
        unsafe pthread_cond_init(condition, nil)
    }

    private static func sleep(
        _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
        milliseconds: Int64
    ) {
        var time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
        _ = unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    }
    #endif
}
