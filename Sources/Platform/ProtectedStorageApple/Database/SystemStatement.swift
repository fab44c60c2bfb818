internal import SQLite3

/// A statement of the system's SQLite: prepared, bound, stepped, and reset after each use so that no lock stays behind.
@safe
final class SystemStatement {
    private let pointer: OpaquePointer
    /// The tables that it writes, triggers included.
    let tables: Set<String>

    init(owning pointer: OpaquePointer, tables: Set<String>) {
        unsafe self.pointer = pointer
        self.tables = tables
    }

    /// The names of the columns, in their order.
    var columns: [String] {
        (0..<(unsafe sqlite3_column_count(pointer))).map { column in
            unsafe sqlite3_column_name(pointer, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// Binds `values`, runs to the end, and hands each row to `row`.
    ///
    /// - Returns: SQLITE_DONE, or the failure. A wrong number of values is SQLITE_RANGE.
    func run(_ values: [SQLValue], _ row: ([SQLValue]) -> Void) -> Int32 {
        guard unsafe Int(sqlite3_bind_parameter_count(pointer)) == values.count else { return SQLITE_RANGE }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index) + 1)
            guard code == SQLITE_OK else { return code }
        }
        while true {
            let code = unsafe sqlite3_step(pointer)
            guard code == SQLITE_ROW else { return code }
            row((0..<(unsafe sqlite3_column_count(pointer))).map(value))
        }
    }

    /// Ends the use: locks are given back, bound values are dropped.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns. It is a cast, which Swift does not import.
    private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(pointer, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(pointer, index, number)
        case .text(let text):
            let count = UInt64(text.utf8.count)
            return unsafe text.withCString {
                unsafe sqlite3_bind_text64(pointer, index, $0, count, Self.transient, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe sqlite3_bind_blob64(pointer, index, buffer.baseAddress, UInt64(buffer.count), Self.transient)
            }
        }
    }

    private func value(_ column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT:
            guard let start = unsafe sqlite3_column_text(pointer, column) else { return .text("") }
            let count = unsafe Int(sqlite3_column_bytes(pointer, column))
            return unsafe .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = unsafe sqlite3_column_blob(pointer, column) else { return .blob([]) }
            let count = unsafe Int(sqlite3_column_bytes(pointer, column))
            return unsafe .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    deinit { unsafe sqlite3_finalize(pointer) }
}
