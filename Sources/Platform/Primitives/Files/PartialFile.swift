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

    /// Opens what an earlier run left at `path`, or begins an empty file there.
    ///
    /// Taken over is a file of this process's user with one name and for nobody else (``FileFacts/isOursAlone``).
    /// Anything else (a file of another user or with other modes, a hard or symbolic link, a pipe) may have been put
    /// there by somebody: its name is taken away, and a new file begun. Neither is followed, waited for or written to.
    ///
    /// - Throws: `EWOULDBLOCK` when another process writes it; what the system says when the name cannot be taken away.
    package static func open(_ path: String) throws(SystemFailure) -> PartialFile {
        for _ in 0..<16 {
            if let found = try existing(path) { return found }
            if let made = try new(path) { return made }
        }
        throw SystemFailure(operation: "open", path: path, code: EBUSY)
    }

    // `nil` when nothing is at the path, after what was no file of ours is gone.
    private static func existing(_ path: String) throws(SystemFailure) -> PartialFile? {
        guard let facts = try DurableFile.presence(of: path).get() else { return nil }
        guard facts.isOursAlone, let file = try opened(path), try file.facts().isOursAlone else {
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw SystemFailure(operation: "unlink", path: path, code: errno)
            }
            return nil
        }
        return try locked(file, path)
    }

    // `nil` when it went, or became something else, between two looks.
    private static func opened(_ path: String) throws(SystemFailure) -> FileDescriptor? {
        do {
            return try FileDescriptor.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
        } catch  where error.code == ENOENT || error.code == ELOOP {
            return nil
        }
    }

    // `nil` when somebody else was faster.
    private static func new(_ path: String) throws(SystemFailure) -> PartialFile? {
        do {
            let file = try FileDescriptor.open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW)
            return try locked(file, path)
        } catch  where error.code == EEXIST {
            return nil
        }
    }

    // `nil` when the process that held the lock gave the file its name meanwhile.
    private static func locked(_ file: consuming FileDescriptor, _ path: String) throws(SystemFailure) -> PartialFile? {
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw SystemFailure(operation: "lock", path: path, code: errno)
        }
        guard try isNamed(path, file.number) else { return nil }
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

    /// At most `limit` bytes from `offset` on.
    package borrowing func read(at offset: Int, upTo limit: Int) throws(SystemFailure) -> [UInt8] {
        try file.readChunk(at: offset, upTo: limit)
    }

    /// Forgets what lies behind the first `count` bytes.
    package mutating func cut(to count: Int) throws(SystemFailure) {
        guard count <= self.count else { throw SystemFailure(operation: "truncate", path: path, code: EINVAL) }
        guard ftruncate(file.number, off_t(count)) == 0 else {
            throw SystemFailure(operation: "truncate", path: path, code: errno)
        }
        self.count = count
    }

    /// Gives the file the name `target`, in place of what is there; when this returns, it is on the disk.
    ///
    /// - Throws: `ESTALE` when something else has taken the place of the file meanwhile; nothing is renamed then.
    package borrowing func finish(as target: String) throws(SystemFailure) {
        try file.synchronise()
        guard try Self.isNamed(path, file.number) else {
            throw SystemFailure(operation: "rename", path: path, code: ESTALE)
        }
        try DurableFile.move(path, to: target)
    }

    /// Takes its name away where it holds nothing: a run that received nothing leaves nothing behind.
    package borrowing func removeIfEmpty() {
        guard count == 0, (try? Self.isNamed(path, file.number)) == true else { return }
        _ = unsafe unlink(path)
    }

    // Whether the open file still has this name, itself and not through a link.
    private static func isNamed(_ path: String, _ number: Int32) throws(SystemFailure) -> Bool {
        guard let facts = try DurableFile.presence(of: path).get(), facts.isRegular else { return false }
        guard let open = FileIdentity(descriptor: number), let named = FileIdentity(path) else { return false }
        return open.place == named.place
    }
}
