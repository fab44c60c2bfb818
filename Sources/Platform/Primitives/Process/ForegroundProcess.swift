#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A program that works in this one's place: with the same streams, and in the same group of processes, so that what a
/// person types to stop one stops both.
///
/// It inherits nothing else that is open: a lock of a file, a server, a secret's memory file.
///
/// `Process` of Foundation begins a group for its child: Ctrl-C ends the parent, and the child goes on unseen.
package enum ForegroundProcess {
    /// Runs the program at `path`, and waits for its end.
    ///
    /// - Parameter environment: All variables that it gets.
    /// - Returns: Its exit status; `nil` when a signal ended it.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemFailure) -> Int32? {
        let child = try ProgramStart.spawn(
            path, arguments, streams: [.inherited, .inherited, .inherited], environment: environment)
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemFailure(operation: "wait", path: path, code: errno) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
