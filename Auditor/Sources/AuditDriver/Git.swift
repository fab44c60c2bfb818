internal import Foundation

/// What git says about a folder that may be anybody's.
///
/// A folder's own configuration can name programs that git runs while it only looks (file-system monitors, filters,
/// helpers of comparison). Such a folder is not asked about: its answer would be its maker's program.
package enum Git {
    // Settings that name no program, and how a name may begin. Everything else, also what is not known yet, is left.
    private static let plain: Set<String> = [
        "core.repositoryformatversion", "core.filemode", "core.bare", "core.logallrefupdates", "core.ignorecase",
        "core.precomposeunicode", "core.symlinks", "core.autocrlf", "core.eol", "core.safecrlf", "gc.auto",
    ]
    private static let plainBeginnings = ["branch.", "user.", "pull.", "push.", "init."]
    // Of a remote, what it is called. Another setting has git fetch what is missing, by a program that a third one names.
    private static let plainEndings = [".url", ".pushurl", ".fetch", ".tagopt"]

    /// The lines, or parts ended by NUL, of git's answer; `nil` when git does not answer, or must not be asked.
    package static func run(_ arguments: [String], in folder: String) -> [String]? {
        guard let names = answer(["config", "--local", "--name-only", "--list", "-z"], folder),
            names.allSatisfy(isPlain)
        else { return nil }
        // A repository inside of this one has a configuration of its own. Only its commit is looked at.
        var arguments = arguments
        if let first = arguments.first, ["diff", "status"].contains(first) {
            arguments.insert("--ignore-submodules=dirty", at: 1)
        }
        return answer(arguments, folder)
    }

    /// The repositories inside of the folder that its own has in the index, named from its top on.
    package static func inner(of folder: String) -> [String]? {
        run(["ls-files", "--stage", "--full-name", "-z"], in: folder)?.filter { $0.hasPrefix("160000 ") }
            .compactMap { $0.split(separator: "\t", maxSplits: 1).last.map(String.init) }
    }

    private static func isPlain(_ name: String) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("remote.") { return plainEndings.contains { name.hasSuffix($0) } }
        return plain.contains(name) || plainBeginnings.contains { name.hasPrefix($0) }
    }

    // No hook of the folder is run, and git writes nothing there: it would write what it saw into its index, and then
    // run the hook that is told of that.
    private static let quiet = [
        "--no-optional-locks", "-c", "diff.autoRefreshIndex=false", "-c", "core.hooksPath=/dev/null",
    ]

    private static func answer(_ arguments: [String], _ folder: String) -> [String]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + quiet + ["-C", folder] + arguments
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
