internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage

/// Between records and rows of the journal. A row that makes no sense is an error, and never a guess (sync/SY16).
enum JournalRow {
    private static var unreadable: SyncFailure { .journal("A row of the journal cannot be read.") }

    static func number(_ id: ItemID) -> Int64 { Int64(bitPattern: id.number) }

    private static func id(_ row: DatabaseRow, _ column: String) throws -> ItemID {
        let number: Int64 = try row.value(column)
        return ItemID(UInt64(bitPattern: number))
    }

    private static func digest(_ row: DatabaseRow) throws -> ContentDigest? {
        guard let bytes: Data = try row.value("digest") else { return nil }
        guard let digest = ContentDigest(bytes: [UInt8](bytes)) else { throw unreadable }
        return digest
    }

    static func base(_ row: DatabaseRow) throws -> (ItemID, BaseRecord) {
        let (id, digest) = (try id(row, "item"), try digest(row))
        guard let name = SyncItemName(try row.value("name")), id != .root else { throw unreadable }
        let kind: SyncItem.Kind = digest.map { .file(.known($0)) } ?? .folder
        var record = BaseRecord(item: SyncItem(parent: try self.id(row, "parent"), name: name, kind: kind))
        if let size: Int = try row.value("size"), let modified: Int64 = try row.value("modified"),
            let change: Int64 = try row.value("change")
        {
            record.status = FileStatus(size: size, modified: modified, change: change)
        }
        if let validator: String = try row.value("validator") {
            record.version = RemoteVersion(validator: validator, size: try row.value("length"))
        }
        (record.hereIdentity, record.thereIdentity) = (try row.value("here"), try row.value("there"))
        return (id, record)
    }

    static func pending(_ row: DatabaseRow) throws -> (ItemID, PendingWrite) {
        guard let kind = PendingWrite.Kind(rawValue: try row.value("kind")) else { throw unreadable }
        return (try id(row, "item"), PendingWrite(kind: kind, digest: try digest(row)))
    }

    static func apply(_ change: SyncChange, _ access: borrowing DatabaseAccess) throws {
        switch change {
        case .base(let id, nil): try access.run("DELETE FROM base WHERE item = \(number(id))")
        case .base(let id, let record?): try put(id, record, access)
        case .keep: break
        case .root(nil): try access.run("DELETE FROM fact WHERE name = 'root'")
        case .root(let text?):
            try access.run(
                """
                INSERT INTO fact(name, value) VALUES ('root', \(text))
                ON CONFLICT(name) DO UPDATE SET value = excluded.value
                """)
        case .pending(let id, nil): try access.run("DELETE FROM pending WHERE item = \(number(id))")
        case .pending(let id, let write?):
            let digest = write.digest.map { Data($0.bytes) }
            try access.run(
                """
                INSERT OR REPLACE INTO pending(item, kind, digest) VALUES (\(number(id)), \(write.kind.rawValue), \
                \(digest))
                """
            )
        }
    }

    private static func put(_ id: ItemID, _ record: BaseRecord, _ access: borrowing DatabaseAccess) throws {
        let item = record.item
        // Only what was read, or is a folder, is ever agreed on.
        guard item.isFolder || item.digest != nil else { throw unreadable }
        let digest = item.digest.map { Data($0.bytes) }
        try access.run(
            """
            INSERT OR REPLACE INTO base(item, parent, name, digest, size, modified, change, here, validator, length, \
            there)
            VALUES (\(number(id)), \(number(item.parent)), \(item.name.text), \(digest), \(record.status?.size),
                \(record.status?.modified), \(record.status?.change), \(record.hereIdentity),
                \(record.version?.validator), \(record.version?.size), \(record.thereIdentity))
            """)
    }
}
