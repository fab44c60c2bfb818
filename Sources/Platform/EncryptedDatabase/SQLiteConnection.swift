internal import CPaviseSQLite
internal import PavisePrimitives

/// SQLite's connection with its prepared statements. Not for two threads at once: `Database` sees to that. Only
/// ``forget()`` may come from any thread at any time, where the connection was made for it.
@safe
final class SQLiteConnection {
    private let path: String
    private var pointer: OpaquePointer?
    // A static string has one address for the life of the program, which is cheaper to look up than its text.
    private var fixed: [UInt: Statement] = [:]
    private var composed: [String: Statement] = [:]
    private static let composedLimit = 200
    /// Shut: the key is forgotten or about to be.
    let gate: SealGate
    /// Held during each call, so that a connection is not closed under a running statement. `nil` where nothing
    /// forgets.
    private let calls: ConnectionLock?
    /// What the statements of this connection write, where somebody wants to know.
    private let watch: StatementWatch?
    /// Counts how often the connection was opened: a transaction of an earlier time does not go on in a later one.
    private(set) var epoch = 0
    /// How many transactions have not ended, open ones and stopped ones.
    var transactions = 0
    /// Whether a transaction has begun and its body has not ended.
    var hasBegun = false

    /// - Parameters:
    ///   - path: The file's path, for failures.
    ///   - forgets: Whether ``forget()`` will be called.
    ///   - watches: Whether statements are watched: see ``StatementWatch``.
    init(path: String, forgets: Bool = false, watches: Bool = false) {
        self.path = path
        gate = SealGate()
        calls = forgets ? ConnectionLock() : nil
        watch = watches ? StatementWatch() : nil
    }

    /// Opens `uri`, which stands for the file of this connection, and lets `prepare` set it up.
    func open(
        uri: String, flags: Int32, layer: String, _ prepare: () throws(DatabaseFailure) -> Void
    ) throws(DatabaseFailure) {
        try call { () throws(DatabaseFailure) in
            let code = unsafe sqlite3_open_v2(uri, &pointer, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, layer)
            unsafe sqlite3_extended_result_codes(pointer, 1)
            guard code == SQLITE_OK else {
                let failure = unsafe failure(pointer == nil ? code : sqlite3_extended_errcode(pointer))
                closeNow()
                throw failure
            }
            epoch += 1
            do throws(DatabaseFailure) {
                if calls != nil { unsafe gate.stopStatements(of: pointer) }
                try prepare()
                unsafe watch?.begin(pointer)
            } catch {
                closeNow()
                throw error
            }
        }
    }

    /// Forgets the key: from now on every call is ``DatabaseFailure/locked``. A running statement is stopped, a
    /// transaction taken back, a commit that has begun is ended first. When this returns, key, pages and statements are
    /// out of memory. From any thread.
    func forget() {
        gate.close()
        call {
            // Another thread may have opened it again in between.
            gate.close()
            closeNow()
        }
    }

    /// Lends SQLite's connection for calls that have no place here.
    func withPointer<Result>(
        _ body: (OpaquePointer) throws(DatabaseFailure) -> Result
    ) -> Swift.Result<Result, DatabaseFailure> {
        call {
            guard !gate.isShut, let pointer = unsafe pointer else { return .failure(closed) }
            return Swift.Result { () throws(DatabaseFailure) in try unsafe body(pointer) }
        }
    }

    /// The tables that statements wrote since the last call.
    func takeWrittenTables() -> Set<String> { call { watch?.take() ?? [] } }

    /// Whether ``forget()`` may be called. Such a connection closes without moving the log: that needs the key.
    var forgets: Bool { calls != nil }

