import Foundation
import PavisePrimitives
import PaviseProtectedStorage
import Synchronization
import TestSupport
import Testing

@testable import PaviseStorage

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

    // The statement after which the child ends stands in a real step: nothing behind it runs there.
    @Test(arguments: 0...3)
    func `DR15 a process that ends inside of a step leaves the schema of before, and the step runs later`(
        _ point: Int
    ) async throws {
        let home = fixture.folder.path + "/home"
        try fixture.open(.complete, [Self.one]).close()
        await #expect(processExitsWith: .exitCode(9)) { [home = home as String, point = point as Int] in
            let container = try DatabaseFixture.container(home)
            let left = Atomic(point)
            let stop: @Sendable (MigrationPoint) -> Bool = { _ in
                if left.subtract(1, ordering: .relaxed).oldValue == 0 { exit(9) }
                return true
            }
            try MigrationPoint.$observer.withValue(stop) {
                _ = try ProtectedDatabase.open(
                    "diary", in: container, protection: .complete,
                    migrations: [MigrationTests.one, MigrationTests.work])
            }
        }
        let before = try fixture.open(.complete, [Self.one])
        #expect(try columns(before) == ["x"])
        #expect(try before.verify().isIntact)
        before.close()
        let after = try fixture.open(.complete, [Self.one, Self.work])
        #expect(try columns(after) == ["x", "y"])
        #expect(try await after.read { try $0.value("SELECT y FROM a", as: Int.self) } == 8)
    }

    static let work = DatabaseMigration(
        2, "work", "ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = x + 1 WHERE 1", "CREATE INDEX i ON a(y)")

    @Test(
        arguments: [
            "CREATE TABLE b(x); CREATE TABLE c(x)", "CREATE INDEX i ON a(x); DROP TABLE a", "COMMIT", "BEGIN",
            "ROLLBACK", "SAVEPOINT s",
        ] as [String])
    func `DR14 DR15 a step with two statements in one, or with an end of its transaction, is refused whole`(
        _ text: String
    ) throws {
        let bad = DatabaseMigration(2, "bad", "CREATE TABLE d(x)", SQL(typed: text))
        try fixture.open(.complete, [Self.one]).close()
        #expect(throws: ProtectedDatabaseError.self) { try fixture.open(.complete, [Self.one, bad]) }
        let database = try fixture.open(.complete, [Self.one])
        #expect(try database.read { try $0.value("SELECT count(*) FROM sqlite_schema WHERE name = 'd'") } == 0)
    }

    // MARK: The copy of before a step

    private func drop(_ losesData: Bool?, _ statement: SQL) -> DatabaseMigration {
        DatabaseMigration(3, "drop", losesData: losesData, statement)
    }

    @Test func `DR15 a step that drops data keeps a copy also where its author does not say so`() throws {
        for statement in ["ALTER TABLE a DROP COLUMN y", "DROP TABLE a", "DELETE FROM a"] {
            let fixture = try DatabaseFixture()
            try fixture.open(.complete, [Self.one, Self.two]).close()
            let step = drop(nil, SQL(typed: statement))
            #expect(step.losesData)
            #expect(try fixture.open(.complete, [Self.one, Self.two, step]).hasCopy(beforeStep: 3))
        }
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let without = try fixture.open(.complete, [Self.one, Self.two, drop(false, "ALTER TABLE a DROP COLUMN y")])
        #expect(!without.hasCopy(beforeStep: 3))
    }

    @Test func `a database that is made just now has nothing to copy`() throws {
        #expect(try !fixture.open(.complete, [Self.one, Self.two, Self.three]).hasCopy(beforeStep: 3))
    }

    @Test func `DR15 the copy is put back, and the mended step runs anew`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let database = try fixture.open(.complete, [Self.one, Self.two, Self.three])
        #expect(throws: ProtectedDatabaseError.absent) { try database.restoreCopy(beforeStep: 2) }
        try database.write { try $0.run("INSERT INTO a VALUES (9)") }
        try database.restoreCopy(beforeStep: 3)
        #expect(try columns(database) == ["x", "y"])
        #expect(!database.hasCopy(beforeStep: 3))
        database.close()
        let mended = try fixture.open(.complete, [Self.one, Self.two, drop(nil, "ALTER TABLE a DROP COLUMN y")])
        #expect(try columns(mended) == ["x"])
        #expect(try mended.read { try $0.rows("SELECT x FROM a").map { try $0.value("x", as: Int.self) } } == [7])
        #expect(try mended.verify().isIntact)
        // Of now, and not the one from before.
        #expect(mended.hasCopy(beforeStep: 3))
    }

    @Test func `DR15 a copy of a try that failed does not stand for what was written since`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let broken = DatabaseMigration(3, "drop", "ALTER TABLE a DROP COLUMN y", "INSERT INTO nowhere VALUES (1)")
        #expect(throws: ProtectedDatabaseError.self) { try fixture.open(.complete, [Self.one, Self.two, broken]) }
        let meanwhile = try fixture.open(.complete, [Self.one, Self.two])
        #expect(meanwhile.hasCopy(beforeStep: 3))
        try meanwhile.write { try $0.run("INSERT INTO a VALUES (9, 9)") }
        meanwhile.close()
        let mended = try fixture.open(.complete, [Self.one, Self.two, Self.three])
        try mended.restoreCopy(beforeStep: 3)
        #expect(try mended.read { try $0.rows("SELECT x FROM a").map { try $0.value("x", as: Int.self) } } == [7, 9])
    }

    @Test func `DR15 a copy is removed when it is asked for, and with it all that lies beside it`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let database = try fixture.open(.complete, [Self.one, Self.two, Self.three])
        #expect(fixture.files.contains { $0.contains("-before-3") })
        try database.removeCopy(beforeStep: 3)
        try database.removeCopy(beforeStep: 3)
        #expect(!fixture.files.contains { $0.contains("-before-") })
        #expect(try columns(database) == ["y"])
    }

    @Test(arguments: [(29, true), (31, false)])
    func `DR15 a copy is kept for 30 days`(_ days: Int, _ isKept: Bool) throws {
        let steps = [Self.one, Self.two, Self.three]
        try fixture.open(.complete, [Self.one, Self.two]).close()
        try fixture.open(.complete, steps).close()
        let then = Date(timeIntervalSinceNow: -86_400 * Double(days))
        for file in fixture.files where file.contains("-before-") {
            try FileManager.default.setAttributes([.modificationDate: then], ofItemAtPath: file)
        }
        #expect(try fixture.open(.complete, steps).hasCopy(beforeStep: 3) == isKept)
        #expect(fixture.files.contains { $0.contains("-before-") } == isKept)
    }

    static let four = DatabaseMigration(4, "four", "ALTER TABLE a ADD COLUMN z")

    @Test(arguments: [(FileStep.Call.list, "/protected/database"), (FileStep.Call.remove, "-before-3.db")])
    func `DR15 where an old copy cannot be removed the steps have run, and the next opening removes it`(
        _ call: FileStep.Call, _ end: String
    ) throws {
        let steps = [Self.one, Self.two, Self.three]
        try fixture.open(.complete, [Self.one, Self.two]).close()
        try fixture.open(.complete, steps).close()
        let then = Date(timeIntervalSinceNow: -86_400 * 31)
        for file in fixture.files where file.contains("-before-") {
            try FileManager.default.setAttributes([.modificationDate: then], ofItemAtPath: file)
        }
        let observer = FileObserver(failure: { $0.call == call && $0.path.hasSuffix(end) ? EIO : nil })
        try FileObserver.$current.withValue(observer) {
            let database = try fixture.open(.complete, steps + [Self.four])
            #expect(try columns(database) == ["y", "z"])
            #expect(database.hasCopy(beforeStep: 3))
            database.close()
        }
        #expect(try !fixture.open(.complete, steps + [Self.four]).hasCopy(beforeStep: 3))
    }

    @Test func `what a kill left of a copy is no part of the next one`() throws {
        try fixture.open(.complete, [Self.one, Self.two]).close()
        let litter = fixture.main.dropLast(3) + "-before-3.db-wal"
        try Data("left".utf8).write(to: URL(fileURLWithPath: String(litter)))
        let database = try fixture.open(.complete, [Self.one, Self.two, Self.three])
        try database.restoreCopy(beforeStep: 3)
        #expect(try columns(database) == ["x", "y"])
    }
}
