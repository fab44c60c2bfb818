internal import PaviseCrypto
internal import PaviseDatabase
internal import PavisePrimitives
internal import Synchronization

/// One connection to a database of a container, on Linux: SQLite over our sealing layer, with the key of a protection
/// class.
///
/// The connection follows the lock of the device: class A is closed within 10 ms, wiped, and opened again at the first
/// use after an unlock. Class B keeps what is open. Safe to share between threads; a transaction holds the others off.
package final class StorageDatabase: Sendable {
    /// The class that the database was opened with.
    package let protection: ProtectionClass
    let container: StorageContainer
    let path: String
    let database: Database
    private let observation = Mutex<LockObservation?>(nil)

    private init(_ container: StorageContainer, _ protection: ProtectionClass, _ path: String, _ database: Database) {
        self.container = container
        self.protection = protection
        self.path = path
        self.database = database
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
        // Wiping is promised where a lock takes the key away.
        guard DatabaseOptions.wipesMemory || !protection.needsUnlocked else { throw .memoryNotWiped }
        let path = try container.databasePath(of: name, protection)
        try storage { () throws(StorageFailure) in try container.check(protection) }
        let exists = DurableFile.exists(path) || DurableFile.exists("\(path)-wal")
        guard exists || (mayCreate && !readOnly) else { throw .absent }
        return try open(at: path, in: container, protection, readOnly: readOnly, mayMakeKey: !exists)
    }

    /// Opens the database at `path` of the container's folder.
    static func open(
        at path: String, in container: StorageContainer, _ protection: ProtectionClass, readOnly: Bool = false,
        mayMakeKey: Bool = false
    ) throws(ProtectedDatabaseError) -> StorageDatabase {
        let key = try key(container, protection, mayCreate: mayMakeKey)
        var options = DatabaseOptions()
        options.readOnly = readOnly
        options.forgetsKey = true
        options.watchesStatements = true
        options.tracksPages = true
        let database = try mapped(path) { () throws(DatabaseFailure) in
            try Database.open(path, key: key, options: options)
        }
        let opened = StorageDatabase(container, protection, path, database)
        try opened.checkFiles()
        if protection == .complete {
            // The observer must not keep the connection, nor the connection outlive its observer.
            let observation = container.observeLock { [weak database] in database?.forgetKey() }
            opened.observation.withLock { $0 = observation }
        }
        return opened
    }

    /// Runs one statement. `text` is composed of pieces of a source, with a `?` for each value.
    package func answer(_ text: String, _ values: [SQLValue]) throws(ProtectedDatabaseError) -> SQLResult {
        try ready()
        let bound = values.map(DatabaseValue.init)
        let answer = try Self.mapped(path) { () throws(DatabaseFailure) in
            try database.answer(SQLText(composed: text), bound)
        }
        return SQLResult(
            columns: answer.columns, rows: answer.rows.map { $0.values.map(SQLValue.init) }, changes: answer.changes)
    }

    /// The key of the row that was inserted last.
    package var lastInsertedRow: Int64 { database.lastInsertedRow }

    /// Runs `body` as one step, and tells which tables it wrote. When it throws, nothing was done.
    package func transaction<Result>(
        _ kind: StorageTransactionKind, _ body: () throws -> Result
    ) throws -> (result: Result, tables: Set<String>) {
        try ready()
        do {
            return try database.transaction(kind == .read ? .read : .immediate) { _ in
                _ = database.takeWrittenTables()
                let result = try body()
                return (result, database.takeWrittenTables())
            }
        } catch let failure as DatabaseFailure {
            throw Self.error(failure, path)
        }
    }

    /// Moves the log into the file where no other connection is in the way, and closes.
    package func close() { database.close() }

    /// Forgets the key now, as a lock does. The next use opens it again where the device allows it.
    package func forgetKey() { database.forgetKey() }

    // Follows the lock: what is refused is refused before SQLite is asked.
    func ready() throws(ProtectedDatabaseError) {
        let isOpen = !database.isLocked
        // What is open in class B stays so through a lock; a container that was removed ends it too.
        let needed: ProtectionClass = isOpen && protection == .completeUnlessOpen ? .none : protection
        do throws(StorageFailure) {
            try container.check(needed)
        } catch {
            database.forgetKey()
            throw ProtectedDatabaseError(error)
        }
        guard !isOpen else { return }
        let key = try Self.key(container, protection, mayCreate: false)
        try Self.mapped(path) { () throws(DatabaseFailure) in try database.reopen(key: key) }
    }
}

extension StorageDatabase {
    private static func key(
        _ container: StorageContainer, _ protection: ProtectionClass, mayCreate: Bool
    ) throws(ProtectedDatabaseError) -> SecretBytes {
        do throws(StorageFailure) {
            return try container.withDatabaseKey(for: protection, mayCreate: mayCreate) { SecretBytes(copying: $0) }
        } catch {
            // The file is there, and nobody ever made a key for it.
            throw error == .absent && !mayCreate ? .damaged(.keyLost) : ProtectedDatabaseError(error)
        }
    }

    static func mapped<Result>(
        _ path: String, _ body: () throws(DatabaseFailure) -> Result
    ) throws(ProtectedDatabaseError) -> Result {
        do throws(DatabaseFailure) { return try body() } catch { throw Self.error(error, path) }
    }

    static func error(_ failure: DatabaseFailure, _ path: String) -> ProtectedDatabaseError {
        switch failure {
        case .locked: .locked
        case .wrongKeyOrDamaged: judge(path)
        case .corrupt: .damaged(.content)
        case .full: .full
        case .readOnly: .readOnly
        case .busy: .busy
        case .constraint: .constraint
        // EIO, where SQLite names no error number: nobody holds anything that waiting would free.
        case .io(_, let system):
            .storage(.system(system ?? SystemFailure(operation: "database", path: path, code: 5)))
        case .other(_, let message): .statement(message: message)
        }
    }

    // A file that the key does not open: of another container, of a later Pavise, or none of ours.
    private static func judge(_ path: String) -> ProtectedDatabaseError {
        guard let head = try? FileDescriptorHead.read(path) else { return .damaged(.head) }
        guard !head.isEmpty else { return .damaged(.empty) }
        let mark = Array("Pavise encrypted database ".utf8)
        guard head.starts(with: mark) else { return .damaged(.head) }
        let digits = head.dropFirst(mark.count).prefix { (0x30...0x39).contains($0) }
        let version = digits.count < 9 ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
        guard version > 0, head.dropFirst(mark.count + digits.count).first == 0x0a else { return .damaged(.head) }
        return version == 1 ? .foreign : .newer(version: version)
    }

    // Mode and owner are read back (data-at-rest/DR2).
    private func checkFiles() throws(ProtectedDatabaseError) {
        for suffix in ["", "-wal", "-shm"] {
            let file = path + suffix
            do throws(SystemFailure) {
                try DurableFile.checkOwn(file)
            } catch {
                guard !error.isNotThere else { continue }
                database.close()
                throw .damaged(.protection)
            }
        }
    }
}

/// The first bytes of a file.
private enum FileDescriptorHead {
    static func read(_ path: String) throws(SystemFailure) -> [UInt8] {
        try FileDescriptor.openForReading(path).readChunk(at: 0, upTo: 64)
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }
}

extension DatabaseValue {
    fileprivate init(_ value: SQLValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }
}
