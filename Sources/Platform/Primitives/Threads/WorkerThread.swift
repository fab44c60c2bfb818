#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A thread of its own, for work that blocks and so has no place among Swift's few shared threads.
package enum WorkerThread {
    /// Runs `work` on a new thread with `stack` bytes of stack; the thread cleans up after itself.
    ///
    /// - Throws: `EAGAIN` when the system gives no more threads; `work` does not run then.
    package static func start(stack: Int = 1 << 20, _ work: @escaping @Sendable () -> Void) throws(SystemFailure) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stack)
        unsafe pthread_attr_setdetachstate(&attributes, detached)
        let box = unsafe Unmanaged.passRetained(Box(work))
        let status = unsafe create(&attributes, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            throw SystemFailure(operation: "pthread_create", path: "thread", code: status)
        }
    }

    /// Runs `work` on a thread of its own and suspends the caller until it is done.
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws(SystemFailure)
        -> Result
    {
        let outcome: Swift.Result<Result, SystemFailure> = await withCheckedContinuation { continuation in
            do throws(SystemFailure) {
                try start { continuation.resume(returning: .success(work())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try outcome.get()
    }

    private final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    #if canImport(Glibc)
    private static let detached = Int32(PTHREAD_CREATE_DETACHED)
    private static func create(_ attributes: UnsafePointer<pthread_attr_t>, _ box: UnsafeMutableRawPointer) -> Int32 {
        var thread = pthread_t()
        return unsafe pthread_create(
            &thread, attributes,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work()
                return nil
            }, box)
    }
    #else
    private static let detached = PTHREAD_CREATE_DETACHED
    private static func create(_ attributes: UnsafePointer<pthread_attr_t>, _ box: UnsafeMutableRawPointer) -> Int32 {
        var thread: pthread_t?
        return unsafe pthread_create(
            &thread, attributes,
            { box in
                unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work()
                return nil
            }, box)
    }
    #endif
}
