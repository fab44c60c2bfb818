import Foundation
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// `pavise database`: what an app keeps, looked into and taken out by the person whose data it is.
@Suite struct DatabaseCommandTests {
    let stage: DeviceStage
    let folder: TemporaryFolder
    private let lock = LockSwitch()

    init() throws {
        stage = try DeviceStage()
        folder = try TemporaryFolder()
        let steps = [
            DatabaseMigration(
                1, "all", "CREATE TABLE night(id INTEGER PRIMARY KEY, note TEXT, awake REAL, picture BLOB)",
                "CREATE INDEX night_awake ON night(awake)", "CREATE VIRTUAL TABLE words USING fts5(text)",
                "CREATE TABLE setting(name TEXT PRIMARY KEY, value) WITHOUT ROWID")
        ]
        try run {
            let database = try ProtectedContainer.open("diary", in: stage.home)
                .database("nights", protection: .complete, migrations: steps)
            try database.write { access in
                let (odd, bytes) = ("it's\n“odd”;\u{0}", Data([0, 255]))
                try access.run("INSERT INTO night(note, awake, picture) VALUES (\(odd), 1.5, \(bytes))")
                for number in 0..<1_200 { try access.run("INSERT INTO night(note) VALUES (\("night \(number)"))") }
                try access.run("INSERT INTO words(text) VALUES ('restless dream')")
                try access.run("INSERT INTO setting VALUES ('a', NULL)")
            }
            database.close()
        }
    }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock), operation: body)
    }

    private func database(_ words: String...) async -> LabStage.Result {
        await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(["database"] + words + ["--container", "diary"])
        }
    }

    @Test func `CL10: a stop between two rows leaves no piece of a dump`() async throws {
        stage.willStop()
        let result = await database("dump", "nights", folder.path + "/nights.sql")
        #expect(result.status == .failed && result.messages.contains("Stopped before the end"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a question is answered as a table and as JSON, and statements run in their order`() async throws {
        let answer = await database(
            "shell", "nights", "SELECT count(*) AS n FROM night; SELECT awake FROM night WHERE id = 1")
        #expect(answer.status == .done && answer.output.contains("1201") && answer.output.contains("1.5"))
        let json = await database("shell", "nights", "SELECT note, picture FROM night WHERE id = 1", "--json")
        let row = try #require(json.json?["rows"]?.array?.first?.array)
        #expect(row[0].string == "it's\n“odd”;\u{0}" && row[1]["hex"]?.string == "00ff")
        #expect(await database("shell", "nights", "SELECT nothing FROM nowhere").status == .failed)
        #expect(await database("shell", "other", "SELECT 1").status == .failed)
    }

    @Test func `DR14: nothing is changed without the word for it, and never all rows by mistake`() async throws {
        let count = "SELECT count(*) FROM night"
        #expect(await database("shell", "nights", "DELETE FROM night WHERE id = 1").status == .failed)
        #expect(await database("shell", "nights", "DELETE FROM night", "--write").status == .refused)
        #expect(await database("shell", "nights", "ATTACH '/tmp/x' AS y", "--write").status == .failed)
        #expect(await database("shell", "nights", "DELETE FROM night", "--all-rows").status == .usage)
        #expect(await database("shell", "nights", count).output.contains("1201"))
        #expect(await database("shell", "nights", "DELETE FROM night WHERE id = 1", "--write").status == .done)
        #expect(await database("shell", "nights", count).output.contains("1200"))
        #expect(await database("shell", "nights", "DELETE FROM night", "--write", "--all-rows").status == .done)
        #expect(await database("shell", "nights", count, "--json").json?["rows"] == .array([.array([.integer(0)])]))
    }

    @Test(arguments: ["BEGIN", "COMMIT", "end transaction", "ROLLBACK", "/* a */ COMMIT;"])
    func `a transaction begins and ends with its call`(_ text: String) async {
        #expect(await database("shell", "nights", text, "--write").status == .failed)
        #expect(await database("shell", "nights", text).status == .failed)
        #expect(await database("verify", "nights").status == .done)
    }

    @Test func `while locked it says locked, and gives nothing`() async throws {
        lock.state = .locked
        for words in [["shell", "nights", "SELECT 1"], ["dump", "nights"], ["verify", "nights"]] {
            let answer = await database(words[0], words[1], words.count > 2 ? words[2] : "--json")
            #expect(answer.status == .locked && !answer.output.contains("night 1"), "\(words)")
        }
    }

    @Test func `a dump makes the same database again in another SQLite`() async throws {
        let target = folder.path + "/out.sql"
        #expect(await database("dump", "nights", target).status == .done)
        #expect(try FileFacts(of: target).mode & 0o777 == 0o600)
        let text = String(decoding: try DurableFile.read(target, limit: 1 << 20), as: UTF8.self)
        #expect(text == (await database("dump", "nights").output))
        let again = try reload(text)
        #expect(try await again.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 1_201)
        let odd = try await again.read { try $0.first("SELECT note, picture, awake FROM night WHERE id = 1") }
        #expect(odd?.values == [.text("it's\n“odd”;\u{0}"), .blob([0, 255]), .real(1.5)])
        let found = try await again.read { try $0.rows("SELECT text FROM words WHERE words MATCH 'dream'") }
        #expect(found.count == 1)
        again.close()
    }

    private func reload(_ text: String) throws -> ProtectedDatabase {
        try run {
            let container = try ProtectedContainer.open("again", in: stage.home)
            let database = try container.database("copy", protection: .none, migrations: [])
            var splitter = StatementSplitter()
            let statements = splitter.take(text).filter { !["PRAGMA", "BEGIN;", "COMMIT;"].contains($0.firstWord) }
            try database.write { access in
                for statement in statements { _ = try access.answer(typed: statement, mayTouchAll: true) }
            }
            return database
        }
    }

    @Test func `a table that never gives a number again does not do so after a dump either`() async throws {
        #expect(!(await database("dump", "nights").output.contains("sqlite_sequence")))
        for statement in [
            "CREATE TABLE dream(id INTEGER PRIMARY KEY AUTOINCREMENT, text)",
            "INSERT INTO dream(text) VALUES ('a'), ('b')", "DELETE FROM dream WHERE id = 2",
        ] {
            #expect(await database("shell", "nights", statement, "--write").status == .done)
        }
        #expect(await database("dump", "nights", "--json").output.contains("sqlite_sequence") == false)
        let again = try reload(await database("dump", "nights").output)
        defer { again.close() }
        try await again.write { try $0.run("INSERT INTO dream(text) VALUES ('c')") }
        #expect(try await again.read { try $0.value("SELECT max(id) FROM dream", as: Int.self) } == 3)
    }

    @Test func `a quote with a combining letter behind it ends no text of a dump, and no name`() async throws {
        let table = "CREATE TABLE \"q\"\"\u{301}\"(x)"
        #expect(await database("shell", "nights", table, "--write").status == .done)
        let text = "INSERT INTO \"q\"\"\u{301}\" VALUES ('a''\u{301}); DELETE FROM night; --')"
        #expect(await database("shell", "nights", text, "--write").status == .done)
        let dump = Array(await database("dump", "nights").output.utf8)
        let line = "INSERT INTO \"q\"\"\u{301}\"(\"x\") VALUES ('a''\u{301}); DELETE FROM night; --');\n"
        #expect(dump.firstRange(of: Array(line.utf8)) != nil)
    }

    @Test func `a dump has no column that SQLite makes, and every row of a table whose column is called rowid`()
        async throws
    {
        let statements = [
            "CREATE TABLE made(a, b AS (a + 1), c AS (a + 2) STORED)", "INSERT INTO made VALUES (7)",
            "CREATE TABLE odd(rowid TEXT)",
            """
            INSERT INTO odd WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1100) \
            SELECT 'same' FROM n
            """,
        ]
        for statement in statements {
            #expect(await database("shell", "nights", statement, "--write").status == .done)
        }
        let lines = await database("dump", "nights").output.split(separator: "\n")
        #expect(lines.contains("INSERT INTO \"made\"(\"a\") VALUES (7);"))
        #expect(lines.count { $0 == "INSERT INTO \"odd\"(\"rowid\") VALUES ('same');" } == 1_100)
    }

    @Test func `a dump at a terminal cannot command it, and in a pipe it is untouched`() async throws {
        let insert = "INSERT INTO setting VALUES ('b', char(27) || '[2J')"
        #expect(await database("shell", "nights", insert, "--write").status == .done)
        #expect(await database("dump", "nights").output.contains("'\u{1B}[2J'"))
        let shown = await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(["database", "dump", "nights", "--container", "diary"], isTerminal: true)
        }
        #expect(shown.status == .done && shown.output.contains("'\u{FFFD}[2J'"))
        #expect(!shown.output.contains("\u{1B}"))
    }

    @Test func `each line of a dump as JSON is one row`() async throws {
        let lines = await database("dump", "nights", "--json").output.split(separator: "\n")
        // The nights, a word, a setting, and the step of the schema.
        #expect(lines.count == 1_201 + 3)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"table\":") && $0.hasSuffix("}") })
    }

    @Test func `DR16: an altered page is named, and the status says so`() async throws {
        #expect(await database("verify", "nights").status == .done)
        let place = stage.home.path + "/containers/diary/database"
        let file = try #require(try Folder.names(in: place).first { $0.hasSuffix(".db") })
        let path = "\(place)/\(file)"
        var bytes = try DurableFile.read(path, limit: 1 << 24)
        bytes[bytes.count - 2_000] ^= 1
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
        let answer = await database("verify", "nights", "--json")
        #expect(answer.status == .failed && answer.json?["intact"]?.bool == false)
        #expect(answer.json?["damaged"]?.array?.count == 1)
    }

    @Test(arguments: [
        ("SELECT 1; SELECT 2;", ["SELECT 1;", " SELECT 2;"], nil),
        ("SELECT ';'; -- ;\nSELECT 2", ["SELECT ';';"], " -- ;\nSELECT 2"),
        (
            "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; SELECT 2; END; SELECT 3",
            [
                "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; SELECT 2; END;"
            ], " SELECT 3"
        ),
        (" ;; /* ; */ ", [], nil), ("SELECT (1;2", [], "SELECT (1;2"),
    ])
    func `what is typed is cut at the ends of statements`(_ text: String, _ whole: [String], _ rest: String?) {
        var splitter = StatementSplitter()
        #expect(splitter.take(text) == whole)
        #expect(splitter.finish() == rest)
        var bytewise = StatementSplitter()
        #expect(text.flatMap { bytewise.take(String($0)) }.count == whole.count)
    }

    // Each byte is looked at once: with the whole statement looked at for each piece, this would take hours.
    @Test(.timeLimit(.minutes(1))) func `a long statement in many pieces is read through once`() {
        var splitter = StatementSplitter()
        let piece = "'', x"
        #expect(splitter.take("SELECT x").isEmpty)
        for _ in 0..<100_000 {
            guard splitter.isInside, splitter.take(piece).isEmpty else {
                Issue.record("a statement ended")
                return
            }
        }
        #expect(splitter.take("; SELECT 1").map(\.utf8.count) == [8 + 5 * 100_000 + 1])
        #expect(splitter.finish() == " SELECT 1")
    }
}

extension String {
    fileprivate var firstWord: String { String(drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
}
