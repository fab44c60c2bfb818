internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// SIGINT and SIGTERM as an event, for a program that runs until it is stopped and has something to end first.
package enum StopSignal {
    /// Suspends until one of the two signals comes. From the first call on, they do not end the process by themselves.
    ///
    /// - Throws: When the system gives no pipe or no thread.
    package static func wait() async throws(SystemFailure) {
        let descriptor = pavise_stop_watch()
        guard descriptor >= 0 else {
            throw SystemFailure(operation: "sigaction", path: "signals", code: -descriptor)
        }
        _ = try await WorkerThread.run {
            var byte: UInt8 = 0
            while unsafe read(descriptor, &byte, 1) < 0, errno == EINTR {}
            return true
        }
    }
}
