internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// SIGINT, SIGTERM, SIGQUIT, SIGHUP and SIGPIPE as an event, for a program that runs until it is stopped and has
/// something to end first. Of the last three, what is ignored at the start (`nohup`) stays ignored.
package enum StopSignal {
    // A service's end and Ctrl-C are meant, whoever started us. Who starts us with nohup wants us to go on when the
    // terminal is closed.
    private static let meant = [SIGINT, SIGTERM]
    private static let unlessIgnored = [
        SIGHUP,  // The terminal was closed.
        SIGQUIT,
        SIGPIPE,  // Nobody reads any more.
    ]

    /// From the first call on, the signals do not end the process by themselves: the next ``wait()`` sees those that
    /// came in between.
    ///
    /// - Throws: When the system gives no pipe.
    package static func listen() throws(SystemFailure) { _ = try listening() }

    /// Suspends until one of the signals comes, or has come since ``listen()``.
    ///
    /// - Throws: When the system gives no pipe or no thread.
    package static func wait() async throws(SystemFailure) {
        let descriptor = try listening()
        _ = try await WorkerThread.run {
            var byte: UInt8 = 0
            while unsafe read(descriptor, &byte, 1) < 0, errno == EINTR {}
            return true
        }
    }

    /// Whether one of the signals has come since ``listen()``, and no ``wait()`` saw it. Does not wait.
    package static var hasCome: Bool {
        // Where nobody listens nothing is ever to be read.
        var watched = pollfd(fd: pavise_stop_watch(), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, 0) > 0
    }

    private static func listening() throws(SystemFailure) -> Int32 {
        let descriptor = pavise_stop_watch()
        guard descriptor >= 0 else {
            throw SystemFailure(operation: "sigaction", path: "signals", code: -descriptor)
        }
        for (numbers, evenIgnored) in [(meant, 1), (unlessIgnored, 0)] as [([Int32], Int32)] {
            for number in numbers {
                let code = pavise_stop_at(number, evenIgnored)
                guard code == 0 else { throw SystemFailure(operation: "sigaction", path: "signals", code: -code) }
            }
        }
        return descriptor
    }
}
