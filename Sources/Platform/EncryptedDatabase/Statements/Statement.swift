internal import CPaviseSQLite

/// A prepared statement: bound, stepped, and reset after each use so that no lock stays behind.
@safe
final class Statement {
    private let pointer: OpaquePointer
    /// The tables that it writes, triggers included.
    let tables: Set<String>

    /// Takes over a statement that SQLite prepared.
    init(owning pointer: OpaquePointer, tables: Set<String>) {
        unsafe self.pointer = pointer
        self.tables = tables
    }

    // The names of the columns, and how often SQLite had compiled the statement again when they were read.
    private var known: (names: [String], compilation: Int32)?

    /// The names of the columns, in their order, as the last run had them: where the schema was changed since, SQLite
    /// has compiled the statement again.
    var columns: [String] {
        let compilation = unsafe sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
        if let known, known.compilation == compilation { return known.names }
        let names = (0..<(unsafe sqlite3_column_count(pointer))).map { column in
            unsafe sqlite3_column_name(pointer, column).map { unsafe String(cString: $0) } ?? ""
        }
        known = (names, compilation)
        return names
    }

    /// Whether it changes nothing (sqlite3_stmt_readonly).
    var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

    /// Binds `values` from the first placeholder on.
    ///
    /// - Returns: SQLite's result code. A wrong number of values is SQLITE_RANGE.
    func bind(_ values: [DatabaseValue]) -> Int32 {
        guard unsafe Int(sqlite3_bind_parameter_count(pointer)) == values.count else { return SQLITE_RANGE }
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = bind(value, at: index)
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// Runs to the end and hands each row to `row`.
    ///
    /// - Returns: SQLITE_DONE, or the failure.
    func step(_ row: (StatementRow) -> Void) -> Int32 {
        while true {
            let code = unsafe sqlite3_step(pointer)
            guard code == SQLITE_ROW else { return code }
            row(currentRow)
        }
    }

    /// Ends the use: locks are given back, bound values are dropped.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(pointer, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(pointer, index, number)
        case .text(let text):
            // SQLite counts the bytes; the zero at the end only keeps the address of an empty text from being null.
            let count = UInt64(text.utf8.count)
            return unsafe text.withCString { unsafe pavise_sqlite_bind_text_copy(pointer, index, $0, count) }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe pavise_sqlite_bind_blob_copy(pointer, index, buffer.baseAddress, UInt64(buffer.count))
            }
        }
    }

    private var currentRow: StatementRow {
        let count = unsafe sqlite3_column_count(pointer)
        return StatementRow(values: (0..<count).map(value))
    }

    private func value(_ column: Int32) -> DatabaseValue {
        switch unsafe sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT: return .text(text(column))
        case SQLITE_BLOB: return .blob(blob(column))
        default: return .null
        }
    }

    private func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(pointer, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    deinit { unsafe sqlite3_finalize(pointer) }
}
