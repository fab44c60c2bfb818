import AuditDriver
import Foundation
import Testing

/// A folder that is audited may be anybody's, its git configuration included.
@Suite struct GitTests {
    private let folder = NSTemporaryDirectory() + "pavise-git-\(UInt64.random(in: .min ... .max))"

    private func shell(_ script: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", "export GIT_CONFIG_GLOBAL=/dev/null; cd '\(folder)'; " + script]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private let made = """
        git init -q; echo 'let a = 1' > a.swift; git add -A
        git -c user.name=a -c user.email=a@example.org commit -qm one
        git remote add origin https://example.org/a; echo 'let b = 2' > b.swift

        """

    @Test func `a plain folder's git is asked`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try shell(made)
        #expect(Git.run(["rev-parse", "HEAD"], in: folder)?.first?.count == 40)
        #expect(Git.run(["status", "--porcelain", "--", "."], in: folder) == ["?? b.swift"])
    }

    @Test(arguments: [
        "git config core.fsmonitor 'touch pwned;'",
        "echo '*.swift filter=x' > .gitattributes; git config filter.x.clean 'touch pwned; cat'; touch -d 2001-01-01 a.swift",
        "git config diff.external 'touch pwned;'", "git config core.hooksPath .",
        "printf '[core]\\nfsmonitor = touch pwned;\\n' > other; git config include.path ../other",
        "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor 'touch pwned;'",
        // What is missing is fetched from there, when git looks.
        "git config remote.origin.promisor true; git config remote.origin.uploadpack 'touch pwned;'",
        "git config remote.origin.partialclonefilter blob:none", "git config remote.origin.uploadpack 'touch pwned;'",
        "git config gc.recentObjectsHook 'touch pwned;'",
    ])
    func `a folder whose configuration could name a program is not asked, and runs nothing`(_ trap: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try shell(made + trap)
        try? FileManager.default.removeItem(atPath: folder + "/pwned")
        #expect(Git.run(["rev-parse", "HEAD"], in: folder) == nil)
        #expect(Git.run(["status", "--porcelain", "--", "."], in: folder) == nil)
        #expect(Git.run(["diff", "HEAD", "--"], in: folder) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder + "/pwned"))
    }

    @Test func `no hook of the folder is run, and nothing is written there`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hook = folder + "/.git/hooks/post-index-change"
        try shell(made)
        try Data("#!/bin/sh\ntouch '\(folder)/pwned'\n".utf8).write(to: URL(fileURLWithPath: hook))
        // A file whose time is another makes git look into it, and write down what it saw.
        try shell("chmod +x '\(hook)'; touch -d 2001-01-01 a.swift")
        let index = try Data(contentsOf: URL(fileURLWithPath: folder + "/.git/index"))
        #expect(Git.run(["status", "--porcelain", "--", "."], in: folder) == ["?? b.swift"])
        #expect(Git.run(["diff", "--name-only", "HEAD", "--"], in: folder) == ["a.swift"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/.git/index")) == index)
        #expect(!FileManager.default.fileExists(atPath: folder + "/pwned"))
        // Git itself runs it.
        try shell("git status --porcelain")
        #expect(FileManager.default.fileExists(atPath: folder + "/pwned"))
    }

    @Test func `a repository inside of the folder is not asked, whatever its configuration names`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let commit = "git -c user.name=a -c user.email=a@example.org commit -qm"
        let inner = """
            mkdir sub; cd sub; git init -q; echo 'let c = 3' > c.swift; git add -A; \(commit) one
            git config core.fsmonitor "touch '$PWD/../pwned';"; cd ..; git add sub; \(commit) two
            echo 'let d = 4' >> sub/c.swift; rm -f pwned
            """
        try shell(made + inner)
        #expect(Git.run(["status", "--porcelain", "--", "."], in: folder) == ["?? b.swift"])
        #expect(Git.run(["diff", "--name-only", "HEAD", "--"], in: folder) == [])
        #expect(Git.inner(of: folder) == ["sub"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/pwned"))
        // Git itself asks it, and runs what it names.
        try shell("git status --porcelain")
        #expect(FileManager.default.fileExists(atPath: folder + "/pwned"))
    }
}
