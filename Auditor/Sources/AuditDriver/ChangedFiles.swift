internal import Foundation

/// The files that git says were changed since a commit, or are new.
enum ChangedFiles {
    /// - Returns: Full paths, `nil` when git does not answer, or must not be asked (``Git``).
    static func since(_ commit: String, in folder: String) -> Set<String>? {
        guard !commit.hasPrefix("-"), let top = Git.run(["rev-parse", "--show-toplevel"], in: folder)?.first,
            let changed = Git.run(["diff", "--name-only", "-z", commit, "--"], in: folder),
            let new = Git.run(["ls-files", "--others", "--exclude-standard", "--full-name", "-z"], in: folder)
        else { return nil }
        return Set((changed + new).map { URL(fileURLWithPath: top + "/" + $0).resolvingSymlinksInPath().path })
    }
}
