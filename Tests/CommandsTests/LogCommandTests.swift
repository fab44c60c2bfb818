import Foundation
import PaviseLog
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseCommands

/// `pavise log check|audit|export`: what they print, where it goes, and with which status they end.
@Suite struct LogCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let lines = """
        all is well
        mail of jane@example.org came
        Authorization: Bearer mF_9.B5f-4.1JqM
        joe@example.org and ann@example.org from 192.168.17.23

        """

    private func file(_ text: String, _ name: String = "app.log") throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `a check tells kind, count and lines, never the value, and ends with 3`() async throws {
        let path = try file(Self.lines)
        let stage = Stage()
        #expect(await stage.run("log", "check", path) == .refused)
        let said = stage.output.text + stage.messages.text
        let rows = stage.output.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["email", "3", "2", "4"]), "\(said)")
        #expect(rows.contains(["authorization", "1", "3"]), "\(said)")
        #expect(said.contains("4 values that must not be in a log."))
        for value in ["jane", "joe", "ann@", "mF_9", "192.168"] { #expect(!said.contains(value), "\(said)") }
    }

    @Test func `a clean log is told with its size, and identifiers are looked for where they are asked for`()
        async throws
    {
        let path = try file("from 192.168.17.23\n")
        let clean = Stage()
        #expect(await clean.run("log", "check", path) == .done)
        #expect((clean.output.text + clean.messages.text).contains("Nothing found in 19 bytes."))
        let strict = Stage()
        #expect(await strict.run("log", "check", "--strict", path) == .refused)
        #expect(strict.output.text.contains("ipv4"))
    }

    @Test func `as JSON the same stands under names`() async throws {
        let path = try file(Self.lines)
        let stage = Stage()
        #expect(await stage.run("log", "check", path, "--json") == .refused)
        let answer = try JSONValue.parse(stage.output.all)
        #expect(answer["file"]?.string == path && answer["count"]?.integer == 4)
        #expect(answer["bytes"]?.integer == Int64(Self.lines.utf8.count))
        let kinds = answer["kinds"]?.array ?? []
        #expect(kinds.map { $0["kind"]?.string } == ["authorization", "email"])
        #expect(kinds.last?["count"]?.integer == 3)
        #expect(kinds.last?["lines"]?.array?.compactMap(\.integer) == [2, 4])
        #expect(stage.messages.text.isEmpty)
    }

    @Test func `all lines of a kind are in the JSON, and the first twenty of them in the table`() async throws {
        let path = try file(String(repeating: "mail of jane@example.org\n", count: 50))
        let json = Stage()
        #expect(await json.run("log", "check", path, "--json") == .refused)
        let kind = try JSONValue.parse(json.output.all)["kinds"]?.array?.first
        #expect(kind?["lines"]?.array?.compactMap(\.integer) == Array(Int64(1)...50))
        #expect(kind?["linesCut"]?.bool == false)
        let text = Stage()
        #expect(await text.run("log", "check", path) == .refused)
        let rows = text.output.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let row: [String] = ["email", "50"] + (1...20).map { String($0) } + ["…"]
        #expect(rows.contains(row), "\(text.output.text)")
    }

    @Test func `what cannot be read is no clean log`() async throws {
        for path in [folder.path + "/none", folder.path] {
            let stage = Stage()
            #expect(await stage.run("log", "check", path) == .failed)
            #expect(stage.output.text.isEmpty && !stage.messages.text.isEmpty)
        }
        let none = Stage()
        #expect(await none.run("log", "check") == .usage)
        #expect(none.messages.text.contains("FILE"))
    }

    @Test func `PR3: a log whose lines cannot be seen as it lies there is refused, and not called clean`() async throws
    {
        let utf16 = "jane@example.org\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
        let marks: [(name: String, bytes: [UInt8])] = [
            ("gzip", [0x1F, 0x8B, 0x08, 0x00]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
            ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]), ("bzip2", Array("BZh91AY&SY".utf8)),
            ("lz4", [0x04, 0x22, 0x4D, 0x18]), ("ZIP", [0x50, 0x4B, 0x03, 0x04]),
            ("journald", Array("LPKSHHRH".utf8)), ("UTF-16", [0xFF, 0xFE] + utf16), ("UTF-16", [0xFE, 0xFF] + utf16),
            ("UTF-16", utf16), ("UTF-16BE", [0] + utf16.dropLast()),
        ]
        for mark in marks {
            let path = folder.path + "/packed.log"
            try Data(mark.bytes + Array("\u{1}\u{2}\n".utf8)).write(to: URL(fileURLWithPath: path))
            let stage = Stage()
            #expect(await stage.run("log", "check", path) == .failed, "\(mark.name)")
            #expect(stage.output.text.isEmpty && stage.messages.text.contains(mark.name), "\(stage.messages.text)")
        }
        // A mark of UTF-8, and a word that begins as one of them does.
        for text in ["\u{FEFF}all is well\n", "BZh is well\n", "PK is well\n"] {
            let (stage, path) = (Stage(), try file(text))
            #expect(await stage.run("log", "check", path) == .done, "\(text)")
        }
    }

    @Test func `a terminal gets colours, and nobody else`() async throws {
        let path = try file(Self.lines)
        let stage = Stage()
        stage.output.becomeTerminal()
        stage.messages.becomeTerminal()
        _ = await stage.run("log", "check", path)
        #expect((stage.output.text + stage.messages.text).contains("\u{1B}["))
        let piped = Stage()
        _ = await piped.run("log", "check", path)
        #expect(!(piped.output.text + piped.messages.text).contains("\u{1B}"))
    }
}

