internal import Foundation
internal import PavisePrimitives
internal import PaviseProtectedStorage
package import PaviseStorage

/// Base, journal and contents of one synchronised folder in a connection's protected container: rows in its database,
/// contents by digest in rows of the same or, when they are large, in its sealed files (sync/SY2).
///
/// What `commit` and `keep` return from is on the disk. One writer at a time: the lock lives as long as this value.
package final class ProtectedJournal: SyncJournal {
    /// Contents up to this size, in bytes, lie in the database: one write to the disk in place of three.
    static let rowLimit = 65_536
    private static let day: Int64 = 86_400_000
    static let protection = ProtectionClass.untilFirstUserAuthentication

    let database: ProtectedDatabase
    let files: ProtectedFiles
    let type: String
    private let lock: HeldLock
    private let milliseconds: @Sendable () -> Int64

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
            "CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    ]

    /// Opens or makes the journal `name` of a container.
    ///
    /// - Parameters:
    ///   - name: Of the folder, in letters, digits and `-`.
    ///   - lock: The lock's file.
    /// - Throws: ``SyncFailure/busy`` when another process has it.
    package static func open(
        _ name: String, in container: ProtectedContainer, lock path: String,
        milliseconds: @escaping @Sendable () -> Int64 = { TimeSource.system.wallMilliseconds }
    ) throws(SyncFailure) -> ProtectedJournal {
        let lock: FileLock?
        do throws(SystemFailure) { lock = try FileLock.tryAcquire(path) } catch {
            throw error.isDiskFull ? .full(.here) : .journal(error.description)
        }
        guard let held = lock else { throw .busy }
        return try ProtectedJournal(name, container, HeldLock(held), milliseconds)
    }

    private init(
        _ name: String, _ container: ProtectedContainer, _ lock: HeldLock,
        _ milliseconds: @escaping @Sendable () -> Int64
    ) throws(SyncFailure) {
        do {
            database = try container.database("sync-\(name)", protection: Self.protection, migrations: Self.steps)
        } catch {
            throw SyncFailure(error)
        }
        (files, type, self.lock, self.milliseconds) = (container.files, "pavise/sync-\(name)", lock, milliseconds)
    }

    func now() -> Int64 { milliseconds() }

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
            return records
        }
    }

    package func commit(_ changes: [SyncChange]) async throws(SyncFailure) {
        try write { access in for change in changes { try JournalRow.apply(change, access) } }
    }

    // MARK: Contents

    package func keep(
        _ content: [UInt8], _ digest: ContentDigest, named name: String, for reason: KeepReason
    ) async throws(SyncFailure) {
        let isThere = try read { access in
            try access.first("SELECT 1 FROM content WHERE digest = \(Data(digest.bytes))") != nil
        }
        // The file first: a row never speaks of what is not there. A kill between the two leaves a file that `sweep`
        // takes away.
        var file: String?
        if !isThere, content.count > Self.rowLimit {
            do throws(StorageFailure) {
                file = try files.put(content, named: "\(digest)", type: type, protection: Self.protection).description
            } catch {
                throw SyncFailure(error)
            }
        }
        let bytes = !isThere && file == nil ? Data(content) : nil
        let (made, kept, short) = (file, now(), String(name.prefix(255)))
        try write { access in
            try access.run(
                """
                INSERT INTO content(digest, reason, name, size, kept, bytes, file)
                VALUES (\(Data(digest.bytes)), \(reason.rawValue), \(short), \(content.count), \(kept), \(bytes), \(made))
                ON CONFLICT(digest) DO UPDATE SET kept = excluded.kept, name = excluded.name,
                    reason = CASE WHEN reason = 'replaced' THEN reason ELSE excluded.reason END
                """)
        }
    }

    package func content(_ digest: ContentDigest) async throws(SyncFailure) -> [UInt8]? {
        let row = try read { access in
            try access.first("SELECT bytes, file, size FROM content WHERE digest = \(Data(digest.bytes))")
        }
        guard let row else { return nil }
        do {
            if let bytes: Data = try row.value("bytes") { return try Self.checked([UInt8](bytes), digest) }
            guard let text: String = try row.value("file"), let id = StoredFileID(text) else { return nil }
            return try Self.checked(files.get(id, limit: try row.value("size")), digest)
        } catch {
            throw SyncFailure(error)
        }
    }

    private static func checked(_ bytes: [UInt8], _ digest: ContentDigest) throws(SyncFailure) -> [UInt8] {
        guard ContentDigest(of: bytes) == digest else { throw .journal("A kept content is not what was kept.") }
        return bytes
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
            try access.rows("SELECT digest, reason, name, size, kept FROM content ORDER BY kept DESC, digest").map {
                row in
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

    /// Lets go of what was replaced 30 days ago, of what was sent or fetched a day ago and is agreed on, and of files
    /// that a kill left without a row (sync/SY14). What is being sent stays.
    package func sweep() throws(SyncFailure) {
        let (now, day) = (now(), Self.day)
        let (monthAgo, dayAgo) = (now - 30 * day, now - day)
        let left = try write { access -> [String?] in
            let gone = try access.rows(
                """
                SELECT digest, file FROM content WHERE digest NOT IN (SELECT digest FROM pending WHERE digest IS NOT NULL)
                AND (kept < \(monthAgo) OR (kept < \(dayAgo) AND reason <> 'replaced'
                    AND digest IN (SELECT digest FROM base WHERE digest IS NOT NULL)))
                """)
            for row in gone {
                let digest: Data = try row.value("digest")
                try access.run("DELETE FROM content WHERE digest = \(digest)")
            }
            return try access.rows("SELECT file FROM content WHERE file IS NOT NULL").map { try $0.value("file") }
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
                try access.value("SELECT COUNT(*) FROM content") ?? 0,
            ]
        }
        return (counts[0], counts[1], counts[2])
    }

    /// Closes the database.
    package func close() { database.close() }
}
