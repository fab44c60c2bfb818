internal import PavisePrimitives
internal import SQLite3

/// One connection of the system's SQLite, whose files have a class of Data Protection from their first byte on.
///
/// Calls are serialised. ``forget()`` may come from any thread at any time: what runs is stopped, and the connection is
/// closed.
@safe
final class SystemConnection: Sendable {
    let path: String
    private let flags: Int32
    let gate = StatementGate()
    /// Held for a whole transaction.
    private let turns = ConnectionLock()
    /// Held for one call.
    private let calls = ConnectionLock()
    private let state = State()

    // Safe to share: touched inside of `calls` only.
    @safe
    private final class State: @unchecked Sendable {
        var pointer: OpaquePointer?
        var statements: [String: SystemStatement] = [:]
        var written: Set<String> = []
        var epoch = 0
        var transactions = 0
        // Whether a transaction has begun and its body has not ended.
        var hasBegun = false
        var hasEnded = false
    }

    /// A connection that is not open yet.
    init(_ path: String, _ protection: ProtectionClass, readOnly: Bool) {
        self.path = path
        flags = (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | Self.flag(protection)
    }

    /// What SQLite sets on the file and its log when it makes them.
    private static func flag(_ protection: ProtectionClass) -> Int32 {
        switch protection {
        case .complete: SQLITE_OPEN_FILEPROTECTION_COMPLETE
        case .completeUnlessOpen: SQLITE_OPEN_FILEPROTECTION_COMPLETEUNLESSOPEN
        case .untilFirstUserAuthentication: SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION
        case .none: SQLITE_OPEN_FILEPROTECTION_NONE
        }
    }

    /// Opens the file, which has to be there unless `mayCreate`, and lets `prepare` set it up before statements are
    /// judged.
    func open(
        mayCreate: Bool = false, _ prepare: () throws(ProtectedDatabaseError) -> Void
    ) throws(ProtectedDatabaseError) {
        try turns.withLock { () throws(ProtectedDatabaseError) in
            try calls.withLock { () throws(ProtectedDatabaseError) in
                guard !state.hasEnded else { throw closed }
                guard unsafe state.pointer == nil else { return }
                // After a lock the rest of a transaction must not run without its begin.
                guard state.transactions == 0 else { throw .locked }
                gate.open()
                do throws(ProtectedDatabaseError) {
                    try connect(flags | (mayCreate ? SQLITE_OPEN_CREATE : 0))
                    try prepare()
                } catch {
                    closeNow()
                    throw error
                }
                unsafe gate.judgeStatements(of: state.pointer)
            }
        }
    }

    private func connect(_ flags: Int32) throws(ProtectedDatabaseError) {
        // pavise:ignore STORE-NO-KEY on Apple's systems the class of the file protects it
        let code = unsafe sqlite3_open_v2(path, &state.pointer, flags | SQLITE_OPEN_NOMUTEX, nil)
        unsafe sqlite3_extended_result_codes(state.pointer, 1)
        guard code == SQLITE_OK else { throw failure(code) }
        state.epoch += 1
        unsafe gate.attach(to: state.pointer)
        for pragma in Self.pragmas { _ = try run(pragma, []) }
    }

    // Nothing spills in clear, deleted bytes are overwritten, a schema of somebody else runs nothing, and a commit is
    // on the disk.
    private static let pragmas = [
        "PRAGMA temp_store=MEMORY", "PRAGMA mmap_size=0", "PRAGMA secure_delete=ON", "PRAGMA cell_size_check=ON",
        "PRAGMA foreign_keys=ON", "PRAGMA trusted_schema=OFF", "PRAGMA synchronous=FULL", "PRAGMA fullfsync=ON",
        "PRAGMA checkpoint_fullfsync=ON", "SELECT count(*) FROM sqlite_master",
    ]

    /// Runs one statement.
    func answer(_ text: String, _ values: [SQLValue]) throws(ProtectedDatabaseError) -> SQLResult {
        try calls.withLock { () throws(ProtectedDatabaseError) in try run(text, values) }
    }

    /// Lends SQLite's connection for calls that have no place here.
    func withPointer<Result>(
        _ body: (OpaquePointer) throws(ProtectedDatabaseError) -> Result
    ) throws(ProtectedDatabaseError) -> Result {
        try calls.withLock { () throws(ProtectedDatabaseError) in
            guard !gate.isShut, let pointer = unsafe state.pointer else { throw closed }
            return try unsafe body(pointer)
        }
    }

    /// Runs `body` as one step: when it throws, nothing was done.
    func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
        try turns.withLock {
            _ = try answer(begin, [])
            let epoch = calls.withLock {
                state.transactions += 1
                state.hasBegun = true
                return state.epoch
            }
            defer {
                calls.withLock {
                    state.transactions -= 1
                    state.hasBegun = false
                }
            }
            do {
                let result = try body()
                guard calls.withLock({ state.epoch }) == epoch else { throw ProtectedDatabaseError.locked }
                _ = try answer("COMMIT", [])
                return result
            } catch {
                // Some failures (a full disk, a lock) have rolled back already.
                if isInTransaction { _ = try? answer("ROLLBACK", []) }
                throw error
            }
        }
    }

