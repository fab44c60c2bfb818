import Foundation
import PaviseProtectedStorage
import Testing

@testable import PaviseStorage

/// data-at-rest/DR14: values are bound, and nothing from outside becomes SQL.
@Suite struct StatementTests {
    static let hostile = [
        "'", "''; DROP TABLE night; --", "\"", "a\u{0}b", "\u{202E}evil\u{202C}", "😀", "?1", ":name", "%_", "\\",
        "\r\n", "",
        "); DELETE FROM night; --", "/*", "*/", "`", "[", "]", String(repeating: "x'", count: 524_288),
    ]

    @Test(arguments: hostile)
    func `DR14 a hostile value comes back as it went in, and the schema stays`(_ text: String) throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        let schema: SQL = "SELECT group_concat(sql) FROM sqlite_schema"
        let before: String? = try database.read { try $0.value(schema) }
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('other'), (\(text))") }
        let found: [String] = try database.read { access in
            try access.rows("SELECT text FROM night WHERE text = \(text)").map { try $0.value("text") }
        }
        #expect(found == [text])
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 2)
        #expect(try database.read { try $0.value(schema, as: String.self) } == before)
    }

    @Test func `DR14 a thousand random values come back equal`() throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        var dice = SystemRandomNumberGenerator()
        let texts = (0..<1000).map { _ in
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0..<40)).map { _ in
                        Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &dice)) ?? "'"
                    }))
        }
        try database.write { access in
            for text in texts { try access.run("INSERT INTO night(text, awake) VALUES (\(text), \(text.utf8.count))") }
        }
        let rows = try database.read { try $0.rows("SELECT * FROM night ORDER BY id", as: Night.self) }
        #expect(rows.map(\.text) == texts)
        #expect(rows.map(\.awake) == texts.map(\.utf8.count))
    }

    @Test func `a statement is composed of pieces with their values`() {
        let part: SQL = "date > \(5)"
        let names: [String] = ["a", "b"]
        let sql: SQL = "SELECT * FROM night WHERE \(part) AND name IN (\(names)) AND x = \(Int?.none)"
        #expect(sql.text == "SELECT * FROM night WHERE date > ? AND name IN (?, ?) AND x = ?")
        #expect(sql.values == [.integer(5), .text("a"), .text("b"), .null])
        #expect(SQL.joined(["a = \(1)", "b = \(2)"], separator: " AND ").text == "a = ? AND b = ?")
    }

    @Test(arguments: [
        ("DELETE FROM night", true), ("delete from night where 1", false), ("UPDATE night SET a = 'WHERE'", true),
        ("UPDATE night SET a = (SELECT 1 WHERE 1)", true), ("DELETE FROM night -- WHERE id = 1", true),
        ("DELETE FROM night /* WHERE */", true), ("DELETE FROM \"WHERE\"", true), ("DELETE FROM [WHERE]", true),
        ("WITH x AS (SELECT 1 WHERE 1) DELETE FROM night", true),
        ("WITH x AS (SELECT 1) DELETE FROM night WHERE a", false),
        ("UPDATE night SET a = 1 WHERE b = 'it''s'", false), ("SELECT 1", false), ("INSERT INTO a SELECT 1", false),
        ("", false), ("'", false), ("/*", false),
        ("CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; END", false),
    ])
    func `an UPDATE or DELETE without a condition of its own is told`(_ text: String, _ expected: Bool) {
        #expect(StatementShape(text).isUnconditional == expected)
    }

    @Test(arguments: [
        ("SELECT 1", false), ("SELECT 1;", false), ("SELECT 1; -- end", false), ("SELECT 1; SELECT 2", true),
        ("SELECT ';'", false), ("SELECT 1;;", false), ("SELECT 1; x", true), (";SELECT 1", false),
        ("CREATE TABLE a(b); CREATE TABLE c(d)", true), ("CREATE INDEX i ON a(b); DROP TABLE a", true),
        ("CREATE TABLE trigger(a); DELETE FROM b", true), ("CREATE TEMP TABLE trigger(a); DELETE FROM b", true),
        ("CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; END", false),
        ("CREATE TEMP TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; DELETE FROM c; END;", false),
        ("create trigger t after delete on a begin select case when 1 then 2 end; delete from b; end", false),
        ("CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; END; DROP TABLE a", true),
    ])
    func `DR14 a second statement is told`(_ text: String, _ expected: Bool) {
        #expect(StatementShape(text).isSeveral == expected)
    }

    @Test(arguments: [
        ("DROP TABLE a", true), ("drop table if exists a;", true), ("DROP INDEX i", false), ("DROP TRIGGER t", false),
        ("ALTER TABLE a DROP COLUMN b", true), ("ALTER TABLE a DROP b", true), ("ALTER TABLE a ADD COLUMN b", false),
        ("ALTER TABLE \"DROP\" RENAME TO b", false), ("DELETE FROM a WHERE b", true),
        ("WITH x AS (SELECT 1) DELETE FROM a", true), ("UPDATE a SET b = 1", false), ("CREATE TABLE a(b)", false),
        ("CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; END", false),
    ])
    func `DR15 a statement that drops data is told`(_ text: String, _ expected: Bool) {
        #expect(StatementShape(text).dropsData == expected)
    }

    @Test func `a person's trigger with a CASE inside is one statement`() {
        var splitter = StatementSplitter()
        let trigger = "CREATE TRIGGER t AFTER DELETE ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END;"
        #expect(splitter.take(trigger + "SELECT 1;") == [trigger, "SELECT 1;"])
    }

    @Test func `DR14 a change without a condition needs its own call`() throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('a'), ('b')") }
        #expect(throws: ProtectedDatabaseError.unconditional) { try database.write { try $0.run("DELETE FROM night") } }
        #expect(throws: ProtectedDatabaseError.unconditional) {
            try database.write { try $0.run("UPDATE night SET text = ''") }
        }
        #expect(throws: ProtectedDatabaseError.severalStatements) {
            try database.write { try $0.run("SELECT 1; DELETE FROM night WHERE 1") }
        }
        #expect(try database.write { try $0.runOnAllRows("DELETE FROM night") } == 2)
    }

    @Test(
        arguments: [
            "PRAGMA journal_mode=TRUNCATE", "PRAGMA secure_delete=OFF", "PRAGMA writable_schema=ON",
            "ATTACH 'x.db' AS x", "PRAGMA synchronous=OFF", "PRAGMA cipher='none'", "DETACH main",
        ] as [String])
    func `DR13 statements that would take the ground away are refused`(_ text: String) throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        // Before it runs, and not by what would stop it then: an open transaction, a file that is not there.
        #expect(throws: ProtectedDatabaseError.statement(message: "not authorized")) {
            try database.read { try $0.rows(SQL(typed: text)) }
        }
    }

    @Test(arguments: [
        "INSERT OR ROLLBACK INTO night(id, text) VALUES (1, 'twice')",
        "UPDATE OR ROLLBACK night SET id = 1 WHERE id = 2",
        "INSERT INTO night(id, text) VALUES (9, 'raises')",
    ])
    func `DR14 nothing of a write stays where a statement took it back and the body went on`(_ text: String) throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        try database.write { access in
            try access.run(
                """
                CREATE TRIGGER refuse BEFORE INSERT ON night WHEN NEW.id = 9
                BEGIN SELECT RAISE(ROLLBACK, 'not nine'); END
                """)
        }
        #expect(throws: ProtectedDatabaseError.statement(message: "the transaction was taken back")) {
            try database.write { access in
                try access.run("INSERT INTO night(id, text) VALUES (1, 'first'), (2, 'second')")
                do throws(ProtectedDatabaseError) {
                    try access.run(SQL(typed: text))
                    Issue.record("it was taken")
                } catch {
                    #expect(error == .constraint)
                }
                _ = try? access.run("INSERT INTO night(id, text) VALUES (3, 'by itself')")
                _ = try? access.savepoint { try $0.run("INSERT INTO night(id, text) VALUES (4, 'in a part')") }
            }
        }
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 0)
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('goes on')") }
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 1)
    }

    @Test(arguments: ["BEGIN", "COMMIT", "end transaction", "ROLLBACK", "/* a */ COMMIT;", "SAVEPOINT x", "RELEASE x"])
    func `DR14 a transaction that a person types neither begins nor ends within a call`(_ text: String) throws {
        let fixture = try DatabaseFixture()
        let database = try fixture.open()
        defer { database.close() }
        #expect(throws: ProtectedDatabaseError.statement(message: "a transaction begins and ends with its call")) {
            try database.write { access in
                try access.run("INSERT INTO night(text) VALUES ('x')")
                _ = try access.answer(typed: text, mayTouchAll: false)
            }
        }
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 0)
    }
}
