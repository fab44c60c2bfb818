import AuditCore
import AuditDriver
import Foundation
import Synchronization
import Testing

/// Workers that hang, die, lie and work: no file is lost, and each that was not analysed is said.
@Suite struct WorkerTests {
    private func run(_ script: String, _ files: [String] = ["a.swift", "b.swift"]) -> [String: String?] {
        let pool = WorkerPool(
            files: files.map { ($0, 1) }, command: ["/bin/sh", "-c", script], limit: { _ in 0.05 })
        return Dictionary(uniqueKeysWithValues: pool.run(jobs: 1).map { ($0.file, $0.notAnalysed) })
    }

    private let good = #"{"file":"F","lines":1,"parseErrors":false,"findings":[],"facts":[]}"#

    @Test func `a worker that sleeps is ended, and the next file gets another`() {
        let script = "echo; read f; if [ $f = a.swift ]; then exec sleep 30; fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "TIME", "b.swift": nil])
    }

    @Test func `a worker that works too long is ended`() {
        let script =
            "echo; read f; if [ $f = a.swift ]; then while :; do :; done; fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "TIME", "b.swift": nil])
    }

    @Test(arguments: ["kill -9 $$", "kill -SEGV $$", "exit 0", "echo '{'", "head -c 100 /dev/zero; echo"])
    func `a worker that dies or talks nonsense loses one file only`(_ act: String) {
        let script = "echo; read f; if [ $f = a.swift ]; then \(act); fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "CRASH", "b.swift": nil])
    }

    @Test func `who asks is told how many files are done`() {
        let told = Mutex<[Int]>([])
        let script = "echo; while read f; do echo '\(good)' | sed s/F/$f/; done"
        let pool = WorkerPool(
            files: [("a.swift", 1), ("b.swift", 1)], command: ["/bin/sh", "-c", script], limit: { _ in 5 },
            progress: { done, all in told.withLock { $0.append(done * 10 + all) } })
        #expect(pool.run(jobs: 1).count == 2 && told.withLock { $0 } == [12, 22])
    }

    @Test func `no worker is a result too`() {
        let pool = WorkerPool(files: [("a.swift", 1)], command: ["/nowhere/at-all"])
        #expect(pool.run(jobs: 2).map(\.notAnalysed) == ["NO-WORKER"])
        let result = AuditResult(reports: pool.run(jobs: 1), root: "", seconds: 0)
        #expect(result.status(failOn: .error) == 1)
    }

    @Test func `a report that goes to a pipe or a device leaves it as it is`() throws {
        let folder = NSTemporaryDirectory() + "output-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pipe = folder + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        // Open for both, so that neither end waits for the other.
        let end = unsafe open(pipe, O_RDWR)
        defer { close(end) }
        #expect(OutputFile.write("report", to: pipe))
        let type = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        #expect(OutputFile.write("report", to: folder + "/file"))
        #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "report")
        #expect(!OutputFile.write("report", to: folder))
    }

    @Test func `a report through a link is whole, and a link to a device stays`() throws {
        let folder = NSTemporaryDirectory() + "links-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(OutputFile.write("a longer report", to: folder + "/file"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/file")
        #expect(OutputFile.write("short", to: folder + "/link"))
        #expect(try String(contentsOfFile: folder + "/link", encoding: .utf8) == "short")
        try FileManager.default.createSymbolicLink(atPath: folder + "/null", withDestinationPath: "/dev/null")
        #expect(OutputFile.isSpecial(folder + "/null") && !OutputFile.isSpecial(folder + "/link"))
        #expect(OutputFile.write("report", to: folder + "/null"))
        let left = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/null")
        #expect(left == "/dev/null")
    }

    @Test func `what macOS keeps beside a file on a foreign disk is no source`() throws {
        let folder = NSTemporaryDirectory() + "double-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data([0, 5, 0x16, 7, 0, 2]).write(to: URL(fileURLWithPath: folder + "/._A.swift"))
        try Data("let a = 1".utf8).write(to: URL(fileURLWithPath: folder + "/._B.swift"))
        #expect(try SourceFolder(paths: [folder]).files.map(\.path) == [folder + "/._B.swift"])
    }

    /// Sources that cost a parser minutes, its stack or its memory.
    static let hostile: [(name: String, text: String)] = {
        func deep(_ open: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + String(repeating: close, count: count)
        }
        var all = [
            "[(Int,[(Int,": "[(Int,", "[([(": "[([(", "[@x [": "[@x ", "[A<[A<": "[A<", "[A & [": "[A & ", "[[": "[",
            "comments": "[/**/", "lines": "[\n", "[any [": "[any ", "[each [": "[each ",
        ].map { (name: $0.key, text: "let a: " + String(repeating: $0.value, count: 18)) }.sorted { $0.name < $1.name }
        all.append(("optional", "let a: " + deep("[", "]?", 18)))
        all.append(("self", "let a = " + deep("[", "].self", 18)))
        all.append(("dictionary", "let a: " + deep("[", ":A]", 18)))
        all.append(("ten lines", String(repeating: "let a: " + deep("[(Int,", ")]", 12) + "\n", count: 10)))
        all.append(("many small", String(repeating: "let a: " + deep("[(Int,", ")]", 7) + "\n", count: 1_000)))
        all.append(("conditions", deep("#if A\n", "#endif\n", 20_000)))
        all.append(("generics", "let a: " + deep("A<", ">", 20_000)))
        all.append(("interpolations", "let a = " + deep("\"\\(", ")\"", 20_000)))
        all.append(("else", "func f() { if a {} " + String(repeating: "else if a {}", count: 175_000) + "}"))
        all.append(("large", String(repeating: "let a = 1\n", count: 200_001)))
        return all
    }()

    /// The program that the tests were built with, which lies beside them.
    private static var program: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("pavise-audit").path
    }

    @Test(arguments: hostile.map(\.name))
    func `a hostile source is answered, reported and status 1, and the file after it is analysed`(_ name: String) throws
    {
        let text = try #require(Self.hostile.first { $0.name == name }?.text)
        let folder = NSTemporaryDirectory() + "hostile-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/a.swift"))
        try Data("let a = 1\n".utf8).write(to: URL(fileURLWithPath: folder + "/b.swift"))
        let pool = WorkerPool(
            files: [(folder + "/a.swift", text.utf8.count), (folder + "/b.swift", 10)],
            command: [Self.program, "--worker"])
        let reports = pool.run(jobs: 1)
        let first = try #require(reports.first)
        #expect(
            ["BRACKETS", "CONDITIONS", "INTERPOLATIONS", "TOO-LARGE", "TIME", "CRASH"].contains(first.notAnalysed ?? "")
                || first.parseErrors)
        #expect(reports.last?.notAnalysed == nil && reports.last?.lines == 2)
        #expect(AuditResult(reports: reports, root: "", seconds: 0).status(failOn: .error) == 1)
    }
}
