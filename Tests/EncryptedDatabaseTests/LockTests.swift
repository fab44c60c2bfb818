import Foundation
import PaviseDatabase
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// data-at-rest/DR9: a key is forgotten while the database is open.
@Suite struct LockTests {
    static func options(readOnly: Bool = false) -> DatabaseOptions {
        var options = DatabaseOptions()
        options.forgetsKey = true
        options.readOnly = readOnly
        options.watchesStatements = true
        return options
    }

    static func open(_ shelf: Shelf) throws -> Database {
        let database = try Database.open(shelf.path, key: shelf.key, options: options())
        try database.run("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        return database
    }

    @Test func `DR9 after the lock every call is locked, and after an unlock the same object works`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        try database.run("INSERT INTO note(text) VALUES ('before')")
        database.forgetKey()
        #expect(database.isLocked)
        #expect(throws: DatabaseFailure.locked) { try database.rows("SELECT * FROM note") }
        #expect(throws: DatabaseFailure.locked) { try database.run("INSERT INTO note(text) VALUES ('during')") }
        #expect(throws: DatabaseFailure.locked) { try database.transaction { try $0.run("DELETE FROM note") } }
        #expect(throws: DatabaseFailure.locked) { try database.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
        #expect(throws: DatabaseFailure.locked) { try database.verify() }
        database.forgetKey()
        try database.reopen(key: shelf.key)
        #expect(try shelf.texts(database) == ["before"])
        try database.run("INSERT INTO note(text) VALUES ('after')")
        #expect(try shelf.texts(database) == ["before", "after"])
    }

    @Test func `DR9 closing after the lock needs no key, and the sealed log waits with every commit`() throws {
        let shelf = try Shelf()
        do {
            let database = try Self.open(shelf)
            for number in 0..<50 { try database.run("INSERT INTO note(text) VALUES (?)", [.text("row \(number)")]) }
            let before = try shelf.files()
            database.forgetKey()
            database.close()
            #expect(try shelf.files().main == before.main)
            #expect(try shelf.files().log == before.log)
        }
        let again = try Self.open(shelf)
        #expect(try shelf.texts(again).count == 50)
    }

    @Test func `DR9 a connection that forgets its key closes without moving the log`() throws {
        let shelf = try Shelf()
        do { try Self.open(shelf).run("INSERT INTO note(text) VALUES ('x')") }
        let files = try shelf.files()
        do { _ = try Self.open(shelf).rows("SELECT * FROM note") }
        #expect(try shelf.files().main == files.main)
    }

