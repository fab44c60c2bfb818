internal import PavisePrimitives
public import PaviseProtectedStorage
internal import Synchronization

/// An app's own database, sealed and bound to a protection class: SQLite with everything it can, full-text search
/// included.
///
/// ```swift
/// let nights = try diary.database(
///     "nights", protection: .complete,
///     migrations: [
///         DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, note TEXT NOT NULL)")
///     ])
/// let note = "slept well"
/// try nights.write { try $0.run("INSERT INTO night(note) VALUES (\(note))") }
/// let count = try nights.read { try $0.value("SELECT count(*) FROM night", as: Int.self) }
/// ```
///
/// One writer at a time, readers beside it. When a write returns, it is on the disk. At the lock of the device a
/// database of class `complete` forgets its key within 10 ms: what runs ends with `ProtectedDatabaseError.locked`, and
/// the same object works again after the unlock. Calls block for as long as the disk takes; each has a form for async
/// code.
public final class ProtectedDatabase: Sendable {
    /// The class that it was opened with.
    public var protection: ProtectionClass { writer.protection }
    let writer: StorageDatabase
    let name: String
    let container: StorageContainer
    private let readers = Mutex<[StorageDatabase]>([])
    let observers = Mutex<DatabaseObservers>(DatabaseObservers())
    /// How many readers stay open for the next one.
    private static let keptReaders = 4

    init(_ writer: StorageDatabase, _ name: String, _ container: StorageContainer) {
        self.writer = writer
        self.name = name
        self.container = container
    }

    /// Opens the database called `name`, makes it where there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - name: What it is called. The name is sealed: the folder does not tell it.
    ///   - container: Of the connection whose data it is, or of the home.
    ///   - protection: When it can be read. There is no default: health data wants `ProtectionClass.complete`.
    ///   - migrations: All steps of its schema, from number 1 on.
    ///   - mayCreate: Make it where there is none; else that is `ProtectedDatabaseError.absent`.
    /// - Throws: `ProtectedDatabaseError`: locked, absent, denied, damaged, newer and foreign are six answers.
    public static func open(
        _ name: String, in container: StorageContainer, protection: ProtectionClass, migrations: [DatabaseMigration],
        mayCreate: Bool = true
    ) throws(ProtectedDatabaseError) -> ProtectedDatabase {
        let writer = try StorageDatabase.open(name, in: container, protection, mayCreate: mayCreate)
        let database = ProtectedDatabase(writer, name, container)
        do throws(ProtectedDatabaseError) { try database.migrate(migrations) } catch {
            database.close()
            throw error
        }
        // Where a copy cannot be removed now, the next opening does it: the steps of the schema are done.
        let now = TimeSource.system.wallMilliseconds
        try? writer.removeCopies(called: copyPrefix, before: now - copyLifetime)
        return database
    }

    /// Runs `body` as one step: all of its writes are on the disk when this returns or, when anything throws, none.
    ///
    /// Do not call it from inside of another write.
    @discardableResult
    public func write<Result>(_ body: (borrowing DatabaseAccess) throws -> Result) throws -> Result {
        try writeNow(body)
    }

    // As below: the same crash.
    @_semantics("optimize.sil.specialize.generic.never")
    private func writeNow<Result>(_ body: (borrowing DatabaseAccess) throws -> Result) throws -> Result {
        let (result, tables) = try writer.transaction(.write) { try body(DatabaseAccess(writer, isWriter: true)) }
        if !tables.isEmpty { observers.withLock { $0.changed(tables) } }
        return result
    }

    /// Lets `body` ask questions about one moment of the database, beside a write that may be running.
    public func read<Result>(_ body: (borrowing DatabaseAccess) throws -> Result) throws -> Result {
        try readNow(body)
    }

    // Swift 6.3.1 crashes while it inlines a specialization of this in a release build.
    @_semantics("optimize.sil.specialize.generic.never")
    func readNow<Result>(_ body: (borrowing DatabaseAccess) throws -> Result) throws -> Result {
        let reader = try takeReader()
        defer { giveBack(reader) }
        return try reader.transaction(.read) { try body(DatabaseAccess(reader, isWriter: false)) }.result
    }

    /// ``write(_:)`` for async code: on a thread that may wait.
    @discardableResult
    @concurrent
    public func write<Result: Sendable>(
        _ body: @Sendable (borrowing DatabaseAccess) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try writeNow(body)
    }

    /// ``read(_:)`` for async code: on a thread that may wait.
    @concurrent
    public func read<Result: Sendable>(
        _ body: @Sendable (borrowing DatabaseAccess) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try readNow(body)
    }

    /// Forgets the key now, as a lock of the device does: at the app's own lock, and when the system suspends the app,
    /// since no lock of a file is left then (data-at-rest/DR17). The next use opens the database again where the device
    /// allows it.
    public func forgetKey() {
        let idle = readers.withLock { readers in
            defer { readers = [] }
            return readers
        }
        for reader in idle { reader.forgetKey() }
        writer.forgetKey()
    }

    /// Ends all observations, moves the log into the file, and closes.
    public func close() {
        for stream in observers.withLock({ $0.takeAll() }) { stream.finish() }
        let idle = readers.withLock { readers in
            defer { readers = [] }
            return readers
        }
        for reader in idle { reader.close() }
        writer.close()
    }

    private func takeReader() throws(ProtectedDatabaseError) -> StorageDatabase {
        if let idle = readers.withLock({ $0.popLast() }) { return idle }
        return try StorageDatabase.open(name, in: container, writer.protection, readOnly: true)
    }

    private func giveBack(_ reader: StorageDatabase) {
        let isKept = readers.withLock { readers in
            guard readers.count < Self.keptReaders else { return false }
            readers.append(reader)
            return true
        }
        // Without moving the log: others use it.
        if !isKept { reader.forgetKey() }
    }
}
