internal import Foundation

/// The files that git says were changed since a commit, or are new.
struct ChangedFiles {
    private let top: String
    private let files: Set<String>
    /// Repositories inside of this one: git names them, and is not asked what lies in them.
    private let folders: [String]

    /// `nil` when git does not answer, or must not be asked (``Git``).
    init?(since commit: String, in folder: String) {
        // Asked from its top on: elsewhere git leaves out what is new in other folders, and may shorten names.
        guard !commit.hasPrefix("-"), let top = Git.run(["rev-parse", "--show-toplevel"], in: folder)?.first,
            // The index against the commit, and the files against the index: of both at once git says too much of a file
            // whose time alone is another, where it may not write that down.
            let staged = Git.run(["diff", "--cached", "--name-only", "--no-renames", "-z", commit, "--"], in: top),
            let status = Git.run(["status", "--porcelain", "--no-renames", "--untracked-files=no", "-z"], in: top),
            let new = Git.run(["ls-files", "--others", "--exclude-standard", "-z"], in: top),
            let inner = Git.inner(of: top)
        else { return nil }
        let changed = staged + status.map { String($0.dropFirst(3)) }
        let all = (changed + new + inner).map { Self.full(top + "/" + $0) }
        self.top = Self.full(top) + "/"
        files = Set(all)
        folders = all.filter(Self.isFolder).map { $0 + "/" }
    }

    /// Whether the file lies in the repository that was asked.
    func holds(_ path: String) -> Bool { Self.full(path).hasPrefix(top) }

    /// Whether the file was changed, or is new.
    func contains(_ path: String) -> Bool {
        let path = Self.full(path)
        return files.contains(path) || folders.contains(where: path.hasPrefix)
    }

    private static func full(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
