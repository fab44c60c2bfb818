internal import CPeers
internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage

private let table: SQL =
    "CREATE TABLE night(id INTEGER PRIMARY KEY, date TEXT NOT NULL, awake INTEGER NOT NULL, text TEXT NOT NULL)"
private let index: SQL = "CREATE INDEX byDate ON night(date)"

// Each statement does all of the work, so that nothing is counted of the language that sends it. sqlite_peer.py has
// the same.
private let insert: SQL = """
    INSERT INTO night(date, awake, text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
    WHERE i < 100000)
    SELECT printf('2026-%06d', i), i % 90, printf('%0110d', i * 7919) FROM n
    """
private let one: SQL = "INSERT INTO night(date, awake, text) VALUES ('2027', 1, printf('%0110d', 1))"
private let scan: SQL = "SELECT sum(awake), sum(length(text)) FROM night"
private let update: SQL = "UPDATE night SET awake = awake + 1 WHERE id > 0"

/// ROUNDS FOLDER: microseconds of processor time for each row or call, of a protected database and of plain SQLite
/// in C.
func databaseTable(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let rounds = Int(arguments[0]) else { usage() }
    var figures: [String: (ours: [Double], peer: [Double])] = [:]
    var verify: [Double] = []
    for round in 0..<rounds {
        let ours = { try OurTable(round).run() }
        let peer = { try PeerTable("\(arguments[1])/plain-\(round).db").run() }
        let pair = round % 2 == 0 ? (try ours(), try peer()) : swapped(try peer(), try ours())
        for (name, value) in pair.0.times {
            figures[name, default: ([], [])].ours.append(value)
            figures[name]?.peer.append(pair.1.times[name] ?? .nan)
        }
        verify.append(pair.0.verified)
    }
    return figures.sorted { $0.key < $1.key }.flatMap { name, values in
        [
            (name, "\(median(values.ours))"), ("\(name)Peer", "\(median(values.peer))"),
            ("\(name)Ratio", "\(median(zip(values.ours, values.peer).map { $0 / $1 }))"),
        ]
    } + [("verify", "\(median(verify))")]
}

private func swapped<A, B>(_ first: A, _ second: B) -> (B, A) { (second, first) }

private func spent(_ count: Double, _ body: () throws -> Void) rethrows -> Double {
    let start = processorSeconds()
    try body()
    return (processorSeconds() - start) * 1e6 / count
}

private struct Times {
    var times: [String: Double] = [:]
    var verified = 0.0
}

private struct OurTable {
    let name: String
    let container: ProtectedContainer

    init(_ round: Int) throws {
        name = "table-\(round)"
        container = try .open("bench")
    }

    func open() throws -> ProtectedDatabase {
        try container.database(
            name, protection: .complete, migrations: [DatabaseMigration(1, "nights", table, index)])
    }

    func run() throws -> Times {
        var result = Times()
        var database = try open()
        result.times["insert"] = try spent(100_000) { _ = try database.write { try $0.run(insert) } }
        result.times["durable"] = try spent(300) {
            for _ in 0..<300 { _ = try database.write { try $0.run(one) } }
        }
        database.close()
        database = try open()
        result.times["scan"] = try spent(100_300) { _ = try database.write { try $0.rows(scan) } }
        result.times["update"] = try spent(100_300) { _ = try database.write { try $0.run(update) } }
        database.close()
        let reopened = try open()
        let start = ContinuousClock.now
        let pages = try reopened.verify().pages
        result.verified = Double(pages * 4096) / ((ContinuousClock.now - start) / .seconds(1)) / 1e9
        reopened.close()
        result.times["open"] = try spent(20) {
            for _ in 0..<20 {
                let opened = try StorageDatabase.open(name, in: container.platform, .complete, mayCreate: false)
                _ = try opened.answer("SELECT count(*) FROM sqlite_schema", [])
                opened.close()
            }
        }
        return result
    }
}

private struct PeerTable {
    let path: String

    init(_ path: String) { self.path = path }

    private func open() throws -> OpaquePointer {
        guard let peer = unsafe peer_sqlite_open_empty(path) else {
            throw MeasureFailure(description: "no plain database")
        }
        return unsafe peer
    }

    private func run(_ peer: OpaquePointer, _ sql: String) throws {
        guard unsafe peer_sqlite_run(peer, sql) == 1 else { throw MeasureFailure(description: "plain: \(sql)") }
    }

    func run() throws -> Times {
        var result = Times()
        var peer = unsafe try open()
        for statement in [table, index] { unsafe try run(peer, statement.text) }
        result.times["insert"] = try spent(100_000) { unsafe try run(peer, insert.text) }
        result.times["durable"] = try spent(300) { for _ in 0..<300 { unsafe try run(peer, one.text) } }
        unsafe peer_sqlite_close(peer)
        unsafe peer = try open()
        result.times["scan"] = try spent(100_300) { unsafe try run(peer, scan.text) }
        result.times["update"] = try spent(100_300) { unsafe try run(peer, update.text) }
        unsafe peer_sqlite_close(peer)
        result.times["open"] = try spent(20) {
            for _ in 0..<20 {
                unsafe peer = try open()
                unsafe try run(peer, "SELECT count(*) FROM sqlite_schema")
                unsafe peer_sqlite_close(peer)
            }
        }
        return result
    }
}

/// Commits 50 rows, each durably, and ends as a kill does: the log is not moved into the file.
func databaseCommits(_: [String]) throws -> [(String, String)] {
    let database = try logged()
    for _ in 0..<50 { _ = try database.write { try $0.run(one) } }
    kill(getpid(), SIGKILL)
    return []
}

/// How many rows are there now.
func databaseCount(_: [String]) throws -> [(String, String)] {
    let count: Int? = try logged().read { try $0.value("SELECT count(*) FROM night") }
    return [("rows", "\(count ?? -1)")]
}

/// Commits 50 rows and closes: the log is moved into the file.
func databaseClose(_: [String]) throws -> [(String, String)] {
    let database = try logged()
    for _ in 0..<50 { _ = try database.write { try $0.run(one) } }
    database.close()
    return [("rows", "50")]
}

/// Which pages are of an older moment.
func databaseVerify(_: [String]) throws -> [(String, String)] {
    let report = try logged().verify()
    return [("older", "\(report.older)"), ("damaged", "\(report.damaged.count)")]
}

private func logged() throws -> ProtectedDatabase {
    try ProtectedContainer.open("bench").database(
        "log", protection: .complete, migrations: [DatabaseMigration(1, "nights", table, index)])
}
