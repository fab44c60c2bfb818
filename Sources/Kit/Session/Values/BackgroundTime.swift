#if os(Linux)
/// Time in which the system does not suspend the process. Nothing suspends one here, so there is nothing to ask for; a
/// lock of a process that a person stops (`SIGSTOP`) is waited for with a bound.
enum BackgroundTime {
    static let begin: @Sendable () -> @Sendable () -> Void = { {} }
}
#endif