    @Test func `DR9 a lock in the middle of a transaction takes it back, and its rest does not run later`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        #expect(throws: DatabaseFailure.locked) {
            try database.transaction { transaction in
                try transaction.run("INSERT INTO note(text) VALUES ('half')")
                database.forgetKey()
                // Inside of the transaction it cannot be opened: the rest would be a statement of its own.
                #expect(throws: DatabaseFailure.self) { try database.reopen(key: shelf.key) }
                try transaction.run("INSERT INTO note(text) VALUES ('other half')")
            }
        }
        try database.reopen(key: shelf.key)
        #expect(try shelf.texts(database) == [])
    }

    @Test func `DR9 a long statement is stopped`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex<DatabaseFailure?>(nil)
        Thread.detachNewThread {
            begun.signal()
            do throws(DatabaseFailure) {
                // Nothing of it needs the disk, and it would run for hours.
                _ = try database.rows(
                    """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000000000)
                    SELECT max(n) FROM number
                    """)
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        begun.wait()
        usleep(20_000)
        database.forgetKey()
        #expect(ended.wait(timeout: .now() + 10) == .success)
        #expect(failure.withLock { $0 } == .locked)
    }

    @Test func `DR9 a statement that waits for another connection's lock is let go`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        let other = try shelf.open()
        try other.transaction { transaction in
            try transaction.run("INSERT INTO note(text) VALUES ('other')")
            let ended = DispatchSemaphore(value: 0)
            let failure = Mutex<DatabaseFailure?>(nil)
            Thread.detachNewThread {
                do throws(DatabaseFailure) {
                    try database.run("INSERT INTO note(text) VALUES ('mine')")
                } catch {
                    failure.withLock { $0 = error }
                }
                ended.signal()
            }
            usleep(20_000)
            database.forgetKey()
            #expect(ended.wait(timeout: .now() + 4) == .success)
            #expect(failure.withLock { $0 } == .locked)
        }
        try database.reopen(key: shelf.key)
        #expect(try shelf.texts(database) == ["other"])
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `DR9 locks amid reads, writes, checkpoints and closes lose no commit and break nothing`(_ seed: UInt64) throws
    {
        let shelf = try Shelf()
        let acknowledged = Mutex<Int>(0)
        let unexpected = Mutex<[DatabaseFailure]>([])
        var dice = Dice(state: seed)
        for round in 0..<12 {
            let database = try Self.open(shelf)
            let done = DispatchGroup()
            for worker in 0..<3 {
                done.enter()
                Thread.detachNewThread {
                    do throws(DatabaseFailure) {
                        while true {
                            if worker == 0 {
                                try database.run("INSERT INTO note(text) VALUES (hex(randomblob(3000)))")
                                acknowledged.withLock { $0 += 1 }
                            } else if worker == 1 {
                                _ = try database.rows("SELECT count(*), sum(length(text)) FROM note WHERE text > 'A'")
                            } else {
                                _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
                            }
                        }
                    } catch {
                        if error != .locked { unexpected.withLock { $0.append(error) } }
                    }
                    done.leave()
                }
            }
            usleep(UInt32.random(in: 500..<15_000, using: &dice))
            database.forgetKey()
            if round % 2 == 0 { database.close() }
            #expect(done.wait(timeout: .now() + 20) == .success)
        }
        #expect(unexpected.withLock { $0 } == [])
        let found = try shelf.open()
        #expect(try found.rows("PRAGMA integrity_check").first?.text(0) == "ok")
        let count = try found.rows("SELECT count(*) FROM note").first?.integer(0) ?? -1
        // A commit that the lock let pass may not have been counted yet when the thread ended.
        #expect(count >= Int64(acknowledged.withLock { $0 }))
    }

    @Test func `DR9 reopening with another key is refused and leaves it locked`() throws {
        var shelf = try Shelf()
        let database = try Self.open(shelf)
        database.forgetKey()
        shelf.keyByte = 9
        #expect(throws: DatabaseFailure.wrongKeyOrDamaged) { try database.reopen(key: shelf.key) }
        #expect(database.isLocked)
        shelf.keyByte = 7
        try database.reopen(key: shelf.key)
        #expect(try shelf.texts(database) == [])
    }

    @Test func `DR10 an emptied or missing database beside its log is refused, never made anew`() throws {
        for isRemoved in [false, true] {
            let shelf = try Shelf()
            let database = try Self.open(shelf)
            try database.run("INSERT INTO note(text) VALUES ('x')")
            database.forgetKey()
            if isRemoved {
                try FileManager.default.removeItem(atPath: shelf.path)
            } else {
                try Data().write(to: URL(fileURLWithPath: shelf.path))
            }
            #expect(throws: DatabaseFailure.self) { try database.reopen(key: shelf.key) }
            #expect(FileManager.default.fileExists(atPath: shelf.path) == !isRemoved)
        }
    }

    @Test func `DR17 between calls nobody holds a lock that keeps others from reading, writing or moving the log`()
        throws
    {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        try database.run("INSERT INTO note(text) VALUES ('x')")
        _ = try database.rows("SELECT * FROM note")
        _ = try? database.transaction(.read) { access in
            _ = try access.rows("SELECT * FROM note")
            throw DatabaseFailure.busy
        }
        let other = try shelf.open()
        let moved = try other.rows("PRAGMA wal_checkpoint(TRUNCATE)").first
        #expect(moved?.integer(0) == 0)
        try other.run("INSERT INTO note(text) VALUES ('y')")
        other.close()
        // The kernel's own list: shared marks that say "open" only (SQLite's PENDING byte and following, and the
        // index's 128).
        let locks = try Self.locks(of: [shelf.path, "\(shelf.path)-wal", "\(shelf.path)-shm"])
        #expect(locks.allSatisfy { $0.contains(" READ ") }, "\(locks)")
        database.forgetKey()
        #expect(try Self.locks(of: [shelf.path, "\(shelf.path)-wal", "\(shelf.path)-shm"]) == [])
    }

    /// The lines of the kernel's table of locks that are about these files.
    private static func locks(of files: [String]) throws -> [String] {
        // Not by Foundation: it ends a file of the kernel at the first page.
        let table = String(decoding: try InputFile.read("/proc/locks", limit: 1 << 24), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let numbers = files.compactMap { path in
            (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]).flatMap { $0 as? Int }
        }
        return table.filter { line in numbers.contains { line.contains(":\($0) ") } }
    }
}
