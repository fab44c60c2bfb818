#if canImport(Glibc)
internal import Glibc
#endif

/// Keeps SIGPIPE from ending the process.
///
/// tpm2-tss writes to its sockets without asking for an error instead of a signal. So the signal is held back on this thread
/// while it works, and one that came is taken away.
enum BrokenPipe {
    /// Runs `body` with the signal held back.
    static func silenced<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe sigpending(&pending)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        defer {
            if !wasPending {
                var none = timespec()
                _ = unsafe sigtimedwait(&pipe, nil, &none)
            }
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return try body()
    }
}
