#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file that grows over several runs of a program and gets its name when it is whole (mode 0600).
///
/// One process at a time: the kernel keeps a lock on it for as long as its writer lives.
package struct PartialFile: ~Copyable {
    private let path: String
    private let file: FileDescriptor
    /// How many bytes it holds.
    package private(set) var count: Int

    /// Opens what an earlier run left at `path`, or begins an empty file there. A symbolic link is refused.
    ///
    /// - Throws: `EWOULDBLOCK` when another process writes it.
    package static func open(_ path: String) throws(SystemFailure) -> PartialFile {
        let file = try FileDescriptor.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw SystemFailure(operation: "lock", path: path, code: errno)
        }
        let count = try file.size()
        return PartialFile(path: path, file: file, count: count)
    }

    private init(path: String, file: consuming FileDescriptor, count: Int) {
        self.path = path
        self.file = file
        self.count = count
    }

    /// Appends `bytes`.
    package mutating func append(_ bytes: Span<UInt8>) throws(SystemFailure) {
        try file.write(bytes)
        count += bytes.count
    }

    /// Forgets what it holds.
    package mutating func empty() throws(SystemFailure) {
        guard ftruncate(file.number, 0) == 0 else {
            throw SystemFailure(operation: "truncate", path: path, code: errno)
        }
        count = 0
    }

    /// Gives the file the name `target`, in place of what is there; when this returns, it is on the disk.
    package borrowing func finish(as target: String) throws(SystemFailure) {
        try file.synchronise()
        try DurableFile.move(path, to: target)
    }
}
