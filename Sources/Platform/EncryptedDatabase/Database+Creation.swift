internal import CPaviseSQLite
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Database {
    /// Opens `connection` through the sealing layer and lets `prepare` set it up.
    static func connect(
        _ connection: SQLiteConnection, _ path: String, key: borrowing SecretBytes, flags: Int32, isNew: Bool = false,
        tracksPages: Bool = false, observers: (main: ChangeObserver, log: ChangeObserver)? = nil,
        _ prepare: () throws(DatabaseFailure) -> Void
    ) throws(DatabaseFailure) {
        guard key.count == 32 else { throw .other(code: SQLITE_MISUSE, message: "a key has 32 bytes") }
        guard !path.utf8.contains(0) else { throw .other(code: SQLITE_MISUSE, message: "a path has no zero byte") }
        guard SealedFileSystem.registration == SQLITE_OK else {
            throw .other(code: SealedFileSystem.registration, message: "the sealing layer could not be registered")
        }
        let entry = OpenKeys.Entry(
            key: key.duplicate(), isNew: isNew, gate: connection.gate, tracksPages: tracksPages, observers: observers)
        try OpenKeys.withTicket(entry) { ticket throws(DatabaseFailure) in
            try connection.open(
                uri: uri(path, ticket: ticket), flags: flags, layer: SealedFileSystem.name, prepare)
        }
    }

    /// Makes an empty database at `path` unless one is there.
    ///
    /// It is made in a folder of its own and linked to its name when it is whole and on the disk: a crash leaves
    /// nothing or all of it, and of two processes one wins.
    static func createIfMissing(
        _ path: String, key: borrowing SecretBytes, observer: ChangeObserver? = nil
    ) throws(DatabaseFailure) {
        guard !DurableFile.exists(path) else { return }
        guard !DurableFile.exists("\(path)-wal") else {
            throw .lostDatabase
        }
        let place = try asFailure { () throws(SystemFailure) in try UnfinishedFolder(beside: path) }
        let temporary = place.path + "/new.db"
        try asFailure { () throws(SystemFailure) in
            _ = try FileDescriptor.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
        }
        try format(temporary, key: key)
        try asFailure { () throws(SystemFailure) in
            try FileDescriptor.open(temporary, O_RDWR).synchronise()
            guard unsafe link(temporary, path) == 0 || errno == EEXIST else {
                throw SystemFailure(operation: "link", path: path, code: errno)
            }
        }
        let named = RawFile.synchroniseName(path, observer)
        guard named == SQLITE_OK else { throw .from(code: named, message: "", errno: 0, path: path) }
        _ = consume place
    }

    private static func format(_ path: String, key: borrowing SecretBytes) throws(DatabaseFailure) {
        let connection = SQLiteConnection(path: path)
        try connect(connection, path, key: key, flags: SQLITE_OPEN_READWRITE, isNew: true) {}
        defer { connection.close() }
        try connection.control(SQLITE_FCNTL_RESERVE_BYTES, Int32(PageFile.reservedCount))
        _ = try connection.rows("PRAGMA page_size=4096", [])
        // Without a rollback journal: the file is thrown away if this stops half-way.
        _ = try connection.rows("PRAGMA journal_mode=OFF", [])
        _ = try connection.rows("PRAGMA journal_mode=WAL", [])
    }

    /// `path` as SQLite's URI: everything that has a meaning in a URI is escaped.
    private static func uri(_ path: String, ticket: UInt64) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~".utf8)
        let digits = Array("0123456789ABCDEF")
        var text = "file:"
        // Two slashes at the start would name a host.
        if path.hasPrefix("//") { text += "//" }
        for byte in path.utf8 {
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return text + "?\(SealedFileSystem.ticketParameter)=\(ticket)"
    }

    private static func asFailure<Result: ~Copyable>(
        _ body: () throws(SystemFailure) -> Result
    ) throws(DatabaseFailure) -> Result {
        do throws(SystemFailure) {
            return try body()
        } catch {
            if error.isDiskFull { throw .full }
            if error.isNotPermitted, !error.isUnreadable { throw .readOnly }
            throw .io(code: SQLITE_CANTOPEN, error)
        }
    }
}
