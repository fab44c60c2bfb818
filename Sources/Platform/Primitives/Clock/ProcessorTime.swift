#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// How much work was done, whatever else the machine was busy with.
package enum ProcessorTime {
    /// The nanoseconds that processors have spent on the calling thread.
    package static var ofThread: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
