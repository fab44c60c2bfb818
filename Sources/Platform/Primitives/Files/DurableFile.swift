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

    /// Makes `path` with this content unless it is there; when this returns, what lies there is on the disk. Of several
    /// that do so at once, one wins.
    ///
    /// - Returns: Whether this call made it. A link that leads nowhere is something, too.
    @discardableResult
    package static func writeUnlessPresent(_ bytes: Span<UInt8>, to path: String) throws(SystemFailure) -> Bool {
        let file = try UnfinishedFile(path)
        try file.write(bytes)
        return try file.finishUnlessPresent()
    }

    /// Reads all of `path`, a file of the home, or stops with `EFBIG` beyond `limit` bytes. A missing file is the
    /// failure `ENOENT`.
    ///
    /// A link is not followed, a pipe is not waited at, and a file of another user's is refused.
    /// - Parameter isSecret: Refuse a file that others may read or change, with the command that closes it.
    package static func read(_ path: String, limit: Int, isSecret: Bool = false) throws(SystemFailure) -> [UInt8] {
        try FileDescriptor.openOwn(path, O_RDONLY, isSecret: isSecret).readAll(limit: limit)
    }

    /// Reads `path` where it exists; `nil` means that there is no such file, and only that.
    package static func readIfPresent(
        _ path: String, limit: Int, isSecret: Bool = false
    ) throws(SystemFailure) -> [UInt8]? {
        do {
            return try read(path, limit: limit, isSecret: isSecret)
        } catch  where error.isNotThere {
            return nil
        }
    }

    /// Refuses a file of the home that another library opens by its name: one that is a link, no regular file, another
    /// user's, or open to others. One that is not there is fine.
    package static func checkOwn(_ path: String) throws(SystemFailure) {
        guard let problem = try presence(of: path).get()?.problem(asOwnFile: true) else { return }
        throw .refused(path, problem)
    }

    /// Removes `path`; when this returns, it stays removed. A file that is not there is fine.
    package static func remove(_ path: String) throws(SystemFailure) {
        let folder: FolderOfChange
        do { folder = try FolderOfChange(of: path) } catch  where error.isNotThere { return }
        let isGone = try FileStep.run(.remove, path) { () throws(SystemFailure) in
            guard unsafe unlink(path) != 0 else { return true }
            guard errno == ENOENT else { throw SystemFailure(operation: "remove", path: path, code: errno) }
            return false
        }
        if isGone { try folder.synchronise() }
    }

    /// Renames a file or folder within one file system, durably.
    package static func move(_ path: String, to target: String) throws(SystemFailure) {
        let from = try FolderOfChange(of: path)
        let into = try FolderOfChange(of: target)
        try rename(path, to: target)
        try into.synchronise()
        if from.path != into.path { try from.synchronise() }
    }

    static func rename(_ path: String, to target: String) throws(SystemFailure) {
        try FileStep.run(.rename, path, target: target) { () throws(SystemFailure) in
            try expectReplaceable(target)
            #if canImport(Glibc)
            let code = unsafe Glibc.rename(path, target)
            #else
            let code = unsafe Darwin.rename(path, target)
            #endif
            guard code == 0 else { throw SystemFailure(operation: "rename", path: target, code: errno) }
        }
    }

    /// Refuses to put a file in the place of a device, a pipe or a socket, or of a link to one: an administrator's
    /// `--output /dev/null` would leave a plain file there for every program of the machine.
    static func expectReplaceable(_ path: String) throws(SystemFailure) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return }
        // What a process has open is named by links too, of which `/dev/stdout` is one.
        if facts.st_mode & S_IFMT == S_IFLNK {
            guard !leadsIntoProcess(path) else { throw .refused(path, .device) }
            guard unsafe stat(path, &facts) == 0 else { return }
        }
        let kind = Folder.Kind(facts)
        if kind == .other { throw .refused(path, .device) }
    }

    private static func leadsIntoProcess(_ link: String) -> Bool {
        let start = "/proc/".utf8.map { CChar($0) }
        var text = [CChar](repeating: 0, count: start.count)
        return unsafe readlink(link, &text, text.count) == start.count && text == start
    }

    /// Makes `path` and its missing parents, each for the owner alone (0700).
    package static func makeDirectory(_ path: String) throws(SystemFailure) {
        switch try make(path) {
        case 0: try synchroniseDirectory(of: path)
        case EEXIST:
            guard isDirectory(path) else { throw SystemFailure(operation: "mkdir", path: path, code: ENOTDIR) }
        default:
            let parent = directory(of: path)
            guard parent != path else { throw SystemFailure(operation: "mkdir", path: path, code: ENOENT) }
            try makeDirectory(parent)
            guard try make(path) != ENOENT else { throw SystemFailure(operation: "mkdir", path: path, code: ENOENT) }
            try synchroniseDirectory(of: path)
        }
    }

    // 0, EEXIST or ENOENT; every other number is a failure.
    private static func make(_ path: String) throws(SystemFailure) -> Int32 {
        try FileStep.run(.makeFolder, path) { () throws(SystemFailure) in
            guard unsafe mkdir(path, 0o700) != 0 else { return 0 }
            guard [EEXIST, ENOENT].contains(errno) else {
                throw SystemFailure(operation: "mkdir", path: path, code: errno)
            }
            return errno
        }
    }

    /// Whether something may be at `path`, so that nobody makes anything there; a link is followed. A disk or a folder
    /// that does not tell counts as yes.
    ///
    /// This is no proof that something is there: what deletes or erases asks ``presence(of:)`` or ``mark(_:limit:)``.
    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
    }

    /// Makes the names inside the folder of `path` durable.
    package static func synchroniseDirectory(of path: String) throws(SystemFailure) {
        try FolderOfChange(of: path).synchronise()
    }

    /// The folder that holds `path`: `a/b` gives `a`, `b` gives `.`.
    package static func directory(of path: String) -> String {
        // By bytes: a name may begin with a letter that joins with the slash before it.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // What ``directory(of:)`` leaves.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The folder of a name that is about to change, open before it does: what can fail after the change is the sync alone,
/// and a failure before it leaves the old state.
struct FolderOfChange: ~Copyable {
    let path: String
    private let file: FileDescriptor

    /// Opens the folder that holds `name`.
    init(of name: String) throws(SystemFailure) {
        path = DurableFile.directory(of: name)
        file = try FileDescriptor.openUnobserved(path, O_RDONLY | O_DIRECTORY)
    }

    /// Makes the names inside durable.
    borrowing func synchronise() throws(SystemFailure) {
        try FileStep.run(.synchroniseFolder, path) { () throws(SystemFailure) in try file.flush() }
    }
}
