import Foundation
import PaviseProtectedStorage
import PaviseStorage
import TestSupport
import Testing

/// data-at-rest/DR15.
@Suite struct MigrationTests {
    let fixture: DatabaseFixture
    init() throws { fixture = try DatabaseFixture() }

    static let one = DatabaseMigration(1, "one", "CREATE TABLE a(x)", "INSERT INTO a VALUES (\(7))")
    static let two = DatabaseMigration(2, "two", "ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = x")
    static let three = DatabaseMigration(3, "three", losesData: true, "ALTER TABLE a DROP COLUMN x")

    private func columns(_ database: ProtectedDatabase) throws -> [String] {
        try database.read { try $0.rows("SELECT name FROM pragma_table_info('a')").map { try $0.value("name") } }
    }

    @Test func `DR15 steps run once, in order, and only those that are missing`() throws {
        for steps in [[Self.one], [Self.one, Self.two], [Self.one, Self.two]] {
            let database = try fixture.open(.complete, steps)
            #expect(try columns(database) == (steps.count == 1 ? ["x"] : ["x", "y"]))
            #expect(try database.read { try $0.value("SELECT count(*) FROM a", as: Int.self) } == 1)
            database.close()
        }
    }

    @Test func `DR15 a newer file is refused and no byte is changed`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let before = try fixture.files.filter { !$0.hasSuffix("-shm") }.map {
            try Data(contentsOf: URL(fileURLWithPath: $0))
        }
        #expect(throws: ProtectedDatabaseError.newer(version: 2)) { try fixture.open(.complete, [Self.one]) }
        let after = try fixture.files.filter { !$0.hasSuffix("-shm") }.map {
            try Data(contentsOf: URL(fileURLWithPath: $0))
        }
        #expect(before == after)
    }

    @Test func `DR15 a step that was changed after it ran is told, and so are wrong numbers`() throws {
        try fixture.open(.complete, [Self.one]).close()
        let changed = DatabaseMigration(1, "one", "CREATE TABLE a(x)", "INSERT INTO a VALUES (\(8))")
        #expect(throws: ProtectedDatabaseError.migration(.changed(number: 1))) {
            try fixture.open(.complete, [changed])
        }
        #expect(throws: ProtectedDatabaseError.migration(.numbering)) { try fixture.open(.complete, [Self.two]) }
    }

    @Test func `DR15 before a step that drops data a sealed copy is kept, which opens with the data`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let database = try fixture.open(.complete, [Self.one, Self.two, Self.three])
        #expect(try columns(database) == ["y"])
        #expect(database.hasCopy(beforeStep: 3))
        database.close()
        // Put in place of the database, it is what was before.
        let main = fixture.main
        let copy = try #require(fixture.files.first { $0.hasSuffix("-before-3.db") })
        for suffix in ["", "-wal", "-tags0", "-tags1"] {
            try? FileManager.default.removeItem(atPath: main + suffix)
            if FileManager.default.fileExists(atPath: copy + suffix) {
                try FileManager.default.moveItem(atPath: copy + suffix, toPath: main + suffix)
            }
        }
        try? FileManager.default.removeItem(atPath: "\(main)-shm")
        let older = try fixture.open(.complete, [Self.one, Self.two])
        #expect(try columns(older) == ["x", "y"])
        #expect(try older.verify().isIntact)
    }

    // A statement of a step that fails is what a kill at this statement leaves: nothing of the step. A kill inside of
    // SQLite's own writes is played by EncryptedDatabaseTests.
    @Test(arguments: 0...3)
    func `DR15 a step that stops at any of its statements leaves the schema of before, and can run again`(_ at: Int)
        throws
    {
        try fixture.open(.complete, [Self.one]).close()
        let work: [SQL] = ["ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = x + 1 WHERE 1", "CREATE INDEX i ON a(y)"]
        func step(_ pieces: [SQL]) -> DatabaseMigration {
            switch pieces.count {
            case 3: DatabaseMigration(2, "two", pieces[0], pieces[1], pieces[2])
            default: DatabaseMigration(2, "two", pieces[0], pieces[1], pieces[2], pieces[3])
            }
        }
        var broken = work
        broken.insert("INSERT INTO nowhere VALUES (1)", at: at)
        #expect(throws: ProtectedDatabaseError.self) { try fixture.open(.complete, [Self.one, step(broken)]) }
        let before = try fixture.open(.complete, [Self.one])
        #expect(try columns(before) == ["x"])
        before.close()
        let after = try fixture.open(.complete, [Self.one, step(work)])
        #expect(try columns(after) == ["x", "y"])
    }

    @Test(arguments: 1...5)
    func `DR15 a process that is killed at a statement of a step leaves the schema of before`(_ at: Int) async throws {
        let fixture = fixture
        try fixture.open(.complete, [Self.one]).close()
        // The database's own clock of statements: an exit in a child is a kill to the files, no statement after it
        // runs.
        await #expect(processExitsWith: .exitCode(9)) { [at] in
            let fixture = try DatabaseFixture()
            try fixture.open(.complete, [MigrationTests.one]).close()
            let database = try fixture.open(.complete, [MigrationTests.one])
            try database.write { access in
                let work: [SQL] = [
                    "ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = x WHERE 1", "CREATE INDEX i ON a(y)",
                    "DROP INDEX i",
                    "INSERT INTO a VALUES (1, 2)",
                ]
                for statement in work.prefix(at) { try access.run(statement) }
                let files = fixture.files.filter { !$0.hasSuffix("-shm") }
                // What a kill leaves is what lies there now.
                let other = try ProtectedDatabase.open(
                    "diary", in: fixture.container, protection: .complete, migrations: [MigrationTests.one])
                let columns = try other.read { try $0.rows("SELECT name FROM pragma_table_info('a')").count }
                exit(columns == 1 && !files.isEmpty ? 9 : 1)
            }
        }
    }
}
