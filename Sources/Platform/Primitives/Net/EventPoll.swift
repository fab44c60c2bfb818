internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Waits for many sockets at once, and can be woken by another thread. Linux only (epoll and eventfd).
///
/// One thread waits and watches; any thread may ``wake()``.
package final class EventPoll: Sendable {
    /// What a socket is ready for, and what to wait for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Reading, writing, both or neither.
        package init(read: Bool, write: Bool) {
            rawValue = (read ? Self.read.rawValue : 0) | (write ? Self.write.rawValue : 0)
        }

        /// Bytes or the end of the stream can be read.
        package static let read = Readiness(rawValue: UInt32(pavise_ready_read))
        /// Bytes can be written.
        package static let write = Readiness(rawValue: UInt32(pavise_ready_write))
        /// The socket is broken. Reported without being asked for.
        package static let error = Readiness(rawValue: UInt32(pavise_ready_error))
    }

    private let poll: Int32
    private let wakeup: Int32

    /// An empty set.
    package init() throws(SystemFailure) {
        poll = pavise_poll_create()
        guard poll >= 0 else { throw SystemFailure(operation: "epoll_create1", path: "", code: -poll) }
        wakeup = pavise_wakeup_create()
        // From here on a failure runs `deinit`, which closes what there is.
        guard wakeup >= 0 else { throw SystemFailure(operation: "eventfd", path: "", code: -wakeup) }
        let code = pavise_poll_set(poll, wakeup, Readiness.read.rawValue, .max, 1)
        guard code == 0 else { throw SystemFailure(operation: "epoll_ctl", path: "", code: -code) }
    }

    deinit {
        _ = close(poll)
        if wakeup >= 0 { _ = close(wakeup) }
    }

    /// Waits for `socket` under `key` from now on.
    ///
    /// - Parameters:
    ///   - key: Anything but the greatest number, which is the set's own.
    ///   - isNew: Whether the socket is probably not watched yet; a wrong guess costs a system call, nothing more.
    /// - Throws: What the kernel says: `ENOSPC` or `ENOMEM` where it watches no more. Nobody is woken for the socket
    ///   then.
    package func watch(_ socket: Int32, for what: Readiness, key: UInt64, isNew: Bool = false) throws(SystemFailure) {
        let code = pavise_poll_set(poll, socket, what.rawValue, key, isNew ? 1 : 0)
        guard code == 0 else { throw SystemFailure(operation: "epoll_ctl", path: "", code: -code) }
    }

    /// Waits for `socket` no more. One that is not watched, or closed already, is no failure.
    package func forget(_ socket: Int32) { _ = pavise_poll_set(poll, socket, 0, 0, 0) }

    /// Lets the waiting thread go on at once, or the next time it waits.
    package func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeup, &one, 8)
    }

    /// Waits at most `nanoseconds` for one socket that is not in the set, and no longer than until somebody calls
    /// ``wake()``.
    ///
    /// - Returns: What the socket is ready for; `nil` when the time is over or the set was woken.
    package func wait(for socket: Int32, _ what: Readiness, nanoseconds: Int64) -> Readiness? {
        let ready = pavise_wait_for_socket(socket, what.rawValue, wakeup, Int(clamping: nanoseconds))
        return ready > 0 ? Readiness(rawValue: UInt32(ready)) : nil
    }

    /// Waits at most `milliseconds` (a negative number: for ever) and calls `body` for each socket that is ready.
    ///
    /// - Returns: Whether a socket is ready or somebody called ``wake()``; `false` when the time is over.
    @discardableResult
    package func wait(milliseconds: Int32, _ body: (_ key: UInt64, _ what: Readiness) -> Void) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: pavise_ready.self, capacity: 64) { answers in
            let count = unsafe pavise_poll_wait(poll, answers.baseAddress, 64, milliseconds)
            for index in 0..<Int(max(0, count)) {
                let answer = unsafe answers[index]
                guard answer.key == .max else {
                    body(answer.key, Readiness(rawValue: answer.what))
                    continue
                }
                var counter: UInt64 = 0
                _ = unsafe read(wakeup, &counter, 8)
            }
            return count > 0
        }
    }
}
