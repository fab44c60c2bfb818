internal import Foundation
package import PavisePrimitives
internal import PaviseProtectedStorage
package import PaviseStorage

/// Records in a protected database: rows, tombstones, writes whose end is not known, and what was replaced.
package final class ProtectedRecordStore: RecordStore {
    private static let month: Int64 = 30 * 86_400_000
    package let database: ProtectedDatabase
    private let time: TimeSource

    package static let steps = [
        DatabaseMigration(
            1, "records",
            """
            CREATE TABLE record(
                id TEXT PRIMARY KEY, here BLOB, base BLOB, tag TEXT, key TEXT, sent BLOB, old TEXT, original TEXT,
                waits INTEGER NOT NULL) WITHOUT ROWID
            """,
            "CREATE INDEX record_waits ON record(waits) WHERE waits = 1",
            """
            CREATE TABLE position(
                one INTEGER PRIMARY KEY CHECK (one = 1), collection TEXT NOT NULL, cursor TEXT NOT NULL)
            """,
            """
            CREATE TABLE replaced(
                number INTEGER PRIMARY KEY, id TEXT NOT NULL, fields BLOB NOT NULL, kept INTEGER NOT NULL)
            """
        ),
        // What is kept is let go of by the time that has passed, not by the wall clock, which anybody can set.
        DatabaseMigration(
            2, "elapsed",
            "ALTER TABLE replaced ADD COLUMN since INTEGER NOT NULL DEFAULT 0",
            "CREATE TABLE elapsed(one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL)"),
        // Whether what is being sent was erased meanwhile.
        DatabaseMigration(3, "erased", "ALTER TABLE record ADD COLUMN erased INTEGER NOT NULL DEFAULT 0"),
    ]

    /// Records in `database`, which has the schema of ``steps``.
    package init(_ database: ProtectedDatabase, time: TimeSource = .system) {
        (self.database, self.time) = (database, time)
    }

    private func write<Value>(_ body: (borrowing DatabaseAccess) throws -> Value) throws(SyncFailure) -> Value {
        do { return try database.write(body) } catch { throw SyncFailure(error) }
    }

    private func read<Value>(_ body: (borrowing DatabaseAccess) throws -> Value) throws(SyncFailure) -> Value {
        do { return try database.read(body) } catch { throw SyncFailure(error) }
    }

    // MARK: Rows

    package func apply(
        _ events: [(RecordID, RecordEvent)], position: RecordPosition?
    ) throws(SyncFailure) -> RecordChanges {
        let (now, reading) = (time.wallMilliseconds, ClockReading(time))
        let changes = try write { access in
            var changes = RecordChanges()
            for (id, event) in events {
                try changes.apply(event, to: id) { id in try Self.row(id, access) }
            }
            for row in changes.rows.values { try Self.put(row, access) }
            let elapsed = try Self.elapsed(at: reading, access)
            for (id, fields) in changes.replaced {
                try access.run(
                    """
                    INSERT INTO replaced(id, fields, kept, since)
                    VALUES (\(id.text), \(Data(fields.json)), \(now), \(elapsed))
                    """)
            }
            try access.run("DELETE FROM replaced WHERE since < \(elapsed - Self.month)")
            for id in changes.erased { try Self.eraseReplaced(id, access) }
            if let position {
                try access.run(
                    """
                    INSERT OR REPLACE INTO position(one, collection, cursor)
                    VALUES (1, \(position.collection), \(position.cursor))
                    """)
            }
            return changes
        }
        // What an erased record was goes out of the log as well: now, and when the server has taken its deletion.
        if !changes.erased.isEmpty {
            try emptyLog()
        } else if changes.hasLetGo || changes.rows.values.contains(where: { $0.isGone || $0.isErased }) {
            // A reader that still needs the log is no reason to end the run.
            try? emptyLog()
        }
        return changes
    }

    // Written down each hour: what a kill takes of it makes what is kept stay longer.
    private static func elapsed(at now: ClockReading, _ access: borrowing DatabaseAccess) throws -> Int64 {
        let text: String? = try access.value("SELECT value FROM elapsed")
        let known = text.flatMap(ElapsedTime.init)
        let elapsed = known?.at(now) ?? ElapsedTime(startingAt: now)
        if elapsed.total - (known?.total ?? -3_600_000) >= 3_600_000 || known?.reading.boot != now.boot {
            try access.run("INSERT OR REPLACE INTO elapsed(one, value) VALUES (1, \(elapsed.text))")
        }
        return elapsed.total
    }

    package func row(_ id: RecordID) throws(SyncFailure) -> RecordRow? {
        try read { access in try Self.row(id, access) }
    }

    package func rows(areThere: Bool) throws(SyncFailure) -> [RecordRow] {
        try read { access in
            let all: SQL = "SELECT * FROM record ORDER BY id"
            let there: SQL = "SELECT * FROM record WHERE here IS NOT NULL ORDER BY id"
            return try access.rows(areThere ? there : all).map { try Self.row($0) }
        }
    }

    package func waiting() throws(SyncFailure) -> [RecordID] {
        try read { access in
            try access.rows("SELECT * FROM record WHERE waits = 1 ORDER BY id").map { try Self.row($0).id }
        }
    }

    package func position() throws(SyncFailure) -> RecordPosition? {
        try read { access in
            guard let row = try access.first("SELECT collection, cursor FROM position") else { return nil }
            return RecordPosition(collection: try row.value("collection"), cursor: try row.value("cursor"))
        }
    }

    // MARK: What was replaced

    /// A content that another took the place of, or that was deleted, at most 30 days ago (sync/SY14).
    package struct Replaced: Hashable, Sendable {
        package let id: RecordID
        package let fields: RecordFields
        /// In milliseconds since 1970.
        package let kept: Int64
    }

    /// What is kept, the newest first.
    package func replaced() throws(SyncFailure) -> [Replaced] {
        try read { access in
            try access.rows("SELECT id, fields, kept FROM replaced ORDER BY number DESC").map { row in
                guard let id = RecordID(try row.value("id")), let fields = try Self.fields(row, "fields") else {
                    throw Self.unreadable
                }
                return Replaced(id: id, fields: fields, kept: try row.value("kept"))
            }
        }
    }

    /// Lets go of what is kept of a record and of other versions of it; nothing of that stays in the file or its log.
    package func eraseReplaced(_ id: RecordID) throws(SyncFailure) {
        try write { access in try Self.eraseReplaced(id, access) }
        try emptyLog()
    }

    // The identifiers of other versions begin with that of the record (RecordID.conflict), and so may other records.
    private static func eraseReplaced(_ id: RecordID, _ access: borrowing DatabaseAccess) throws {
        try access.run("DELETE FROM replaced WHERE id = \(id.text)")
        let prefix = id.versionPrefix
        let alike = try access.rows(
            "SELECT DISTINCT id FROM replaced WHERE substr(id, 1, \(prefix.utf8.count)) = \(prefix)")
        for row in alike {
            guard let other = RecordID(try row.value("id")) else { throw unreadable }
            if other.isVersion(of: id) { try access.run("DELETE FROM replaced WHERE id = \(other.text)") }
        }
    }

    private func emptyLog() throws(SyncFailure) {
        do { try database.emptyLog() } catch { throw SyncFailure(error) }
    }

    // MARK: Between rows and records

    // A row that makes no sense is an error, and never a guess (sync/SY16).
    private static var unreadable: SyncFailure { .journal("A stored record cannot be read.") }

    private static func row(_ id: RecordID, _ access: borrowing DatabaseAccess) throws -> RecordRow? {
        try access.first("SELECT * FROM record WHERE id = \(id.text)").map { try row($0) }
    }

    package static func row(_ row: DatabaseRow) throws -> RecordRow {
        guard let id = RecordID(try row.value("id")) else { throw unreadable }
        var record = RecordRow(id)
        let original: String? = try row.value("original")
        record.original = original.flatMap(RecordID.init)
        record.here = try fields(row, "here")
        let (tag, key): (String?, String?) = (try row.value("tag"), try row.value("key"))
        let base = try fields(row, "base")
        guard (tag == nil) == (base == nil), (original == nil) == (record.original == nil) else { throw unreadable }
        if let tag { record.base = RecordVersion(tag: tag, fields: base, original: record.original) }
        if let key {
            let erased: Int64 = try row.value("erased")
            record.pending = PendingRecord(
                key: key, fields: try fields(row, "sent"), old: try row.value("old"), isErased: erased != 0)
        }
        return record
    }

    private static func fields(_ row: DatabaseRow, _ column: String) throws -> RecordFields? {
        guard let bytes: Data = try row.value(column) else { return nil }
        do { return try RecordFields(json: [UInt8](bytes)) } catch { throw unreadable }
    }

    private static func put(_ row: RecordRow, _ access: borrowing DatabaseAccess) throws {
        guard !row.isGone else {
            try access.run("DELETE FROM record WHERE id = \(row.id.text)")
            return
        }
        func data(_ fields: RecordFields?) -> Data? { fields.map { Data($0.json) } }
        let waits = row.isDirty || row.pending != nil
        try access.run(
            """
            INSERT OR REPLACE INTO record(id, here, base, tag, key, sent, old, original, waits, erased)
            VALUES (\(row.id.text), \(data(row.here)), \(data(row.base?.fields)), \(row.base?.tag), \(row.pending?.key),
                \(data(row.pending?.fields)), \(row.pending?.old), \(row.original?.text), \(waits),
                \(row.pending?.isErased == true))
            """)
    }
}
