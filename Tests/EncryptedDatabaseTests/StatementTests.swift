import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

@Suite struct StatementTests {
    let folder: TemporaryFolder
    let database: Database

    init() throws {
        folder = try TemporaryFolder()
        let key = try SecretBytes.random(count: 32)
        database = try Database.open("\(folder.path)/test.db", key: key)
        try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, value ANY, name TEXT UNIQUE)")
    }

    @Test(arguments: [
        DatabaseValue.null, .integer(.min), .integer(.max), .real(0.1), .text(""), .text("naïve \0 ünïcode 😀"),
        .blob([]),
        .blob([0, 255, 1]),
    ])
    func `every value comes back as it went in`(_ value: DatabaseValue) throws {
        try database.run("INSERT INTO note(value) VALUES (?)", [value])
        #expect(try database.rows("SELECT value FROM note").map(\.values) == [[value]])
    }

    @Test func `a value of many pages comes back as it went in`() throws {
        let value = DatabaseValue.blob([UInt8](repeating: 7, count: 100_000))
        try database.run("INSERT INTO note(value) VALUES (?)", [value])
        let same = try database.rows("SELECT value FROM note")[0][0] == value
        #expect(same)
    }

    @Test(arguments: ["CREATE TABLE a(b); CREATE TABLE c(d)", "SELECT 1; ATTACH 'x' AS y", "SELECT 1; nonsense"])
    func `DR14 of two statements in one text neither runs`(_ text: String) throws {
        #expect(throws: DatabaseFailure.self) { try database.run(SQLText(composed: text)) }
        #expect(try database.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'a'")[0].integer(0) == 0)
        try database.run(SQLText(composed: "CREATE TABLE a(b); ; -- the end\n/* and nothing */"))
    }

    @Test func `a composed statement takes as many values as it has placeholders`() throws {
        for number in Int64(1)...9 { try database.run("INSERT INTO note(value) VALUES (?)", [.integer(number)]) }
        var sql = SQLText("SELECT count(*) FROM note WHERE value IN (")
        sql.append(placeholders: 3)
        sql.append(")")
        #expect(try database.rows(sql, [.integer(1), .integer(5), .integer(77)])[0].integer(0) == 2)
        #expect(throws: DatabaseFailure.self) { try database.rows(sql, [.integer(1)]) }
    }

    @Test func `the columns of a statement are those of the schema as it is, whoever changed it`() throws {
        try database.run("INSERT INTO note(id, value, name) VALUES (1, 2, 'a')")
        let all = SQLText("SELECT * FROM note")
        #expect(try database.answer(all).columns == ["id", "value", "name"])
        try database.run("ALTER TABLE note RENAME COLUMN value TO other")
        #expect(try database.answer(all).columns == ["id", "other", "name"])
        try database.run("ALTER TABLE note DROP COLUMN other")
        let answer = try database.answer(all)
        #expect(answer.columns == ["id", "name"])
        #expect(answer.rows.map(\.values) == [[.integer(1), .text("a")]])
    }

    @Test func `a rule of the schema is a failure of its own`() throws {
        try database.run("INSERT INTO note(name) VALUES (?)", [.text("a")])
        #expect(throws: DatabaseFailure.constraint) {
            try database.run("INSERT INTO note(name) VALUES (?)", [.text("a")])
        }
        #expect(try database.run("UPDATE note SET name = ?", [.text("b")]) == 1)
        #expect(database.lastInsertedRow == 1)
    }

    @Test func `a body that throws leaves nothing behind`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.transaction { transaction in
                try transaction.run("INSERT INTO note(name) VALUES ('lost')")
                throw Stop()
            }
        }
        try database.transaction { transaction in
            try transaction.run("INSERT INTO note(name) VALUES ('kept')")
            try database.run("INSERT INTO note(name) VALUES ('also kept')")
        }
        #expect(try database.rows("SELECT name FROM note ORDER BY id").map { $0.text(0) } == ["kept", "also kept"])
    }

    @Test func `a closed database says so`() throws {
        database.close()
        #expect(throws: DatabaseFailure.self) { try database.rows("SELECT 1") }
        #expect(throws: DatabaseFailure.self) { try database.transaction { try $0.run("SELECT 1") } }
        #expect(database.lastInsertedRow == 0)
        database.close()
    }
}
