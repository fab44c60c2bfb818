internal import SQLite3
internal import Synchronization

/// What SQLite asks on the way: whether the device was locked meanwhile, and what a statement may do. It lives as long
/// as the connection, which owns it.
final class StatementGate: Sendable {
    // Pragmas that only tell. SQLite's full-text search asks some of them itself.
    private static let harmless: Set<String> = [
        "data_version", "page_size", "page_count", "freelist_count", "table_info", "table_xinfo", "table_list",
        "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check", "integrity_check",
        "quick_check", "function_list", "collation_list", "compile_options", "encoding", "wal_checkpoint",
    ]
    private static let patience: Int32 = 5_000

    private let shut = Atomic<Bool>(true)
    private let tables = Mutex<Set<String>>([])

    /// Whether the key of the class is gone, so that every call is refused.
    var isShut: Bool { shut.load(ordering: .acquiring) }
    func open() { shut.store(false, ordering: .releasing) }
    func close() { shut.store(true, ordering: .releasing) }

    /// The tables that the statement writes that was compiled since the last call.
    func takeTables() -> Set<String> {
        tables.withLock { tables in
            defer { tables = [] }
            return tables
        }
    }

    /// From now on SQLite asks.
    func attach(to connection: OpaquePointer?) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            connection, 2000, { unsafe StatementGate.at($0)?.isShut == false ? 0 : 1 }, context)
        unsafe sqlite3_busy_handler(
            connection,
            { context, count in
                // Pieces of 2 ms: the fifth of what a lock may take to be seen.
                guard unsafe StatementGate.at(context)?.isShut == false, count < StatementGate.patience / 2 else {
                    return 0
                }
                sqlite3_sleep(2)
                return 1
            }, context)
    }

    /// Judges each statement while it is compiled: pragmas that change something and attached files are refused.
    func judgeStatements(of connection: OpaquePointer?) {
        unsafe sqlite3_set_authorizer(
            connection,
            { context, action, first, _, _, _ in
                guard let gate = unsafe StatementGate.at(context) else { return SQLITE_DENY }
                return gate.judge(action, unsafe first.map { unsafe String(cString: $0) } ?? "")
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func judge(_ action: Int32, _ name: String) -> Int32 {
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            tables.withLock { _ = $0.insert(name) }
            return SQLITE_OK
        case SQLITE_PRAGMA: return Self.harmless.contains(name.lowercased()) ? SQLITE_OK : SQLITE_DENY
        case SQLITE_ATTACH, SQLITE_DETACH: return SQLITE_DENY
        default: return SQLITE_OK
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> StatementGate? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<StatementGate>.fromOpaque(context).takeUnretainedValue()
    }
}
