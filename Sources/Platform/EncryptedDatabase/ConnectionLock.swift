#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// One thread at a time on a connection; the thread that is inside may enter again.
///
/// A transaction's body runs inside, so a plain mutex would wait for itself when the body uses the database directly.
@safe
final class ConnectionLock: Sendable {
    private let state: State

    // Safe to share: a POSIX mutex is made for it, its address never changes, and it is destroyed with its one owner.
    @safe
    private struct State: @unchecked Sendable {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    }

    init() {
        state = State()
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Self.recursive)
        unsafe pthread_mutex_init(state.mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(state.mutex)
        defer { unsafe pthread_mutex_unlock(state.mutex) }
        return try body()
    }

    deinit {
        unsafe pthread_mutex_destroy(state.mutex)
        unsafe state.mutex.deallocate()
    }

    private static let recursive = Int32(PTHREAD_MUTEX_RECURSIVE)
}
