import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

/// The database as another process sees it: the code of a test's child.
private enum Child {
    static func open(_ path: String) throws -> Database {
        try Database.open(path, key: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span), busyTimeout: 20_000)
    }

    /// Adds `count` rows with this `name`, each a transaction of its own.
    static func add(_ count: Int, _ name: String, to path: String) throws {
        let database = try open(path)
        for number in 0..<count {
            try database.transaction { transaction in
                let sum = try transaction.rows("SELECT value FROM sum")[0].integer(0) ?? 0
                try transaction.run("UPDATE sum SET value = ?", [.integer(sum + 1)])
                try transaction.run("INSERT INTO note(text) VALUES (?)", [.text("\(name) \(number)")])
            }
        }
        database.close()
    }

    /// Adds rows and notes each in `notes` after it is stored. `rows` rows later, it is killed within `microseconds`.
    static func addUntilKilled(_ path: String, notes: String, rows: Int, microseconds: UInt32) throws {
        let database = try open(path)
        let file = try FileDescriptor.open(notes, O_WRONLY | O_CREAT | O_APPEND)
        try database.run("PRAGMA wal_autocheckpoint=5")
        var added = 0
        while true {
            if added == rows {
                Thread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }.start()
            }
            try database.run("INSERT INTO note(text) VALUES (?)", [.text(String(repeating: "z", count: 3000))])
            try file.write(Array("\(database.lastInsertedRow)\n".utf8).span)
            added += 1
        }
    }
}

@Suite struct ProcessTests {
    private func shelfWithSum() throws -> Shelf {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try database.run("CREATE TABLE sum(value INTEGER)")
        try database.run("INSERT INTO sum VALUES (0)")
        database.close()
        return shelf
    }

    @Test func `several processes write at once and nothing is lost or doubled`() async throws {
        let shelf = try shelfWithSum()
        let path = shelf.path
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
                        try Child.add(60, name, to: path)
                    }
                }
            }
            group.addTask { #expect(throws: Never.self) { try Child.add(60, "own", to: path) } }
        }
        let database = try shelf.open()
        #expect(try database.rows("SELECT value FROM sum")[0].integer(0) == 240)
        #expect(try database.rows("SELECT count(DISTINCT text) FROM note")[0].integer(0) == 240)
        #expect(try database.rows("PRAGMA integrity_check")[0].text(0) == "ok")
    }

    @Test func `connections of one process write and read at once`() throws {
        let shelf = try shelfWithSum()
        let path = shelf.path
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            #expect(throws: Never.self) { try Child.add(40, "\(worker)", to: path) }
        }
        #expect(try shelf.texts(try shelf.open()).count == 160)
    }

    @Test(.long) func `a killed process loses no row that it was told is stored`() async throws {
        let shelf = try shelfWithSum()
        let (path, notes) = (shelf.path, "\(shelf.folder.path)/notes")
        var dice = Dice(state: 5)
        for _ in 0..<30 {
            let rows = Int.random(in: 0...8, using: &dice)
            let wait = UInt32.random(in: 0...6_000, using: &dice)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, notes = notes as String, rows = rows as Int, wait = wait as UInt32] in
                try Child.addUntilKilled(path, notes: notes, rows: rows, microseconds: wait)
            }
            let database = try shelf.open()
            let stored = try Set(database.rows("SELECT id FROM note").compactMap { $0.integer(0) })
            let noted = try DurableFile.readIfPresent(notes, limit: 1 << 24) ?? []
            let acknowledged = Set(
                String(decoding: noted, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) })
            #expect(acknowledged.subtracting(stored).isEmpty)
            #expect(try database.rows("PRAGMA integrity_check")[0].text(0) == "ok")
            database.close()
        }
        #expect(try DurableFile.read(notes, limit: 1 << 24).count > 100)
    }

    @Test(.long) func `a process that is killed while it makes the database leaves nothing or all of it`() async throws
    {
        for wait in stride(from: UInt32(0), to: 12_000, by: 600) {
            let shelf = try Shelf()
            let path = shelf.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, wait = wait as UInt32] in
                Thread {
                    usleep(wait)
                    kill(getpid(), SIGKILL)
                }.start()
                while true { try Child.open(path).close() }
            }
            #expect(throws: Never.self) { try shelf.openWithTable().run("INSERT INTO note(text) VALUES ('x')") }
            let names = try FileManager.default.contentsOfDirectory(atPath: shelf.folder.path)
            #expect(!names.contains { $0.hasSuffix(".new") })
        }
    }

    @Test func `two processes that make the database at once share it`() async throws {
        let shelf = try Shelf()
        let path = shelf.path
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
                        let database = try Child.open(path)
                        try database.run("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
                        try database.run("INSERT INTO note(text) VALUES (?)", [.text(name)])
                    }
                }
            }
        }
        #expect(try Set(shelf.texts(try shelf.open())) == ["a", "b", "c"])
    }
}