/// The same as processes: pipes, a terminal, and what an earlier command left.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct LogProcessTests {
    private let pavise: PaviseProcess

    init() throws { pavise = try PaviseProcess() }

    @Test func `a log comes through a pipe, whatever its bytes are`() throws {
        let found = try pavise.run("log", "check", "-", input: "x\njane@example.org")
        #expect(found.status == 3 && found.output.contains("email"), "\(found)")
        let bytes: [UInt8] =
            [0xFF, 0, 0xC2, 0x1B, 0x5B, 0x32, 0x4A, 10] + Array("password=hunter2!x".utf8) + [0xED, 0xA0]
        let odd = try pavise.run(["log", "check", "-", "--json"], bytes: bytes)
        #expect(odd.result.status == 3)
        let answer = try JSONValue.parse(odd.output)
        #expect(answer["file"]?.string == "-" && answer["bytes"]?.integer == Int64(bytes.count))
        #expect(answer["kinds"]?.array?.first?["lines"]?.array?.first?.integer == 2)
        #expect(try pavise.run("log", "check", "-").status == 0)
    }

    @Test func `NO_COLOR keeps a terminal's output plain`() throws {
        let shell = try pavise.shell()
        defer { shell.end() }
        try shell.wait(for: "shell> ")
        let check = #"printf 'jane@example.org\n' | "$PAVISE" log check -; echo ended $((40 + $?))"#
        #expect(try shell.type(check + "\n", until: "ended 43").contains("\u{1B}[3"))
        let plain = try shell.type("export NO_COLOR=1; " + check + "\n", until: "ended 43")
        #expect(!plain.contains("\u{1B}[3") && plain.contains("email"), "\(plain)")
    }

    /// A wrong PIN, which both the trail and the support log keep.
    private func fail() throws {
        #expect(try pavise.run("lock", "set", "--pin-stdin", input: "830597\n").status == 0)
        #expect(try pavise.run("lock", "now").status == 0)
        #expect(try pavise.run("lock", "unlock", "--pin-stdin", input: "940276\n").status == 5)
    }

    @Test func `the trail is shown, given as lines and as JSON, and one that was changed is told with 3`() throws {
        let empty = try pavise.run("log", "audit")
        #expect(empty.status == 0 && (empty.output + empty.messages).contains("The trail is empty."), "\(empty)")
        try fail()
        let shown = try pavise.run("log", "audit")
        #expect(shown.status == 0 && shown.output.contains("lock.pin.wrong"), "\(shown)")
        #expect((shown.output + shown.messages).contains("The trail is whole."))
        let lines = try pavise.run("log", "audit", "--lines")
        let entries = try lines.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        #expect(lines.status == 0 && lines.messages.isEmpty)
        #expect(entries.first?["event"]?.string == "trail.started")
        #expect(entries.contains { $0["event"]?.string == "lock.pin.wrong" })
        let answer = try JSONValue.parse(Array(try pavise.run("log", "audit", "--json").output.utf8))
        #expect(answer["whole"]?.bool == true && answer["entries"]?.array?.count == entries.count)
        try change("audit/trail")
        for words in [["log", "audit"], ["log", "audit", "--lines"], ["log", "audit", "--json"]] {
            #expect(try pavise.run(words, bytes: []).result.status == 3)
        }
    }

    @Test func `E1: the support log keeps the program's events sealed, and gives them to an export alone`() throws {
        let empty = try pavise.run("log", "export")
        #expect(empty.status == 0 && empty.output.isEmpty, "\(empty)")
        #expect(!DurableFile.exists(pavise.home.supportLog), "a look makes nothing")
        try fail()
        #expect(try pavise.run("lock", "unlock", "--pin-stdin", input: "940277\n").status == 5)
        let folder = URL(fileURLWithPath: pavise.home.supportLog)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(bytes.range(of: Data("lock.pin".utf8)) == nil, "\(name)")
        }
        let exported = try pavise.run("log", "export")
        let lines = exported.output.split(separator: "\n")
        // Each was written by a process of its own.
        #expect(exported.status == 0 && lines.count { $0.contains("error org.pavise security: lock.pin.wrong") } == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("20") && !$0.contains("940276") }, "\(exported)")
        let answer = try JSONValue.parse(Array(try pavise.run("log", "export", "--json").output.utf8))
        #expect(answer["whole"]?.bool == true && answer["lines"]?.array?.count == lines.count)
        try change("log/lines")
        let damaged = try pavise.run("log", "export")
        #expect(damaged.status == 3 && damaged.messages.contains("does not open"), "\(damaged)")
    }

    /// Changes the last byte of a file of the home.
    private func change(_ name: String) throws {
        let path = pavise.home.path + "/" + name
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[bytes.count - 1] ^= 1
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }
}
