import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport

/// A database in a folder of its own, with the same key each time.
struct Shelf {
    let folder: TemporaryFolder
    var keyByte: UInt8 = 7

    init() throws { folder = try TemporaryFolder() }

    var path: String { "\(folder.path)/shelf.db" }

    var key: SecretBytes { SecretBytes(copying: [UInt8](repeating: keyByte, count: 32).span) }

    func open(readOnly: Bool = false) throws -> Database { try Database.open(path, key: key, readOnly: readOnly) }

    /// A database with one table.
    func openWithTable() throws -> Database {
        let database = try open()
        try database.run("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        return database
    }

    /// Every text, in order.
    func texts(_ database: Database) throws -> [String?] {
        try database.rows("SELECT text FROM note ORDER BY id").map { $0.text(0) }
    }

    /// The files as they are now, as a kill would leave them.
    func files() throws -> Files {
        Files(
            main: try Array(Data(contentsOf: URL(fileURLWithPath: path))),
            log: try Array(Data(contentsOf: URL(fileURLWithPath: "\(path)-wal"))))
    }

    /// Puts `files` in place of what is there; no connection may be open.
    func put(_ files: Files) throws {
        try? FileManager.default.removeItem(atPath: "\(path)-shm")
        try Data(files.main).write(to: URL(fileURLWithPath: path))
        try Data(files.log).write(to: URL(fileURLWithPath: "\(path)-wal"))
    }

    struct Files {
        var main: [UInt8]
        var log: [UInt8]
    }

    /// What somebody who opens the files finds.
    func finding() -> Finding {
        do {
            let database = try open()
            defer { database.close() }
            let check = try database.rows("PRAGMA integrity_check").first?.text(0)
            guard check == "ok" else { return .refused(.corrupt(detail: check ?? "")) }
            return .texts(try texts(database))
        } catch let failure as DatabaseFailure {
            return .refused(failure)
        } catch {
            return .refused(.other(code: -1, message: "\(error)"))
        }
    }

    enum Finding: Equatable {
        case texts([String?])
        case refused(DatabaseFailure)

        /// Whether the seal noticed the damage; that SQLite stumbles over it is not enough.
        var isDamage: Bool {
            [.refused(.brokenSeal), .refused(.lostDatabase), .refused(.wrongKeyOrDamaged)].contains(self)
        }
    }
}

/// Numbers that are the same in each run.
struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
