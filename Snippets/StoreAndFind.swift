// Settings, files and rows of an app, and what its folder may hold.
import Pavise
import PaviseProtectedStorage
import PaviseStorage

nonisolated struct Night: Decodable, Sendable { let awake: Int }

/// The versions of a database, in their order.
func migrations() -> [DatabaseMigration] {
    let steps = [
        DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, up REAL NOT NULL)"),
        DatabaseMigration(2, "no notes", losesData: true, "ALTER TABLE night DROP COLUMN note"),
    ]
    return steps
}

/// A step went wrong, and its copy is there.
func takeBack(_ nights: ProtectedDatabase) throws {
    if nights.hasCopy(beforeStep: 2) { try nights.restoreCopy(beforeStep: 2) }
}

/// Values never become a part of the statement's text.
func search(_ id: Int, _ date: Double, since: Double?, newestFirst: Bool) -> (SQL, SQL) {
    let night: SQL = "SELECT * FROM night WHERE id = \(id) AND date > \(date)"
    var search: SQL = "SELECT * FROM night WHERE 1"
    if let since { search += " AND date >= \(since)" }
    search += newestFirst ? " ORDER BY date DESC" : " ORDER BY date"
    return (night, search)
}

/// Asks again whenever a table changes.
func follow(_ diary: ProtectedDatabase, show: ([Night]) -> Void) async throws {
    for try await nights in diary.values(of: ["night"], { try $0.rows("SELECT * FROM night", as: Night.self) }) {
        show(nights)
    }
}

/// A value that may be missing.
func awake(in row: DatabaseRow) throws -> Int? {
    let awake: Int? = try row.value("awake")
    return awake
}

/// A file that opens only while the device is unlocked.
func report(_ pdf: [UInt8]) throws -> [UInt8] {
    let files = try ProtectedFiles.ofHome()
    let report = try files.put(pdf, named: "report.pdf", type: "application/pdf", protection: .complete)
    let bytes = try files.get(report, limit: 10_000_000)
    return bytes
}

/// Secrets that lie in a folder in the clear.
func check(_ home: String) {
    let report = StorageCheck(folder: home).run()
    for finding in report.findings { print(finding.rule, finding.path, finding.line ?? 0, finding.detail) }
}

/// Names in the file of settings that this version does not know.
func unknown(in settings: Settings) throws -> [String] {
    let unknown = try settings.unknownNames(declared: ["theme", "reminderHour"])
    return unknown
}

/// New keys for a container and its databases.
func renew() throws {
    try ProtectedContainer.renewKeys(of: "sleep-diary", databases: [.init("nights", protection: .complete)])
}

print(search(1, 0, since: nil, newestFirst: true).1)
