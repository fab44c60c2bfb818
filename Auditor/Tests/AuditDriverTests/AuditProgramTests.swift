import Foundation
import Testing

/// The auditor as it is run: how it ends, and what it looks at.
@Suite struct AuditProgramTests {
    private static let leak = "func f(password: String) { print(password) }\n"
    private static let note = "func next(token: String) { print(token) }\n"
    private static let warning = "let pinCode = \"tenzing\"\n"

    private func folder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "program-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path + "/empty", withIntermediateDirectories: true)
        try body(path)
    }

    private func write(_ text: String, _ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Runs a program to its end. Nobody's configuration of git is read but that of the folder.
    private func run(_ program: String, _ words: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }.merging([
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": URL(fileURLWithPath: NSTemporaryDirectory()).path,
        ]) { $1 }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    private func audit(_ words: [String]) throws -> (status: Int32, output: String) {
        try run(try #require(FolderTests.worker.first), words)
    }

    static let ends: [(String, [String], Int32)] = [
        ("let a = 1\n", [], 0), (leak, [], 1), (leak, ["--fail-on", "error"], 1), (warning, [], 1),
        (warning, ["--fail-on", "error"], 0), (note, [], 0), (note, ["--fail-on", "note"], 1),
        ("func f(password: String) { print(password) } // pavise:ignore LOG-SENSITIVE shown to nobody\n", [], 0),
        ("let = \n", [], 1), ("let = \n", ["--fail-on", "error"], 1),
    ]

    @Test(arguments: ends)
    func `the status is 1 for a finding at the limit and for a file that was not analysed, else 0`(
        _ source: String, _ words: [String], _ status: Int32
    ) throws {
        try folder { path in
            try write(source, path + "/app/A.swift")
            let ended = try audit(words + [path + "/app"])
            #expect(ended.status == status)
            #expect(ended.output.contains("1 files"))
        }
    }

    @Test func `a finding of the baseline does not decide, and one that is new does`() throws {
        try folder { path in
            try write(Self.leak, path + "/app/A.swift")
            let first = try audit(["--json", path + "/app"])
            let report = try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
            let findings = try #require(report?["findings"] as? [[String: Any]])
            let known = findings.compactMap { $0["identity"] as? String }
            try write(known.joined(separator: "\n") + "\n", path + "/known")
            #expect(first.status == 1 && !known.isEmpty)
            #expect(try audit(["--baseline", path + "/known", path + "/app"]).status == 0)
            // As a checkout on Windows, or an editor there, writes its lines.
            try write(known.joined(separator: "\r\n") + "\r\n", path + "/known")
            #expect(try audit(["--baseline", path + "/known", path + "/app"]).status == 0)
            try write("func g(accessToken: String) { print(accessToken) }\n", path + "/app/B.swift")
            #expect(try audit(["--baseline", path + "/known", path + "/app"]).status == 1)
        }
    }

    static let slips: [[String]] = [
        [], ["--nothing", "FOLDER/app"], ["FOLDER/app", "--output"], ["FOLDER/app", "--baseline"],
        ["FOLDER/app", "--cache"], ["FOLDER/app", "--changed-since"], ["FOLDER/app", "--jobs"],
        ["FOLDER/app", "--jobs", "0"], ["FOLDER/app", "--jobs", "two"], ["FOLDER/app", "--fail-on"],
        ["FOLDER/app", "--fail-on", "all"], ["FOLDER/nowhere"], ["FOLDER/app", "FOLDER/nowhere"], ["FOLDER/empty"],
        ["FOLDER/app", "--baseline", "FOLDER/nowhere"], ["FOLDER/app", "--output", "FOLDER/empty"],
        ["FOLDER/app", "--output", "FOLDER/nowhere/a"], ["FOLDER/app", "--changed-since", "HEAD"],
        ["explain"], ["explain", "LOG-NOTHING"],
    ]

    @Test(arguments: slips)
    func `wrong usage ends with 2, and says nothing of the sources`(_ words: [String]) throws {
        try folder { path in
            try write(Self.leak, path + "/app/A.swift")
            let ended = try audit(words.map { $0.replacing("FOLDER", with: path) })
            #expect(ended.status == 2 && ended.output.isEmpty)
        }
    }

    /// What a person reads: both of its streams.
    private func said(_ words: [String]) throws -> String {
        let program = try #require(FolderTests.worker.first)
        return try run("/bin/sh", ["-c", "\"$0\" \"$@\" 2>&1", program] + words).output
    }

    @Test func `how it is used is told where the words are wrong, and not where what they name is`() throws {
        try folder { path in
            try write(Self.leak, path + "/app/A.swift")
            for words in [[], ["--nothing", path], ["--help"]] {
                #expect(try said(words).contains("usage: pavise-audit"), "\(words)")
            }
            let named = [
                [path + "/nowhere"], [path + "/app", "--output", path + "/empty"],
                [path + "/app", "--baseline", path + "/nowhere"], ["explain", "kdf-week"],
            ]
            for words in named { #expect(try !said(words).contains("usage:"), "\(words)") }
            #expect(try audit(["--help"]).status == 0)
            #expect(try said(["explain", "kdf-week"]).contains("Did you mean “KDF-WEAK”?"))
            #expect(try !said(["explain", "NOTHING-LIKE-IT"]).contains("Did you mean"))
        }
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            let file: String
            let rule: String
        }
        let files: Int
        let findings: [Finding]
        let partial: Bool
        let notAnalysed: [String: String]

        /// The files with a leak.
        var told: [String] { findings.filter { $0.rule == "LOG-SENSITIVE" }.map(\.file) }
    }

    private func report(_ words: [String]) throws -> (status: Int32, report: Report) {
        let ended = try audit(["--json"] + words)
        return (ended.status, try JSONDecoder().decode(Report.self, from: Data(ended.output.utf8)))
    }

    private static let save =
        "save() { git add -A; git -c user.name=a -c user.email=a@example.org commit -qm \"$1\"; }"

    /// A repository of two commits, an app in a folder of it. Each file leaks; of `Old.swift` the time alone is another.
    private func repository(_ path: String, _ more: String = "") throws {
        let leak = Self.leak.dropLast()
        let script = """
            cd '\(path)'; mkdir -p app/Sources; echo ignored.swift > .gitignore; git init -q
            \(Self.save)
            for name in Old Second Changed Staged Gone Moved; do echo '\(leak)' > app/Sources/$name.swift; done
            save one
            echo '// more' >> app/Sources/Second.swift; save two
            cd app/Sources; echo '// more' >> Changed.swift
            echo '// more' >> Staged.swift; git add Staged.swift
            touch -d 2001-01-01 Old.swift; rm Gone.swift; git mv Moved.swift 'Größe 1.swift'
            mkdir ../Kit; for name in New ignored ../Top ../Kit/Inner ../../Outside; do echo '\(leak)' > $name.swift; done
            cd '\(path)'; \(more)
            """
        #expect(try run("/bin/sh", ["-ec", script]).status == 0)
    }

    @Test func `what was changed since a commit or is new is looked at, and nothing else`() throws {
        try folder { path in
            try repository(path)
            let now = try report(["--changed-since", "HEAD", path + "/app"])
            let sources = ["Changed", "Größe 1", "New", "Staged"].map { "Sources/\($0).swift" }
            let changed = ["Kit/Inner.swift"] + sources + ["Top.swift"]
            #expect(now.report.told.sorted() == changed)
            #expect(now.report.files == changed.count && now.report.partial && now.status == 1)
            let before = try report(["--changed-since", "HEAD~", path + "/app"])
            #expect(before.report.told.sorted() == (changed + ["Sources/Second.swift"]).sorted())
            let all = try report([path + "/app"])
            #expect(all.report.told.count == 9 && !all.report.partial)
        }
    }

    @Test func `each file is looked up in its own repository, wherever the program runs`() throws {
        try folder { path in
            try repository(path)
            let new = try report(["--changed-since", "HEAD", path + "/app/Sources/New.swift"])
            #expect(new.report.told == [path + "/app/Sources/New.swift"] && new.status == 1)
            let old = try report(["--changed-since", "HEAD", path + "/app/Sources/Old.swift"])
            #expect(old.report.files == 0 && old.status == 0)
            let two = try report(["--changed-since", "HEAD", path + "/app/Sources", path + "/app/Kit"])
            #expect(two.report.told.contains("Kit/Inner.swift") && two.report.told.contains("Sources/New.swift"))
            try folder { other in
                try write(Self.leak, other + "/B.swift")
                let files = [path + "/app/Sources/New.swift", other + "/B.swift"]
                #expect(try audit(["--changed-since", "HEAD"] + files).status == 2)
                #expect(try audit(["--changed-since", "HEAD"] + files.reversed()).status == 2)
            }
        }
    }

    @Test(arguments: ["", "cd ../..; git add app/Kit; git commit -qm three"])
    func `a repository inside of the one that is asked is new as a whole`(_ more: String) throws {
        try folder { path in
            let names = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c"
            try repository(path, "cd app/Kit; git init -q; \(Self.save); save kit; \(names); \(more)")
            let found = try report(["--changed-since", "HEAD", path + "/app"])
            #expect(found.report.told.contains("Kit/Inner.swift"))
        }
    }

    @Test func `nothing that was changed is status 0, and what cannot be read is told all the same`() throws {
        try folder { path in
            try repository(path, "save three; git clean -qfdx")
            let clean = try report(["--changed-since", "HEAD", path + "/app"])
            #expect(clean.status == 0 && clean.report.files == 0 && clean.report.partial)
            let link = "ln -s /etc/hostname app/Link.swift; save four"
            try #require(try run("/bin/sh", ["-ec", "cd '\(path)'; \(Self.save); \(link)"]).status == 0)
            let told = try report(["--changed-since", "HEAD", path + "/app"])
            #expect(told.status == 1 && told.report.notAnalysed == ["Link.swift": "LINK"])
        }
    }

    @Test(arguments: [
        ("nowhere", ""), ("--output=written", ""), ("HEAD", "git config core.fsmonitor 'touch written;'"),
        ("HEAD", "git config diff.relative true"),
    ])
    func `a commit that git does not know, and a folder that git is not asked about, end with 2`(
        _ commit: String, _ trap: String
    ) throws {
        try folder { path in
            try repository(path, trap)
            try? FileManager.default.removeItem(atPath: path + "/app/written")
            let ended = try audit(["--changed-since", commit, path + "/app"])
            #expect(ended.status == 2 && ended.output.isEmpty)
            let names = try FileManager.default.subpathsOfDirectory(atPath: path)
            #expect(!names.contains { $0.hasSuffix("written") })
        }
    }

    @Test func `settings of the person's own git do not shorten the list of what was changed`() throws {
        try folder { path in
            try repository(path)
            // As a file of the person's: `-c` and the environment would be theirs too.
            try write("[diff]\n\trelative = true\n\tnoprefix = true\n", path + "/own")
            let words = ["GIT_CONFIG_GLOBAL=" + path + "/own", try #require(FolderTests.worker.first)]
            let ended = try run("/usr/bin/env", words + ["--json", "--changed-since", "HEAD", path + "/app"])
            let report = try JSONDecoder().decode(Report.self, from: Data(ended.output.utf8))
            #expect(report.told.count == 6)
        }
    }
}
