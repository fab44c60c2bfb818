internal import PavisePrimitives
internal import Synchronization

/// One connection to a database of a container, on Apple's systems: the system's SQLite, whose files have the class
/// that was asked for. There is no layer of ours below it (Decisions/0020): the system encrypts, and nothing tells a
/// page of an older moment.
///
/// The database keeps the container's identifier, so that one of another container is refused. With the lock class A is
/// closed and its memory given back; the object opens it again after the unlock.
package final class StorageDatabase: Sendable {
    /// The class that the database was opened with.
    package let protection: ProtectionClass
    let container: StorageContainer
    let path: String
    let connection: SystemConnection
    private let readOnly: Bool
    private let observation = Mutex<LockObservation?>(nil)

    private init(
        _ container: StorageContainer, _ protection: ProtectionClass, _ path: String, readOnly: Bool
    ) {
        self.container = container
        self.protection = protection
        self.path = path
        self.readOnly = readOnly
        connection = SystemConnection(path, protection, readOnly: readOnly)
    }

    /// Opens the database called `name`.
    ///
    /// - Parameters:
    ///   - readOnly: Refuse every write, and a database that does not exist.
    ///   - mayCreate: Make it where there is none; else that is ``ProtectedDatabaseError/absent``.
    package static func open(
        _ name: String, in container: StorageContainer, _ protection: ProtectionClass, readOnly: Bool = false,
        mayCreate: Bool = true
    ) throws(ProtectedDatabaseError) -> StorageDatabase {
        let path = try container.databasePath(of: name, protection)
        try storage { () throws(StorageFailure) in try container.check(protection) }
        if !DurableFile.exists(path) {
            // A log without its database is a loss, and no reason to begin anew.
            guard !DurableFile.exists("\(path)-wal") else { throw .damaged(.head) }
            guard mayCreate, !readOnly else { throw .absent }
            try make(path, protection, for: container)
        }
        return try open(at: path, in: container, protection, readOnly: readOnly)
    }

    /// Opens the database at `path` of the container's folder.
    static func open(
        at path: String, in container: StorageContainer, _ protection: ProtectionClass, readOnly: Bool = false
    ) throws(ProtectedDatabaseError) -> StorageDatabase {
        let opened = StorageDatabase(container, protection, path, readOnly: readOnly)
        try opened.connect()
        if protection == .complete {
            // The observer must not keep the connection, nor the connection outlive its observer.
            let observation = container.observeLock { [weak connection = opened.connection] in connection?.forget() }
            opened.observation.withLock { $0 = observation }
        }
        return opened
    }

    /// Runs one statement. `text` is composed of pieces of a source, with a `?` for each value.
    package func answer(_ text: String, _ values: [SQLValue]) throws(ProtectedDatabaseError) -> SQLResult {
        try ready()
        return try connection.answer(text, values)
    }

    /// The key of the row that was inserted last.
    package var lastInsertedRow: Int64 { connection.lastInsertedRow }

    /// Runs `body` as one step, and tells which tables it wrote. When it throws, nothing was done.
    package func transaction<Result>(
        _ kind: StorageTransactionKind, _ body: () throws -> Result
    ) throws -> (result: Result, tables: Set<String>) {
        try ready()
        return try connection.transaction(kind == .read ? "BEGIN" : "BEGIN IMMEDIATE") {
            _ = connection.takeWrittenTables()
            let result = try body()
            return (result, connection.takeWrittenTables())
        }
    }

    /// Moves the log into the file where no other connection is in the way, and closes.
    package func close() { connection.end() }

    /// Closes now, as a lock does. The next use opens it again where the device allows it.
    package func forgetKey() { connection.forget() }

    // Follows the lock: what is refused is refused before SQLite is asked.
    func ready() throws(ProtectedDatabaseError) {
        let isOpen = connection.isOpen
        // What is open in class B stays so through a lock; a container that was removed ends it too.
        let needed: ProtectionClass = isOpen && protection == .completeUnlessOpen ? .none : protection
        do throws(StorageFailure) {
            try container.check(needed)
        } catch {
            connection.forget()
            throw ProtectedDatabaseError(error)
        }
        if !isOpen { try connect() }
    }
}

