internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// SIGINT, SIGTERM and SIGHUP as an event, for a program that runs until it is stopped and has something to end first.
/// A SIGHUP that is ignored at the start (`nohup`) stays ignored.
package enum StopSignal {
    /// Suspends until one of the signals comes. From the first call on, they do not end the process by themselves.
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
