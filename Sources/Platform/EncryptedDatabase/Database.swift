internal import CPaviseSQLite
package import PavisePrimitives

/// One connection to an encrypted SQLite database. Every page on the disk is sealed; see Decisions/0002.
///
/// Calls are serialised: threads may share a connection, and readers that want to run in parallel open one each. Several
/// processes may use one file. When a write returns, it is on the disk.
///
/// ```swift
/// let database = try Database.open(path, key: key)
/// try database.run("INSERT INTO note(text) VALUES (?)", [.text(note)])
/// ```
package final class Database: Sendable {
    /// The file's path.
    package let path: String
    private let lock = ConnectionLock()
    private let guarded: Guarded

    // Safe to share: the connection is only touched inside `lock`.
    private struct Guarded: @unchecked Sendable { let connection: Connection }

    private init(path: String, connection: Connection) {
        self.path = path
        guarded = Guarded(connection: connection)
    }

    /// Opens the database at `path` and makes it where it does not exist, for its owner alone (0600).
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - milliseconds: How long a statement waits for another connection's lock.
    ///   - readOnly: Refuse every write, and a file that does not exist.
    package static func open(
        _ path: String, key: borrowing SecretBytes, busyTimeout milliseconds: Int32 = 5000, readOnly: Bool = false
    ) throws(DatabaseFailure) -> Database {
        try open(path, key: key, busyTimeout: milliseconds, readOnly: readOnly, observers: nil)
    }

    /// The same, with observers that are asked at every change on the disk.
    static func open(
        _ path: String, key: borrowing SecretBytes, busyTimeout milliseconds: Int32 = 5000, readOnly: Bool = false,
        observers: (main: ChangeObserver, log: ChangeObserver)?
    ) throws(DatabaseFailure) -> Database {
        if !readOnly {
            Unfinished.sweep(DurableFile.directory(of: path))
            try createIfMissing(path, key: key, observer: observers?.main)
        }
        let flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let connection = try connect(path, key: key, flags: flags, observers: observers)
        connection.setBusyTimeout(milliseconds)
        try connection.harden()
        return Database(path: path, connection: connection)
    }

    /// Runs a statement.
    ///
    /// - Returns: How many rows were inserted, changed or deleted by the last statement that does such.
    @discardableResult
    package func run(_ sql: StaticString, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> Int {
        try use { connection throws(DatabaseFailure) in
            _ = try connection.rows(sql, values)
            return connection.changes
        }
    }

    /// Runs a composed statement.
    ///
    /// - Returns: How many rows were inserted, changed or deleted by the last statement that does such.
    @discardableResult
    package func run(_ sql: SQLText, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> Int {
        try use { connection throws(DatabaseFailure) in
            _ = try connection.rows(sql, values)
            return connection.changes
        }
    }

    /// Runs a question and gives all rows of the answer.
    package func rows(_ sql: StaticString, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> [DatabaseRow] {
        try use { connection throws(DatabaseFailure) in try connection.rows(sql, values) }
    }

    /// Runs a composed question and gives all rows of the answer.
    package func rows(_ sql: SQLText, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> [DatabaseRow] {
        try use { connection throws(DatabaseFailure) in try connection.rows(sql, values) }
    }

    /// The key of the row that this connection inserted last; inside a transaction, the transaction's own.
    package var lastInsertedRow: Int64 { use { $0.lastInsertedRow } }

    /// Moves the log into the file where no other connection is in the way, and closes. Later calls fail.
    package func close() {
        use { connection in
            connection.setBusyTimeout(0)
            _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)", [])
            connection.close()
        }
    }

    func use<Result, Failure: Error>(
        _ body: (Connection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lock.withLock { () throws(Failure) in try body(guarded.connection) }
    }
}
