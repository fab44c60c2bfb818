#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What can be done to another process.
package enum ChildProcess {
    /// Ends process `number` at once, as a crash or an empty battery would: it can neither catch nor delay it.
    package static func killAtOnce(_ number: Int32) { _ = kill(number, SIGKILL) }
}
