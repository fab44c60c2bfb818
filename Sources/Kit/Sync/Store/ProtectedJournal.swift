internal import Foundation
package import PavisePrimitives
internal import PaviseProtectedStorage
package import PaviseStorage
internal import Synchronization

/// Base, journal and contents of one synchronised folder in a connection's protected container: rows in its database,
/// contents by digest in rows of the same or, when they are large, in its sealed files (sync/SY2), the largest in
/// several.
///
/// What `commit` and `keep` return from is on the disk. One writer at a time: the lock lives as long as this value. Who
/// only reads needs none, and sees what the writer has written.
package final class ProtectedJournal: SyncJournal, RemoteNotes {
    /// Contents up to this size, in bytes, lie in the database: one write to the disk in place of three.
    static let rowLimit = SyncChange.smallContent
    private static let day: Int64 = 86_400_000
    static let protection = ProtectionClass.untilFirstUserAuthentication

    let database: ProtectedDatabase
    let files: ProtectedFiles
    let type: String
    /// The most bytes of one sealed file: what of a content is in memory at a time.
    let partLimit: Int
    private let lock: HeldLock?
    private let time: TimeSource
    // How many contents are on the disk, or on their way to it, whose row is not written yet.
    private let unwritten = Mutex(0)
    // As of the opening: within a process the clock that cannot be set goes on.
    private let opened: ElapsedTime

    private final class HeldLock: Sendable {
        let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    static let steps = [
        DatabaseMigration(
            1, "journal",
            """
            CREATE TABLE base(
                item INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name TEXT NOT NULL, digest BLOB, size INTEGER,
                modified INTEGER, change INTEGER, here TEXT, validator TEXT, length INTEGER, there TEXT)
            """,
            "CREATE TABLE pending(item INTEGER PRIMARY KEY, kind TEXT NOT NULL, digest BLOB)",
            """
            CREATE TABLE content(
                digest BLOB PRIMARY KEY, reason TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
                kept INTEGER NOT NULL, bytes BLOB, file TEXT)
            """,
            "CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL)"),
        // A content in several files; one that is still arriving is named by where it comes from, not by its digest.
        DatabaseMigration(
            2, "parts",
            """
            CREATE TABLE part(
                owner BLOB NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL,
                PRIMARY KEY(owner, number))
            """,
            """
            CREATE TABLE arrival(
                key BLOB PRIMARY KEY, validator TEXT NOT NULL, size INTEGER, begun INTEGER NOT NULL)
            """,
            // What is kept is let go of by the time that has passed, not by the wall clock, which anybody can set.
            "ALTER TABLE content ADD COLUMN since INTEGER NOT NULL DEFAULT 0"),
        // The files of a sealed folder; AUTOINCREMENT gives no number twice.
        DatabaseMigration(
            3, "tree",
            """
            CREATE TABLE tree(
                item INTEGER PRIMARY KEY AUTOINCREMENT, parent INTEGER NOT NULL, name TEXT NOT NULL, digest BLOB,
                size INTEGER, modified INTEGER NOT NULL, change INTEGER NOT NULL, UNIQUE(parent, name))
            """),
        // What the folder has and the base has not is counted after each write of an app.
        DatabaseMigration(4, "unsent", "CREATE INDEX base_here ON base(here)"),
    ]

    /// Opens or makes the journal `name` of a container.
    ///
    /// - Parameters:
    ///   - name: Of the folder, in letters, digits and `-`.
    ///   - lock: The lock's file.
    ///   - partLimit: The most bytes of one sealed file.
    ///   - time: Both clocks.
    /// - Throws: ``SyncFailure/busy`` when another process has it.
    package static func open(
        _ name: String, in container: ProtectedContainer, lock path: String, partLimit: Int = 4 << 20,
        time: TimeSource = .system
    ) throws(SyncFailure) -> ProtectedJournal {
        let lock: FileLock?
        do throws(SystemFailure) { lock = try FileLock.tryAcquire(path) } catch {
            throw error.isDiskFull ? .full(.here) : .journal(error.description)
        }
        guard let held = lock else { throw .busy }
        return try ProtectedJournal(name, container, HeldLock(held), partLimit, time)
    }

    /// Opens the journal beside whoever writes it. No run may be made of it.
    package static func openBeside(
        _ name: String, in container: ProtectedContainer, time: TimeSource = .system
    ) throws(SyncFailure) -> ProtectedJournal {
        try ProtectedJournal(name, container, nil, 4 << 20, time)
    }

    /// What the database of a journal is called among those of its container.
    static func databaseName(_ name: String) -> String { "sync-\(name)" }

    /// Whether this value has the lock.
    package var isWriter: Bool { lock != nil }

    private init(
        _ name: String, _ container: ProtectedContainer, _ lock: HeldLock?, _ partLimit: Int,
        _ time: TimeSource
    ) throws(SyncFailure) {
        let now = ClockReading(time)
        do {
            let database = try container.database(
                Self.databaseName(name), protection: Self.protection, migrations: Self.steps)
            let known: String? = try database.read { access in
                try access.value("SELECT value FROM fact WHERE name = 'elapsed'")
            }
            let elapsed = known.flatMap { ElapsedTime($0) }?.at(now) ?? ElapsedTime(startingAt: now)
            if known == nil {
                // What passes from here on counts, whoever opens the journal next.
                try database.write { access in
                    try access.run(
                        "INSERT INTO fact(name, value) VALUES ('elapsed', \(elapsed.text)) ON CONFLICT(name) DO NOTHING"
                    )
                }
            }
            opened = elapsed
            self.database = database
        } catch {
            throw SyncFailure(error)
        }
        (files, type, self.lock, self.partLimit) = (container.files, "pavise/sync-\(name)", lock, partLimit)
        self.time = time
    }

    /// Milliseconds since 1970, for people.
    func now() -> Int64 { time.wallMilliseconds }

    /// What has passed since the journal was made.
    func elapsed() -> ElapsedTime { opened.at(ClockReading(time)) }

    @discardableResult
    func write<Value: Sendable>(_ body: (borrowing DatabaseAccess) throws -> Value) throws(SyncFailure) -> Value {
        do { return try database.write(body) } catch { throw SyncFailure(error) }
    }

    func read<Value: Sendable>(_ body: (borrowing DatabaseAccess) throws -> Value) throws(SyncFailure) -> Value {
        do { return try database.read(body) } catch { throw SyncFailure(error) }
    }

    // MARK: Rows

    package func load() async throws(SyncFailure) -> SyncRecords {
        try read { access in
            var records = SyncRecords()
            for row in try access.rows("SELECT * FROM base") {
                let (id, record) = try JournalRow.base(row)
                records.base[id] = record
            }
            for row in try access.rows("SELECT * FROM pending") {
                let (id, write) = try JournalRow.pending(row)
                records.pending[id] = write
            }
            records.root = try access.value("SELECT value FROM fact WHERE name = 'root'")
            return records
        }
    }

    package func commit(_ changes: [SyncChange]) async throws(SyncFailure) {
        try storing { () throws(SyncFailure) in try commitNow(changes) }
    }

    private func commitNow(_ changes: [SyncChange]) throws(SyncFailure) {
        var rows: [KeptRow] = []
        for case .keep(let content, let name, let reason) in changes { rows.append(try row(content, name, reason)) }
        let kept = rows
        try write { access in
            for row in kept { try row.insert(access) }
            for change in changes { try JournalRow.apply(change, access) }
        }
    }

    /// Puts contents on the disk and writes the rows that speak of them; no sweep comes between the two.
    func storing<Value>(_ body: () throws(SyncFailure) -> Value) throws(SyncFailure) -> Value {
        unwritten.withLock { $0 += 1 }
        defer { unwritten.withLock { $0 -= 1 } }
        return try body()
    }

    // MARK: What the folder is

    /// A fact that was written down, by its name.
    package func fact(_ name: String) throws(SyncFailure) -> String? {
        try read { access in try access.value("SELECT value FROM fact WHERE name = \(name)") }
    }

    /// Writes a fact down.
    package func setFact(_ name: String, _ value: String) throws(SyncFailure) {
        try write { access in
            try access.run(
                """
                INSERT INTO fact(name, value) VALUES (\(name), \(value))
                ON CONFLICT(name) DO UPDATE SET value = excluded.value
                """)
        }
    }

    // MARK: Notes of the remote

    package func note(_ name: String) throws(SyncFailure) -> String? { try fact("note-\(name)") }

    package func setNote(_ name: String, _ text: String?) throws(SyncFailure) {
        let fact = "note-\(name)"
        if let text { return try setFact(fact, text) }
        try write { access in try access.run("DELETE FROM fact WHERE name = \(fact)") }
    }

    // MARK: The end of what is kept

    /// A content that is kept.
    package struct Kept: Hashable, Sendable {
        /// Names it.
        package let digest: ContentDigest
        /// Why.
        package let reason: KeepReason
        /// What its file was called.
        package let name: String
        /// In bytes.
        package let size: Int
        /// When, in milliseconds since 1970.
        package let kept: Int64
    }

    /// What is kept, the newest first.
    package func kept() throws(SyncFailure) -> [Kept] {
        try read { access in
            let rows = try access.rows(
                """
                SELECT digest, reason, name, size, kept FROM content
                WHERE digest NOT IN (SELECT digest FROM tree WHERE digest IS NOT NULL) ORDER BY kept DESC, digest
                """)
            return try rows.map { row in
                let bytes: Data = try row.value("digest")
                guard let digest = ContentDigest(bytes: [UInt8](bytes)),
                    let reason = KeepReason(rawValue: try row.value("reason"))
                else { throw SyncFailure.journal("A row of the journal cannot be read.") }
                return Kept(
                    digest: digest, reason: reason, name: try row.value("name"), size: try row.value("size"),
                    kept: try row.value("kept"))
            }
        }
    }

    /// Lets go of what was replaced 30 days ago, of what was sent or fetched a day ago and is agreed on, of what began
    /// to arrive a week ago, of notes on uploads when none can be going on, and of files that a kill left without a row
    /// (sync/SY14). What is being sent stays. The time is the one that has passed, by both clocks: setting the wall
    /// clock forward lets go of nothing.
    ///
    /// While somebody is putting a content here it does nothing: a file has no row at that moment, and a row that is
    /// about to be used again may be the oldest. The next one does it.
    package func sweep() throws(SyncFailure) {
        try unwritten.withLock { count throws(SyncFailure) in if count == 0 { try sweepNow() } }
    }

    private func sweepNow() throws(SyncFailure) {
        let (elapsed, day) = (elapsed(), Self.day)
        let (now, text) = (elapsed.total, elapsed.text)
        let (monthAgo, dayAgo) = (now - 30 * day, now - day)
        let notes = "note-\(WebDAVRemote.uploadNote)*"
        let left = try write { access -> [String?] in
            let gone = try access.rows(
                """
                SELECT digest FROM content WHERE digest NOT IN (SELECT digest FROM pending WHERE digest IS NOT NULL)
                AND digest NOT IN (SELECT digest FROM tree WHERE digest IS NOT NULL)
                AND (since < \(monthAgo) OR (since < \(dayAgo) AND reason <> 'replaced'
                    AND digest IN (SELECT digest FROM base WHERE digest IS NOT NULL)))
                """)
            for row in gone {
                let digest: Data = try row.value("digest")
                try access.run("DELETE FROM content WHERE digest = \(digest)")
            }
            try access.run(
                """
                INSERT INTO fact(name, value) VALUES ('elapsed', \(text))
                ON CONFLICT(name) DO UPDATE SET value = excluded.value
                """)
            try access.run("DELETE FROM arrival WHERE begun < \(now - 7 * day)")
            // Nothing waits to be sent: an upload that broke off was of a content that is none any more.
            try access.run(
                """
                DELETE FROM fact WHERE name GLOB \(notes) AND NOT EXISTS (SELECT 1 FROM pending)
                """)
            try access.run(
                """
                DELETE FROM part WHERE owner NOT IN (SELECT digest FROM content) AND owner NOT IN (SELECT key FROM \
                arrival)
                """
            )
            return try access.rows(
                "SELECT file FROM content WHERE file IS NOT NULL UNION ALL SELECT file FROM part"
            ).map { try $0.value("file") }
        }
        do {
            try files.removeAll(ofType: type, except: Set(left.compactMap { $0.flatMap(StoredFileID.init) }))
        } catch {
            throw SyncFailure(error)
        }
    }

    /// How many writes wait whose end is not known, and how many contents lie here.
    package func counts() throws(SyncFailure) -> (items: Int, pending: Int, kept: Int) {
        let counts = try read { access -> [Int] in
            [
                try access.value("SELECT COUNT(*) FROM base") ?? 0,
                try access.value("SELECT COUNT(*) FROM pending") ?? 0,
                try access.value(
                    """
                    SELECT COUNT(*) FROM content
                    WHERE digest NOT IN (SELECT digest FROM tree WHERE digest IS NOT NULL)
                    """) ?? 0,
            ]
        }
        return (counts[0], counts[1], counts[2])
    }

    /// How many items of the sealed folder are not on the server as they are here: new, other, elsewhere, or gone here.
    func unsentOfSealed() throws(SyncFailure) -> Int {
        try read { access in
            // The base calls an item of the tree by its number, and a folder's parent by the base's own.
            let changed: Int? = try access.value(
                """
                SELECT COUNT(*) FROM tree LEFT JOIN base ON base.here = CAST(tree.item AS TEXT)
                    LEFT JOIN base AS folder ON folder.item = base.parent
                WHERE base.item IS NULL OR base.name <> tree.name OR base.digest IS NOT tree.digest
                    OR IFNULL(folder.here, '0') <> CAST(tree.parent AS TEXT)
                """)
            let gone: Int? = try access.value(
                "SELECT COUNT(*) FROM base WHERE IFNULL(here, '') NOT IN (SELECT CAST(item AS TEXT) FROM tree)")
            return (changed ?? 0) + (gone ?? 0)
        }
    }

    /// Whether a name may be that of a copy of a conflict (``ConflictNaming/isCopy(_:)``).
    package func mayHaveCopies() throws(SyncFailure) -> Bool {
        try read { access in
            let count: Int? = try access.value("SELECT COUNT(*) FROM base WHERE instr(name, ' (conflict ') > 0")
            return count != 0
        }
    }

    /// Closes the database.
    package func close() { database.close() }
}
