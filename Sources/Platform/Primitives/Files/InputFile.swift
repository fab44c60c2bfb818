#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Files that a person or the system names, and that are not of the home: links are followed, and a pipe gives what is
/// written to it.
package enum InputFile {
    /// Opens `path` for reading; `-` is standard input.
    package static func open(_ path: String) throws(SystemFailure) -> FileDescriptor {
        path == "-"
            ? FileDescriptor(owning: STDIN_FILENO, path: "standard input") : try FileDescriptor.open(path, O_RDONLY)
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
