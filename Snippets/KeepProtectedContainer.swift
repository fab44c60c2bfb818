#if os(Linux)
// Keep an app's own files and database under keys that end together.
import PaviseProtectedStorage
import PaviseStorage

let diary = try ProtectedContainer.open("sleep-diary")
let nights = try diary.database(
    "nights", protection: .complete,
    migrations: [
        DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, note TEXT NOT NULL)")
    ])
let note = "slept well"
try nights.write { try $0.run("INSERT INTO night(note) VALUES (\(note))") }
let count = try nights.read { try $0.value("SELECT count(*) FROM night", as: Int.self) }
let report = try diary.files.put(
    Array("\(count ?? 0) nights".utf8), named: "report.txt", type: "text/plain", protection: .complete)
print(try diary.files.get(report, limit: 1_000).count)

// The account is gone: so is everything of it, also from copies of the folder.
nights.close()
try diary.remove()
#endif