    /// Stops what runs and closes the connection. From any thread.
    func forget() {
        gate.close()
        calls.withLock {
            // Another thread may have opened it again in between.
            gate.close()
            closeNow()
        }
    }

    /// Closes for good: SQLite moves the log into the file where no other connection is in the way.
    func end() {
        calls.withLock {
            state.hasEnded = true
            closeNow()
        }
    }

    var isOpen: Bool { calls.withLock { unsafe state.pointer != nil } }
    var isInTransaction: Bool {
        calls.withLock { unsafe state.pointer != nil && sqlite3_get_autocommit(state.pointer) == 0 }
    }
    var lastInsertedRow: Int64 {
        calls.withLock { unsafe state.pointer == nil ? 0 : sqlite3_last_insert_rowid(state.pointer) }
    }

    /// The tables that statements wrote since the last call.
    func takeWrittenTables() -> Set<String> {
        calls.withLock {
            defer { state.written = [] }
            return state.written
        }
    }

    deinit { closeNow() }
}

extension SystemConnection {
    private func run(_ text: String, _ values: [SQLValue]) throws(ProtectedDatabaseError) -> SQLResult {
        guard !gate.isShut else { throw .locked }
        // What follows a transaction that was taken back would be on the disk by itself. Where somebody closed the
        // connection meanwhile there is no pointer to ask, and no statement comes to be.
        guard unsafe !state.hasBegun || state.pointer == nil || sqlite3_get_autocommit(state.pointer) == 0 else {
            throw .statement(message: "the transaction was taken back")
        }
        let statement = try statement(text)
        state.written.formUnion(statement.tables)
        var rows: [[SQLValue]] = []
        let code = statement.run(values) { rows.append($0) }
        guard code == SQLITE_DONE else {
            let failure = failure(code)
            statement.reset()
            throw failure
        }
        statement.reset()
        let changes = unsafe Int(sqlite3_changes(state.pointer))
        return SQLResult(columns: statement.columns, rows: rows, changes: changes)
    }

    private func statement(_ text: String) throws(ProtectedDatabaseError) -> SystemStatement {
        if let known = state.statements[text] { return known }
        if state.statements.count >= 200 { state.statements = [:] }
        guard unsafe state.pointer != nil else { throw closed }
        var prepared: OpaquePointer?
        _ = gate.takeTables()
        var tables: Set<String> = []
        let (code, isAlone) = unsafe text.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(
                state.pointer, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
            tables = gate.takeTables()
            return unsafe (code, code != SQLITE_OK || isBlank(tail))
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let statement = unsafe SystemStatement(owning: prepared, tables: tables)
        // SQLite runs the first one only, and would say nothing of the others.
        guard isAlone else { throw .severalStatements }
        state.statements[text] = statement
        return statement
    }

    // SQLite makes no statement of spaces, comments and semicolons.
    private func isBlank(_ tail: UnsafePointer<CChar>?) -> Bool {
        guard let tail = unsafe tail, unsafe tail.pointee != 0 else { return true }
        var second: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(state.pointer, tail, -1, 0, &second, nil)
        defer { unsafe sqlite3_finalize(second) }
        return unsafe code == SQLITE_OK && second == nil
    }

    private func closeNow() {
        state.statements = [:]
        unsafe sqlite3_close_v2(state.pointer)
        unsafe state.pointer = nil
    }

    private var closed: ProtectedDatabaseError {
        gate.isShut && !state.hasEnded ? .locked : .statement(message: "the database is closed")
    }

    /// The failure behind `code`, in SQLite's words. Bound values are never part of them.
    func failure(_ code: Int32) -> ProtectedDatabaseError {
        guard !gate.isShut else { return .locked }
        let words = unsafe state.pointer == nil ? sqlite3_errstr(code) : sqlite3_errmsg(state.pointer)
        let message = unsafe words.map { unsafe String(cString: $0) } ?? "no reason given"
        let errno = unsafe state.pointer == nil ? 0 : sqlite3_system_errno(state.pointer)
        let system = errno == 0 ? nil : SystemFailure(operation: "database", path: path, code: errno)
        switch code & 0xff {
        case SQLITE_NOTADB: return .damaged(.head)
        case SQLITE_CORRUPT: return .damaged(.content)
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_CONSTRAINT: return .constraint
        // A file whose class is locked cannot be opened or read: EPERM, from the system.
        case SQLITE_AUTH where system?.isNotPermitted == true: return .locked
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            if system?.isDiskFull == true { return .full }
            if system?.isNotPermitted == true { return .locked }
            return .storage(system.map(StorageFailure.system) ?? .busy)
        default: return .statement(message: message)
        }
    }
}
