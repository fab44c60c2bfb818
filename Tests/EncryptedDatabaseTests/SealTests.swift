import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

@Suite struct SealTests {
    static let canary = "canary-\(String(repeating: "7f3a", count: 8))"

    /// All bytes of all files in the folder.
    private func everything(_ shelf: Shelf) throws -> [(name: String, bytes: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: shelf.folder.path).map { name in
            (name, try Data(contentsOf: URL(fileURLWithPath: "\(shelf.folder.path)/\(name)")))
        }
    }

    @Test func `no file of the folder holds a value, a table's name or SQLite's mark in clear`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        for _ in 0..<200 { try database.run("INSERT INTO note(text) VALUES (?)", [.text(Self.canary)]) }
        _ = try database.rows("SELECT * FROM note ORDER BY text DESC")
        try database.transaction { try $0.run("DELETE FROM note WHERE id < 100") }
        try database.run("VACUUM")
        for stage in ["open", "closed"] {
            let files = try everything(shelf)
            #expect(Set(files.map(\.name)) == ["shelf.db", "shelf.db-wal", "shelf.db-shm"])
            for file in files {
                for secret in [Self.canary, "CREATE TABLE", "SQLite format"] {
                    #expect(file.bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(file.name), \(stage)")
                }
            }
            database.close()
        }
    }

    @Test func `files are for their owner alone`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        defer { database.close() }
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: shelf.path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test func `another key is refused and changes nothing`() throws {
        var shelf = try Shelf()
        try shelf.openWithTable().close()
        let before = try everything(shelf).map(\.bytes)
        shelf.keyByte = 8
        #expect(shelf.finding() == .refused(.wrongKeyOrDamaged))
        #expect(try everything(shelf).map(\.bytes) == before)
    }

    @Test func `a key of another length is refused`() throws {
        let shelf = try Shelf()
        let short = SecretBytes(copying: [UInt8](repeating: 1, count: 16).span)
        #expect(throws: DatabaseFailure.self) { try Database.open(shelf.path, key: short) }
        #expect(!FileManager.default.fileExists(atPath: shelf.path))
    }

    @Test(arguments: ["", "SQLite format 3\0", "Pavise encrypted database 1\n", String(repeating: "x", count: 9000)])
    func `a file that is not one of ours is refused and stays as it is`(_ text: String) throws {
        let shelf = try Shelf()
        try Data(text.utf8).write(to: URL(fileURLWithPath: shelf.path))
        #expect(shelf.finding().isDamage)
        #expect(try Data(contentsOf: URL(fileURLWithPath: shelf.path)) == Data(text.utf8))
    }

    @Test(arguments: ["a b.db", "100%.db", "what?.db", "a#b&ticket=1.db", "ünïcode 😀.db"])
    func `a name means itself`(_ name: String) throws {
        let shelf = try Shelf()
        let path = "\(shelf.folder.path)/\(name)"
        try Database.open(path, key: shelf.key).close()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `an attached file and a rollback journal are refused`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        let plain = "\(shelf.folder.path)/plain.db"
        #expect(throws: DatabaseFailure.self) { try database.run("ATTACH ? AS other", [.text(plain)]) }
        #expect(throws: DatabaseFailure.self) { try database.run("VACUUM INTO ?", [.text(plain)]) }
        #expect(!FileManager.default.fileExists(atPath: plain))
        _ = try? database.run("PRAGMA journal_mode=DELETE")
        _ = try? database.run("INSERT INTO note(text) VALUES ('x')")
        #expect(!FileManager.default.fileExists(atPath: "\(shelf.path)-journal"))
    }

    @Test func `a large transaction spills into the log and comes back whole`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try database.run("PRAGMA cache_size=10")
        try database.transaction { transaction in
            for number in 0..<3000 {
                try transaction.run("INSERT INTO note(text) VALUES (?)", [.text("\(number) \(Self.canary)")])
            }
            try transaction.run("UPDATE note SET text = text || 'b'")
            try transaction.run("SAVEPOINT one")
            try transaction.run("UPDATE note SET text = text || 'lost'")
            try transaction.run("ROLLBACK TO one")
        }
        let files = try shelf.files()
        let other = try Shelf()
        try other.put(files)
        #expect(other.finding() == .texts((0..<3000).map { "\($0) \(Self.canary)b" }))
    }

    @Test func `a rolled back transaction that spilled leaves the log sound`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try database.run("PRAGMA cache_size=10")
        struct Stop: Error {}
        for round in 0..<5 {
            try? database.transaction { transaction in
                for _ in 0..<2000 { try transaction.run("INSERT INTO note(text) VALUES (?)", [.text(Self.canary)]) }
                throw Stop()
            }
            try database.run("INSERT INTO note(text) VALUES (?)", [.text("\(round)")])
        }
        let other = try Shelf()
        try other.put(try shelf.files())
        #expect(other.finding() == .texts((0..<5).map { "\($0)" }))
    }

    @Test func `a scan gives what was written and moved into the file since the last scan`() throws {
        let shelf = try Shelf()
        let (reader, writer) = (try shelf.openWithTable(), try shelf.open())
        let filler = String(repeating: "x", count: 1000)
        for round in 0..<4 {
            // Every page is another one afterwards, more of them in each round, and none is left in the log.
            try writer.transaction { transaction in
                try transaction.run("UPDATE note SET text = ?", [.text("\(round) \(filler)")])
                for _ in 0..<200 {
                    try transaction.run("INSERT INTO note(text) VALUES (?)", [.text("\(round) \(filler)")])
                }
            }
            try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
            let texts = try shelf.texts(reader)
            #expect(texts.count == 200 * (round + 1) && Set(texts) == ["\(round) \(filler)"])
            // One connection that moves the log itself, and reads.
            #expect(try Set(shelf.texts(writer)) == ["\(round) \(filler)"])
        }
    }

    @Test func `a connection notices that another one began the log anew`() throws {
        let shelf = try Shelf()
        let one = try shelf.openWithTable()
        let two = try shelf.open()
        for round in 0..<6 {
            try two.run("INSERT INTO note(text) VALUES (?)", [.text("two \(round)")])
            try one.run(round % 2 == 0 ? "PRAGMA wal_checkpoint(RESTART)" : "PRAGMA wal_checkpoint(TRUNCATE)")
            try one.run("INSERT INTO note(text) VALUES (?)", [.text("one \(round)")])
        }
        let expected = (0..<6).flatMap { ["two \($0)", "one \($0)"] }
        #expect(try shelf.texts(one) == expected)
        #expect(try shelf.texts(two) == expected)
        let other = try Shelf()
        try other.put(try shelf.files())
        #expect(other.finding() == .texts(expected))
    }

    @Test func `a connection that reads nothing from the new log still writes under its key`() throws {
        let shelf = try Shelf()
        let one = try shelf.openWithTable()
        try one.run("CREATE TABLE far(value TEXT)")
        try one.run("INSERT INTO far VALUES ('0')")
        try one.run("INSERT INTO note(text) VALUES ('0')")
        let two = try shelf.open()
        for round in 1..<6 {
            try two.run("UPDATE note SET text = ?", [.text("\(round)")])
            try one.run("PRAGMA wal_checkpoint(RESTART)")
            // Only the page of the other table is in the log now.
            try one.run("UPDATE far SET value = ?", [.text("\(round)")])
            try two.run("UPDATE note SET text = ?", [.text("\(round) again")])
            let other = try Shelf()
            try other.put(try shelf.files())
            #expect(other.finding() == .texts(["\(round) again"]))
            #expect(try other.open().rows("SELECT value FROM far")[0].text(0) == "\(round)")
        }
    }
}