extension StorageDatabase {
    static let applicationID = 0x5056_5344
    static let newest = 1

    // Under another name until it is whole, so that a file of this name is never a half-made one.
    private static func make(
        _ path: String, _ protection: ProtectionClass, for container: StorageContainer
    ) throws(ProtectedDatabaseError) {
        let draft = path + ".new"
        do throws(SystemFailure) {
            for suffix in ["", "-wal", "-shm", "-journal"] { try DurableFile.remove(draft + suffix) }
            // Mode 0600 from the first byte: SQLite gives its log and index the mode of the database.
            try DurableFile.writeUnlessPresent([], to: draft)
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
        // SQLite says the class when it makes a file, and this one is there.
        try storage { () throws(StorageFailure) in try FileProtection.protect(draft, protection) }
        let connection = SystemConnection(draft, protection, readOnly: false)
        try connection.open { () throws(ProtectedDatabaseError) in
            try connection.leaveRoomForSeal()
            _ = try connection.answer("PRAGMA application_id=\(applicationID)", [])
            try bind(connection, to: container)
            _ = try connection.answer("PRAGMA journal_mode=WAL", [])
        }
        connection.end()
        try storage { () throws(StorageFailure) in try FileProtection.check(draft, protection) }
        do throws(SystemFailure) { try DurableFile.move(draft, to: path) } catch {
            throw ProtectedDatabaseError(.system(error))
        }
    }

    static func bind(
        _ connection: SystemConnection, to container: StorageContainer
    ) throws(ProtectedDatabaseError) {
        _ = try connection.answer(
            "CREATE TABLE IF NOT EXISTS pavise_container(format INTEGER NOT NULL, identifier BLOB NOT NULL)", [])
        _ = try connection.answer("DELETE FROM pavise_container", [])
        _ = try connection.answer(
            "INSERT INTO pavise_container(format, identifier) VALUES (?, ?)",
            [.integer(Int64(newest)), .blob(container.identifier)])
    }

    private func connect() throws(ProtectedDatabaseError) {
        try checkFiles()
        let size = try Self.storage { () throws(StorageFailure) in
            try StorageContainer.attempt { () throws(SystemFailure) in
                try FileDescriptor.openOwnForReading(path).size()
            }
        }
        guard size > 0 else { throw .damaged(.empty) }
        try connection.open { () throws(ProtectedDatabaseError) in try checkOwner() }
        try checkFiles()
    }

    // Six answers: no database of ours, one of a later version, one of another container.
    private func checkOwner() throws(ProtectedDatabaseError) {
        let mark = try connection.answer("PRAGMA application_id", []).rows.first?.first
        guard mark == .integer(Int64(Self.applicationID)) else { throw .damaged(.head) }
        let owner = try connection.answer("SELECT format, identifier FROM pavise_container", []).rows.first ?? []
        guard owner.count == 2, case .integer(let format) = owner[0], case .blob(let identifier) = owner[1] else {
            throw .damaged(.head)
        }
        guard format <= Self.newest else { throw .newer(version: Int(clamping: format)) }
        guard identifier == container.identifier else { throw .foreign }
    }

    // Owner, mode, class and exclusion from backups are read back of each file (data-at-rest/DR2).
    private func checkFiles() throws(ProtectedDatabaseError) {
        for suffix in ["", "-wal", "-shm"] where DurableFile.exists(path + suffix) {
            do throws(StorageFailure) {
                try check(path + suffix, isIndex: suffix == "-shm")
            } catch {
                connection.forget()
                throw ProtectedDatabaseError(error)
            }
        }
    }

    // The index has none of the content, and processes map it: Apple's SQLite gives it the class of the first unlock,
    // whichever the database has (measured on a device, couchbase-lite-ios issue 883).
    private func check(_ file: String, isIndex: Bool) throws(StorageFailure) {
        do throws(StorageFailure) {
            try FileProtection.check(file, protection)
        } catch {
            guard isIndex else { throw error }
            try FileProtection.check(file, .untilFirstUserAuthentication)
        }
    }
}
