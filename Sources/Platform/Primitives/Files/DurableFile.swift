#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Files that are whole or not there, for their owner alone.
///
/// A write goes to a new file (mode 0600), which is synced, renamed over the old one, and made findable by syncing
/// the directory. A crash, a kill or a full disk at any step leaves the old content or the new one.
package enum DurableFile {
    /// Replaces the content of `path`; when this returns, it is on the disk.
    ///
    /// A symbolic link at `path` is replaced, not followed.
    package static func write(_ bytes: Span<UInt8>, to path: String) throws(SystemFailure) {
        var file = try UnfinishedFile(path)
        try file.write(bytes)
        try file.finish()
    }

    /// Makes `path` with this content unless it is there; when this returns, what lies there is on the disk. Of several that do so
    /// at once, one wins.
    package static func writeUnlessPresent(_ bytes: Span<UInt8>, to path: String) throws(SystemFailure) {
        let file = try UnfinishedFile(path)
        try file.write(bytes)
        try file.finishUnlessPresent()
    }

    /// Reads all of `path`, or stops with `EFBIG` beyond `limit` bytes. A missing file is the failure `ENOENT`.
    package static func read(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
        try FileDescriptor.open(path, O_RDONLY).readAll(limit: limit)
    }

    /// Reads `path` where it exists; `nil` means that there is no such file, and only that.
    package static func readIfPresent(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        do {
            return try read(path, limit: limit)
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Removes `path`; when this returns, it stays removed. A file that is not there is fine.
    package static func remove(_ path: String) throws(SystemFailure) {
        guard unsafe unlink(path) == 0 else {
            guard errno == ENOENT else { throw SystemFailure(operation: "remove", path: path, code: errno) }
            return
        }
        try synchroniseDirectory(of: path)
    }

    /// Renames a file or folder within one file system, durably.
    package static func move(_ path: String, to target: String) throws(SystemFailure) {
        guard unsafe rename(path, target) == 0 else {
            throw SystemFailure(operation: "rename", path: path, code: errno)
        }
        try synchroniseDirectory(of: target)
        try synchroniseDirectory(of: path)
    }

    /// Makes `path` and its missing parents, each for the owner alone (0700).
    package static func makeDirectory(_ path: String) throws(SystemFailure) {
        guard unsafe mkdir(path, 0o700) != 0 else { return try synchroniseDirectory(of: path) }
        switch errno {
        case EEXIST:
            guard isDirectory(path) else { throw SystemFailure(operation: "mkdir", path: path, code: ENOTDIR) }
        case ENOENT:
            let parent = directory(of: path)
            guard parent != path else { throw SystemFailure(operation: "mkdir", path: path, code: ENOENT) }
            try makeDirectory(parent)
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw SystemFailure(operation: "mkdir", path: path, code: errno)
            }
            try synchroniseDirectory(of: path)
        case let code:
            throw SystemFailure(operation: "mkdir", path: path, code: code)
        }
    }

    /// Whether something is at `path`; a link is followed. A disk or a folder that does not tell counts as yes, so that
    /// nobody takes the place of what is there.
    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
    }

    /// Makes the names inside the folder of `path` durable.
    package static func synchroniseDirectory(of path: String) throws(SystemFailure) {
        try FileDescriptor.open(directory(of: path), O_RDONLY | O_DIRECTORY).synchronise()
    }

    /// The folder that holds `path`: `a/b` gives `a`, `b` gives `.`.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
