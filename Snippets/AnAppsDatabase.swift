// An app's own database behind its lock: sealed, gone with a wipe, its key in memory only while the lock is open.
import Pavise

struct Night: Codable, Sendable {
    let date: String
    let awake: Int
}

let security = try AppSecurity(identifier: "org.example.diary")
let steps = [DatabaseMigration(1, "nights", "CREATE TABLE night(date TEXT PRIMARY KEY, awake INTEGER) STRICT")]
let diary = try security.database("diary", protection: .complete, migrations: steps)
try diary.write { _ = try $0.run("INSERT OR REPLACE INTO night(date, awake) VALUES (\("2026-11-24"), \(3))") }
let nights = try diary.read { try $0.rows("SELECT * FROM night", as: Night.self) }
print(nights.map(\.awake))
