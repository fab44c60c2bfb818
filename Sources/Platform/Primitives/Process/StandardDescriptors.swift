internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The three descriptors that every program starts with.
package enum StandardDescriptors {
    /// Takes the place of each that the caller has closed (`>&-`).
    ///
    /// The kernel would give its number to the next file: what is printed would go into that, and what is read would
    /// come from it. Reading or writing the stream itself still fails, with `EBADF`. Call it before any file is opened.
    ///
    /// - Throws: ``SystemFailure`` where there is no `/dev/null` to take the place with.
    package static func keepTaken() throws(SystemFailure) {
        for number in STDIN_FILENO...STDERR_FILENO where pavise_fcntl_int(number, F_GETFD, 0) == -EBADF {
            // The lowest number that is free is this one.
            let opened = unsafe pavise_open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0)
            guard opened >= 0 else { throw SystemFailure(operation: "open", path: "/dev/null", code: -opened) }
        }
    }
}
