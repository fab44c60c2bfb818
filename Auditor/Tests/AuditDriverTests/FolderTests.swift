import AuditCore
import AuditDriver
import Foundation
import Testing

/// Folders that hold more than plain files: nothing is waited for, followed out of the tree, or left out without a word.
@Suite struct FolderTests {
    /// The program that the tests were built with, which lies beside them.
    static var worker: [String] {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return [own.appendingPathComponent("pavise-audit").path, "--worker"]
    }

    private func folder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "folder-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path + "/app", withIntermediateDirectories: true)
        try write("let a = 1\n", path + "/app/A.swift")
        try body(path)
    }

    private func write(_ text: String, _ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Names below the folder, each with its reason.
    private func refused(_ path: String) throws -> [String] {
        try SourceFolder(paths: [path]).refused.map { report in
            "\(report.file.dropFirst(path.count + 1)): \(report.notAnalysed ?? "")"
        }
    }

    @Test(arguments: ["B.swift", "._x", "._B.swift", "Info.plist", "pavise-audit.json"])
    func `a pipe is told when its name is one that is read, and never opened to wait`(_ name: String) throws {
        try folder { path in
            #expect(unsafe mkfifo(path + "/app/" + name, 0o600) == 0)
            let told = try refused(path + "/app")
            #expect(told == (name == "._x" ? [] : ["\(name): UNREADABLE"]))
        }
    }

    @Test func `a link out of the tree is told, and one inside of it leads to what is read there`() throws {
        try folder { path in
            try write("let b = 1\n", path + "/other/B.swift")
            for (name, target) in [
                ("B.swift", "../other/B.swift"), ("folder", "../other"), ("zero.swift", "/dev/zero"),
                ("gone.swift", "nowhere.swift"), ("inside.swift", "A.swift"), ("loop", "."), ("notes", "/etc/hostname"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/app/" + name, withDestinationPath: target)
            }
            #expect(try refused(path + "/app") == ["B.swift: LINK", "folder: LINK", "zero.swift: LINK"])
            #expect(try SourceFolder(paths: [path + "/app"]).files.map(\.path) == [path + "/app/A.swift"])
        }
    }

    @Test func `AU4: a link to what is not read where it lies is told`() throws {
        try folder { path in
            for name in [".build/B.swift", "Pods/C.swift", "data"] { try write("let b = 1\n", path + "/app/" + name) }
            for (name, target) in [
                ("B.swift", ".build/B.swift"), ("D.swift", "data"), ("E.json", "A.swift"), ("made", ".build"),
                ("other", "A.swift"), ("own.swift", "A.swift"), ("skipped.swift", "Pods/C.swift"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/app/" + name, withDestinationPath: target)
            }
            let told = ["B.swift", "D.swift", "E.json", "made"].map { $0 + ": LINK" }
            #expect(try refused(path + "/app") == told)
            let read = try SourceFolder(paths: [path + "/app"])
            #expect(read.files.map(\.path) == [path + "/app/A.swift"] && read.skipped == [path + "/app/Pods"])
        }
    }

    @Test func `AU4: two files whose names Unicode calls the same are both read`() throws {
        try folder { path in
            for name in ["caf\u{E9}.swift", "cafe\u{301}.swift"] {
                let file = unsafe open(path + "/app/" + name, O_CREAT | O_WRONLY, 0o600)
                #expect(file >= 0 && close(file) == 0)
            }
            let read = try SourceFolder(paths: [path + "/app", path + "/app/A.swift"]).files
            #expect(read.map(\.path.utf8.count).sorted() == [12, 16, 17].map { path.utf8.count + $0 })
        }
    }

    @Test func `AU4: a folder that is not looked into is told where bills alone are read, too`() throws {
        try folder { path in
            for place in ["app/bom.json", "other/bom.json"] { try write("{}", path + "/" + place) }
            for (name, target) in [("parts", "../other"), ("B.swift", "/dev/zero"), ("bom.json.old", "nowhere")] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/app/" + name, withDestinationPath: target)
            }
            let read = try SourceFolder(paths: [path + "/app"]) { $0.hasSuffix("/bom.json") }
            #expect(read.files.map(\.path) == [path + "/app/bom.json"])
            #expect(read.refused.map(\.file) == [path + "/app/parts"])
        }
    }

    @Test func `a folder that cannot be opened is told`() throws {
        try folder { path in
            try write("let b = 1\n", path + "/app/closed/B.swift")
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path + "/app/closed")
            defer {
                try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path + "/app/closed")
            }
            // Root opens it all the same.
            let told = try refused(path + "/app")
            #expect(told == (getuid() == 0 ? [] : ["closed: UNREADABLE"]))
        }
    }

    @Test func `names that no line can hold are told, those that are no UTF-8 too`() throws {
        try folder { path in
            try write("let b = 1\n", path + "/app/B\nC.swift")
            #expect(try refused(path + "/app") == ["B\nC.swift: UNREADABLE"])
            let bytes = Array((path + "/app/").utf8) + [0xFF] + Array(".swift\0".utf8)
            let file = unsafe bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { name in
                unsafe name.baseAddress.map { unsafe open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
            }
            #expect(file >= 0)
            close(file)
            #expect(try refused(path + "/app").count == 2)
        }
    }

    @Test func `AU4: code that a tool for packages fetched is told as skipped, and Xcode's at any depth`() throws {
        try folder { path in
            for name in [
                "Pods/B.swift", "node_modules/B.swift", ".build/B.swift", ".git/B.swift", "Core/DerivedData/B.swift",
            ] {
                try write("let b = 1\n", path + "/app/" + name)
            }
            let read = try SourceFolder(paths: [path + "/app"])
            let skipped = ["Core/DerivedData", "Pods", "node_modules"]
            #expect(read.files.count == 1 && read.skipped == skipped.map { path + "/app/" + $0 })
            var result = AuditResult(
                reports: WorkerPool(files: read.files, root: read.root, command: Self.worker).run(jobs: 1),
                root: read.root, seconds: 0)
            result.skipped = read.skipped
            #expect(result.gaps == skipped.map { $0 + ": SKIPPED-FOLDER" })
            #expect(result.status(failOn: .note) == 0 && result.text().contains("Pods: not read: SKIPPED-FOLDER"))
            #expect(SARIFLog(result).text().contains("\"SKIPPED-FOLDER\""))
            #expect(HTMLReport(result).text().contains("Pods: SKIPPED-FOLDER"))
        }
    }

    @Test func `a file that is larger than the memory is a result, and not read`() throws {
        try folder { path in
            for name in ["B.swift", "C.plist", "D.json"] {
                try write("", path + "/app/" + name)
                #expect(unsafe truncate(path + "/app/" + name, 50 << 30) == 0)
            }
            let read = try SourceFolder(paths: [path + "/app"])
            let reports = WorkerPool(files: read.files, root: read.root, command: Self.worker).run(jobs: 1)
            #expect(reports.map(\.notAnalysed) == [nil, "TOO-LARGE", "TOO-LARGE", nil])
            #expect(reports.map(\.gaps) == [nil, nil, nil, ["TOO-LARGE"]])
            let cache = ReportCache(folder: path + "/cache")
            #expect(cache.save(reports, below: read.root))
            #expect(ReportCache(folder: path + "/cache").report(path + "/app/B.swift", below: read.root) == nil)
        }
    }

    @Test func `a file that grew, or became something else, is not read by the worker`() throws {
        try folder { path in
            try write("", path + "/app/B.swift")
            #expect(unsafe truncate(path + "/app/B.swift", 50 << 30) == 0)
            #expect(unsafe mkfifo(path + "/app/C.swift", 0o600) == 0)
            let files = ["B", "C"].map { (path: path + "/app/\($0).swift", size: 1) }
            let reports = WorkerPool(files: files, command: Self.worker).run(jobs: 1)
            #expect(reports.map(\.notAnalysed) == ["TOO-LARGE", "UNREADABLE"])
        }
    }

    @Test func `an answer about another file is none`() {
        let other = #"{"file":"other.swift","lines":1,"parseErrors":false,"findings":[],"facts":[]}"#
        let pool = WorkerPool(files: [("a.swift", 1)], command: ["/bin/sh", "-c", "echo; read f; echo '\(other)'"])
        #expect(pool.run(jobs: 1).map(\.notAnalysed) == ["CRASH"])
    }

    @Test func `lines of a resource that are too long are told`() {
        let text = "{\"a\": \"" + String(repeating: "b", count: 5_000) + "\"}"
        let report = Analyzer.analyze(Data(text.utf8), file: "/r/a.json", root: "/r/")
        #expect(report.gaps == ["LONG-LINE"] && report.notAnalysed == nil)
    }

    @Test func `calls that are not followed any more are told`() {
        let functions = (0..<30).map { "func f\($0)(a: Int) { g(a: a); g(a: a + 1) }" }.joined(separator: "\n")
        #expect(Analyzer.analyze(Data(functions.utf8), file: "/r/A.swift").gaps == nil)
        let many = (0..<3_000).map { "func f\($0)() { g(&a\($0)) }" }.joined(separator: "\n")
        let source = "func g(_ a: inout String) { print(password) }\n" + many
        #expect(Analyzer.analyze(Data(source.utf8), file: "/r/A.swift").gaps == ["BUDGET"])
    }

    @Test func `several folders keep their own roots, and one file has the folder that it lies in`() throws {
        try folder { path in
            let source = "func f(password: String) { print(password) }\n"
            try write(source, path + "/Tests/app/A.swift")
            try write(source, path + "/Tests/kit/Tests/B.swift")
            let read = try SourceFolder(paths: [path + "/Tests/app", path + "/Tests/kit/", path + "/Tests/app"])
            #expect(read.root == path + "/Tests/")
            #expect(read.files.count == 2)
            var reports: [FileReport] = []
            for (root, files) in read.groups(read.files) {
                reports += WorkerPool(files: files, root: root, command: Self.worker).run(jobs: 1)
            }
            let result = AuditResult(reports: reports, root: read.root, seconds: 0)
            let told = result.all.filter { $0.rule == "LOG-SENSITIVE" }
            #expect(told.map { result.relative($0.file) } == ["app/A.swift", "kit/Tests/B.swift"])
            #expect(told.map(\.testCode) == [nil, true])
            let single = try SourceFolder(paths: [path + "/Tests/app/A.swift"])
            #expect(single.root(of: path + "/Tests/app/A.swift") == path + "/Tests/app/")
        }
    }
}
