internal import CPaviseSQLite

/// Learns from SQLite's compiler which tables a statement writes, triggers and foreign keys included, and refuses what
/// would change the ground that this layer stands on (sqlite3_set_authorizer).
@safe
final class StatementWatch {
    /// Those that only tell. SQLite's full-text search asks some of them itself.
    private static let harmless: Set<String> = [
        "data_version", "page_size", "page_count", "freelist_count", "table_info", "table_xinfo", "table_list",
        "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check", "integrity_check",
        "quick_check", "function_list", "collation_list", "compile_options", "encoding", "wal_checkpoint",
    ]

    /// What the statement that is being compiled writes.
    private(set) var tables: Set<String> = []
    private var written: Set<String> = []

    func willPrepare() { tables = [] }
    func note(_ tables: Set<String>) { if !tables.isEmpty { written.formUnion(tables) } }

    func take() -> Set<String> {
        defer { written = [] }
        return written
    }

    /// From now on SQLite asks. The watch lives as long as the connection, which owns it.
    func begin(_ connection: OpaquePointer?) {
        unsafe sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, _ in
                guard let context = unsafe context else { return SQLITE_DENY }
                let watch = unsafe Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue()
                let name = unsafe first.map { unsafe String(cString: $0) } ?? ""
                return watch.judge(action, name, hasValue: unsafe second != nil)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func judge(_ action: Int32, _ name: String, hasValue: Bool) -> Int32 {
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            tables.insert(name)
            return SQLITE_OK
        case SQLITE_PRAGMA: return Self.harmless.contains(name.lowercased()) ? SQLITE_OK : SQLITE_DENY
        case SQLITE_ATTACH, SQLITE_DETACH: return SQLITE_DENY
        default: return SQLITE_OK
        }
    }
}
