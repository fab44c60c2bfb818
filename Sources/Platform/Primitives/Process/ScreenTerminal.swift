internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The terminal while it shows what must not stay on it: keys come as they are typed, and nothing is shown but what is
/// written here.
///
/// A signal that ends or stops the process (Ctrl-C, Ctrl-Z, a closed window), or a trap in it, leaves the screen first.
/// SIGKILL and SIGSTOP cannot be heard. One at a time.
package final class ScreenTerminal: Sendable {
    /// What ``next()`` waited for.
    package enum Event: Hashable, Sendable {
        /// Keys, pasted text, and what the terminal tells of itself.
        case typed([UInt8])
        /// The process was stopped, the screen left, and both go on.
        case continued
        /// The terminal is gone.
        case ended
    }

    private let descriptor: FileDescriptor

    private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Begins on the process's terminal.
    ///
    /// - Parameters:
    ///   - path: The terminal.
    ///   - enter: Written now, and when the process goes on after a stop; at most 64 bytes.
    ///   - leave: Written at the end, and before a signal stops or ends the process; at most 64 bytes.
    ///   - forgetsTyped: Whether what was typed before is dropped: the terminal has shown it.
    package static func begin(
        _ path: String = "/dev/tty", enter: String, leave: String, forgetsTyped: Bool = false
    ) throws(SystemFailure) -> ScreenTerminal {
        let descriptor = try FileDescriptor.open(path, O_RDWR)
        let (entering, leaving) = (Array(enter.utf8), Array(leave.utf8))
        let number = descriptor.number
        let code = unsafe entering.withUnsafeBufferPointer { enter in
            unsafe leaving.withUnsafeBufferPointer { leave in
                unsafe pavise_screen_begin(
                    number, enter.baseAddress, enter.count, leave.baseAddress, leave.count, forgetsTyped ? 1 : 0)
            }
        }
        guard code == 0 else { throw SystemFailure(operation: "tcsetattr", path: path, code: code) }
        return ScreenTerminal(descriptor)
    }

    deinit { pavise_screen_end() }

    /// Waits for what happens next, and reads what was typed.
    package func next() throws(SystemFailure) -> Event {
        guard try wait() == .typed else { return .continued }
        let typed = typed()
        return typed.isEmpty ? .ended : .typed(typed)
    }

    /// What ``wait()`` waited for.
    package enum Waited: Hashable, Sendable {
        /// ``ScreenTerminal/typed()`` has something, or the terminal is gone.
        case typed
        /// The process was stopped, the screen left, and both go on.
        case continued
    }

    /// Waits for what happens next, and leaves to the caller what was typed.
    package func wait() throws(SystemFailure) -> Waited {
        let found = pavise_screen_wait()
        guard found >= 0 else { throw SystemFailure(operation: "poll", path: "terminal", code: -found) }
        return found == pavise_screen_typed ? .typed : .continued
    }

    /// What was typed, of at most 4096 bytes, for one owner who wipes it. Empty where the terminal is gone: one that
    /// was closed has an error to read, not an end.
    package func typed() -> [UInt8] { (try? descriptor.readChunk(upTo: 4096)) ?? [] }

    /// Whether more was typed, or is within `milliseconds`.
    package func hasMore(within milliseconds: Int32) -> Bool { pavise_screen_has_more(milliseconds) == 1 }

    /// Writes to the screen. A terminal that is gone takes nothing, and ``next()`` says so.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBufferPointer { unsafe pavise_screen_write($0.baseAddress, $0.count) }
    }

    /// How many rows and columns there are; 24 and 80 where the terminal does not tell.
    package var size: (rows: Int, columns: Int) {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard unsafe pavise_screen_size(descriptor.number, &rows, &columns) == 0, rows > 1, columns > 1 else {
            return (24, 80)
        }
        return (Int(rows), Int(columns))
    }
}
