internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Files that a person or the system names, and that are not of the home: links are followed, and a pipe gives what is
/// written to it.
package enum InputFile {
    /// Opens `path` for reading; `-` is standard input, whatever that is: `/dev/stdin` cannot be opened where it is a
    /// socket, or another user's.
    package static func open(_ path: String) throws(SystemFailure) -> FileDescriptor {
        guard path == "-" else { return try FileDescriptor.open(path, O_RDONLY) }
        // A copy: its number stays taken, and whoever asks for a secret afterwards finds the end of the input.
        let number = pavise_fcntl_int(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard number >= 0 else { throw SystemFailure(operation: "open", path: "standard input", code: -number) }
        return FileDescriptor(owning: number, path: "standard input")
    }

    /// Reads all of `path`, or stops with `EFBIG` beyond `limit` bytes. A missing file is the failure `ENOENT`.
    package static func read(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
        try FileDescriptor.open(path, O_RDONLY).readAll(limit: limit)
    }

    /// Reads `path` where it exists; `nil` means that there is no such file, and only that.
    package static func readIfPresent(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        do {
            return try read(path, limit: limit)
        } catch  where error.isNotThere {
            return nil
        }
    }
}