    private func call<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let calls else { return try body() }
        return try calls.withLock(body)
    }

    /// Runs `sql` with `values` and collects its rows.
    func rows(_ sql: StaticString, _ values: [DatabaseValue]) throws(DatabaseFailure) -> [StatementRow] {
        try call { () throws(DatabaseFailure) in try rows(of: try statement(sql), values) }
    }

    /// Runs composed `sql` with `values` and collects its rows.
    func rows(_ sql: SQLText, _ values: [DatabaseValue]) throws(DatabaseFailure) -> [StatementRow] {
        try call { () throws(DatabaseFailure) in try rows(of: try statement(sql.text), values) }
    }

    /// Runs composed `sql` with `values` and collects its rows, with the names of the columns.
    func answer(_ sql: SQLText, _ values: [DatabaseValue]) throws(DatabaseFailure) -> StatementResult {
        try call { () throws(DatabaseFailure) in
            let statement = try statement(sql.text)
            let rows = try rows(of: statement, values)
            return StatementResult(columns: statement.columns, rows: rows, changes: statement.isReadOnly ? 0 : changes)
        }
    }

    /// How many rows the last statement inserted, changed or deleted.
    var changes: Int { call { unsafe pointer == nil ? 0 : Int(sqlite3_changes64(pointer)) } }

    /// The key of the row inserted last by this connection.
    var lastInsertedRow: Int64 { call { unsafe pointer == nil ? 0 : sqlite3_last_insert_rowid(pointer) } }

    /// Whether a transaction is open.
    var isInTransaction: Bool { call { unsafe pointer != nil && sqlite3_get_autocommit(pointer) == 0 } }

    /// Waits up to `milliseconds` for a lock of another connection.
    func setBusyTimeout(_ milliseconds: Int32) {
        call {
            guard unsafe pointer != nil else { return }
            guard calls == nil else {
                unsafe gate.waitForLocks(of: pointer, milliseconds)
                return
            }
            unsafe sqlite3_busy_timeout(pointer, milliseconds)
        }
    }

    /// Sets a switch of sqlite3_db_config.
    func configure(_ option: Int32, _ value: Bool) throws(DatabaseFailure) {
        guard unsafe pointer != nil else { throw closed }
        let code = unsafe pavise_sqlite_db_config_flag(pointer, option, value ? 1 : 0)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Gives a number to the file layer below.
    func control(_ operation: Int32, _ value: Int32) throws(DatabaseFailure) {
        guard unsafe pointer != nil else { throw closed }
        var value = value
        let code = unsafe sqlite3_file_control(pointer, "main", operation, &value)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Asks the file layer below a question of our own; whether it answered.
    func control(_ operation: Int32, _ answer: UnsafeMutableRawPointer) -> Bool {
        call { unsafe pointer != nil && sqlite3_file_control(pointer, "main", operation, answer) == SQLITE_OK }
    }

    /// Gives back every statement and the connection. Later calls fail with SQLITE_MISUSE.
    func close() { call { closeNow() } }

    private func closeNow() {
        fixed = [:]
        composed = [:]
        unsafe sqlite3_close_v2(pointer)
        unsafe pointer = nil
    }

    private func rows(of statement: Statement, _ values: [DatabaseValue]) throws(DatabaseFailure) -> [StatementRow] {
        guard !gate.isShut else { throw .locked }
        // A full disk takes a transaction back, and so does a statement that says ROLLBACK of a conflict: what came
        // behind it would be on the disk by itself.
        guard !hasBegun || isInTransaction else {
            throw .other(code: SQLITE_ABORT, message: "the transaction was taken back")
        }
        var rows: [StatementRow] = []
        watch?.note(statement.tables)
        var code = statement.bind(values)
        if code == SQLITE_OK { code = statement.step { rows.append($0) } }
        guard code == SQLITE_DONE else {
            let failure = failure(code)
            statement.reset()
            throw failure
        }
        statement.reset()
        return rows
    }

    private func statement(_ sql: StaticString) throws(DatabaseFailure) -> Statement {
        guard sql.hasPointerRepresentation else { return try statement(sql.description) }
        let address = unsafe UInt(bitPattern: sql.utf8Start)
        if let known = fixed[address] { return known }
        let statement = try prepare(sql.description)
        fixed[address] = statement
        return statement
    }

    private func statement(_ sql: String) throws(DatabaseFailure) -> Statement {
        if let known = composed[sql] { return known }
        if composed.count >= Self.composedLimit { composed = [:] }
        let statement = try prepare(sql)
        composed[sql] = statement
        return statement
    }

    private func prepare(_ sql: String) throws(DatabaseFailure) -> Statement {
        guard unsafe pointer != nil else { throw closed }
        var prepared: OpaquePointer?
        var tables: Set<String> = []
        watch?.willPrepare()
        let (code, isAlone) = unsafe sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(
                pointer, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
            tables = watch?.tables ?? []
            return unsafe (code, code != SQLITE_OK || isBlank(tail))
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let statement = unsafe Statement(owning: prepared, tables: tables)
        // SQLite runs the first one only, and would say nothing of the others.
        guard isAlone else { throw .other(code: SQLITE_MISUSE, message: "more than one statement") }
        return statement
    }

    // SQLite makes no statement of spaces, comments and semicolons.
    private func isBlank(_ tail: UnsafePointer<CChar>?) -> Bool {
        guard let tail = unsafe tail, unsafe tail.pointee != 0 else { return true }
        var second: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(pointer, tail, -1, 0, &second, nil)
        defer { unsafe sqlite3_finalize(second) }
        return unsafe code == SQLITE_OK && second == nil
    }

    private var closed: DatabaseFailure {
        gate.isShut ? .locked : .other(code: SQLITE_MISUSE, message: "the database is closed")
    }

    /// The failure behind `code`, in SQLite's words. Bound values are never part of them.
    private func failure(_ code: Int32) -> DatabaseFailure {
        guard !gate.isShut else { return .locked }
        let words = unsafe pointer == nil ? sqlite3_errstr(code) : sqlite3_errmsg(pointer)
        let message = unsafe words.map { unsafe String(cString: $0) } ?? "no reason given"
        let errno = unsafe pointer == nil ? 0 : sqlite3_system_errno(pointer)
        return .from(code: code, message: message, errno: errno, path: path)
    }

    deinit { closeNow() }
}
