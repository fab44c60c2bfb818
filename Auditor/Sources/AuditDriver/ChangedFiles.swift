internal import Foundation

/// The files that git says were changed since a commit, or are new.
enum ChangedFiles {
    /// - Returns: Full paths, `nil` when git does not answer.
    static func since(_ commit: String, in folder: String) -> Set<String>? {
        guard !commit.hasPrefix("-"), let top = run(["rev-parse", "--show-toplevel"], folder)?.first,
            let changed = run(["diff", "--name-only", "-z", commit, "--"], folder),
            let new = run(["ls-files", "--others", "--exclude-standard", "--full-name", "-z"], folder)
        else { return nil }
        return Set((changed + new).map { URL(fileURLWithPath: top + "/" + $0).resolvingSymlinksInPath().path })
    }

    private static func run(_ arguments: [String], _ folder: String) -> [String]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split { $0 == "\0" || $0 == "\n" }.map(String.init)
    }
}
