#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What is on its way to becoming a file: its names, its locks, and the removal of what nobody will finish.
package enum Unfinished {
    // A sweep can come between the making of a file and its lock, but hardly twice.
    static let tries = 16
    private static let ending = ".new"
    // How many bytes of the target's name stand in it: a name has 255, and what follows here up to 32.
    private static let longestStem = 200

    /// A name beside `target` that nobody has: the process, for people, and 64 random bits.
    static func name(for target: String) -> String {
        let random = UInt64.random(in: .min ... .max)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: random >> UInt64(8 * $0)) }
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { target.utf8.index(after: $0) } ?? target.startIndex
        return "\(target[..<start])\(stem(target[start...])).\(getpid()).\(Hex.encode(bytes))\(ending)"
    }

    private static func stem(_ name: Substring) -> String { cut(name, to: longestStem) }

    /// The beginning of a name that has at most `limit` bytes of UTF-8.
    ///
    /// By scalars: a letter with its marks may be longer than all that is left, and nothing would be left of the name.
    package static func cut(_ name: some StringProtocol, to limit: Int) -> String {
        var short = Substring(name).unicodeScalars
        while short.reduce(0, { $0 + UTF8.width($1) }) > limit { short.removeLast() }
        return String(short)
    }

    /// Removes from `folder` what was begun by processes that do not live any more. Whatever cannot be removed stays.
    ///
    /// What a living process writes is locked and stays, wherever that process runs: another container too. Where the
    /// file system has no locks, everything stays.
    /// - Returns: How many files and folders were removed.
    @discardableResult
    package static func sweep(_ folder: String) -> Int { sweep(folder) { _ in true } }

    /// The same for what was to become `target`, and nothing else.
    @discardableResult
    package static func sweep(for target: String) -> Int {
        let start = stem(target.split(separator: "/").last ?? "") + "."
        return sweep(DurableFile.directory(of: target)) { $0.hasPrefix(start) }
    }

    private static func sweep(_ folder: String, _ isMeant: (String) -> Bool) -> Int {
        guard let names = try? Folder.names(in: folder) else { return 0 }
        return names.count { isUnfinished($0) && isMeant($0) && remove("\(folder)/\($0)") }
    }

    /// Whether a name is one that something unfinished has.
    package static func isUnfinished(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, name.hasSuffix(ending) else { return false }
        let random = parts[parts.count - 2]
        let process = parts[parts.count - 3]
        return random.utf8.count == 16 && Hex.decode(String(random)) != nil && UInt32(process) != nil
    }

    private static func remove(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return false }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_uid == geteuid(), lock(file.number) == 0 else {
            return false
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return unsafe unlink(path) == 0
        case S_IFDIR: return (try? Folder.remove(path)) != nil
        default: return false
        }
    }

    /// Locks what was just made; `false` when a sweep took it first, and it is not to be used.
    static func isOurs(_ path: String, _ number: Int32) -> Bool {
        // Without locks there are no sweeps either.
        guard lock(number) != EWOULDBLOCK else { return false }
        return unsafe access(path, F_OK) == 0
    }

    private static func lock(_ number: Int32) -> Int32 {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }
}
