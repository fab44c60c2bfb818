// Keep an app's own files and database under keys that end together.
import PaviseProtectedStorage
import PaviseStorage

let diary = try ProtectedContainer.open("sleep-diary")
let report = try diary.files.put(
    Array("Slept 7 h 20 min".utf8), named: "report.txt", type: "text/plain", protection: .complete)
print(try diary.files.get(report, limit: 1_000).count)

let nights = try diary.database(
    "nights", protection: .complete,
    migrations: [
        DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, note TEXT NOT NULL)")
    ])
let note = "slept well"
try nights.write { try $0.run("INSERT INTO night(note) VALUES (\(note))") }
let count = try nights.read { try $0.value("SELECT count(*) FROM night", as: Int.self) }
print(count ?? 0)

// The account is gone: so is everything of it, also from copies of the folder.
nights.close()
try diary.remove()
