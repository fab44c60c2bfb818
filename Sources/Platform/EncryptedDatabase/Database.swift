internal import CPaviseSQLite
package import PavisePrimitives

/// One connection to an encrypted SQLite database. Every page on the disk is sealed; see Decisions/0002.
///
/// Calls are serialised: threads may share a connection, and readers that want to run in parallel open one each.
/// Several processes may use one file. When a write returns, it is on the disk.
///
/// ```swift
/// let database = try Database.open(path, key: key)
/// try database.run("INSERT INTO note(text) VALUES (?)", [.text(note)])
/// ```
package final class Database: Sendable {
    /// The file's path.
    package let path: String
    let options: DatabaseOptions
    private let lock = ConnectionLock()
    private let guarded: Guarded

    // Safe to share: the connection is only touched inside `lock`, or by the one call of it that any thread may make.
    private struct Guarded: @unchecked Sendable { let connection: SQLiteConnection }

    private init(path: String, connection: SQLiteConnection, options: DatabaseOptions) {
        self.path = path
        self.options = options
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

    /// Opens the database at `path` as `options` say.
    package static func open(
        _ path: String, key: borrowing SecretBytes, options: DatabaseOptions
    ) throws(DatabaseFailure) -> Database {
        let connection = SQLiteConnection(path: path, forgets: options.forgetsKey, watches: options.watchesStatements)
        let database = Database(path: path, connection: connection, options: options)
        try database.connect(key, nil)
        return database
    }

    /// The same, with observers that are asked at every change on the disk.
    static func open(
        _ path: String, key: borrowing SecretBytes, busyTimeout milliseconds: Int32 = 5000, readOnly: Bool = false,
        observers: (main: ChangeObserver, log: ChangeObserver)?
    ) throws(DatabaseFailure) -> Database {
        var options = DatabaseOptions()
        options.busyTimeout = milliseconds
        options.readOnly = readOnly
        let database = Database(path: path, connection: SQLiteConnection(path: path), options: options)
        try database.connect(key, observers)
        return database
    }

    /// Opens the file, which is made where it does not exist, and sets the connection up.
    func connect(
        _ key: borrowing SecretBytes, _ observers: (main: ChangeObserver, log: ChangeObserver)?
    ) throws(DatabaseFailure) {
        let (connection, options) = (guarded.connection, options)
        if !options.readOnly {
            Unfinished.sweep(DurableFile.directory(of: path))
            try Self.createIfMissing(path, key: key, observer: observers?.main)
        }
        let flags = options.readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        try Self.connect(
            connection, path, key: key, flags: flags, tracksPages: options.tracksPages, observers: observers
        ) { () throws(DatabaseFailure) in
            connection.setBusyTimeout(options.busyTimeout)
            try connection.harden()
        }
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
    package func rows(_ sql: StaticString, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> [StatementRow] {
        try use { connection throws(DatabaseFailure) in try connection.rows(sql, values) }
    }

    /// Runs a composed question and gives all rows of the answer.
    package func rows(_ sql: SQLText, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> [StatementRow] {
        try use { connection throws(DatabaseFailure) in try connection.rows(sql, values) }
    }

    /// Runs a composed statement and gives its rows with the names of the columns.
    package func answer(
        _ sql: SQLText, _ values: [DatabaseValue] = []
    ) throws(DatabaseFailure) -> StatementResult {
        try use { connection throws(DatabaseFailure) in try connection.answer(sql, values) }
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

    /// Forgets the key while the database is open: see ``SQLiteConnection/forget()``. Only for databases that were
    /// opened with ``DatabaseOptions/forgetsKey``. Waits for a commit that has begun, and for nothing else.
    package func forgetKey() {
        guard options.forgetsKey else { return }
        guarded.connection.forget()
    }

    /// Whether the key is forgotten.
    package var isLocked: Bool { guarded.connection.gate.isShut }

    /// Opens the database again after ``forgetKey()``. Waits for the end of a transaction that the lock stopped.
    ///
    /// - Throws: ``DatabaseFailure``; SQLITE_MISUSE inside of a transaction.
    package func reopen(key: borrowing SecretBytes) throws(DatabaseFailure) {
        try lock.withLock { () throws(DatabaseFailure) in
            guard guarded.connection.gate.isShut else { return }
            guard guarded.connection.transactions == 0 else {
                throw .other(code: SQLITE_MISUSE, message: "a transaction that was stopped has not ended")
            }
            guarded.connection.gate.open()
            do throws(DatabaseFailure) {
                try connect(key, nil)
            } catch {
                guarded.connection.forget()
                throw error
            }
        }
    }

    func use<Result, Failure: Error>(
        _ body: (SQLiteConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lock.withLock { () throws(Failure) in try body(guarded.connection) }
    }
}
