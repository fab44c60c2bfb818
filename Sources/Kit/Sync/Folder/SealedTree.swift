internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage

/// The rows of a ``SealedFolder``: one for each file and folder. Every call is part of a transaction of its caller.
struct SealedTree {
    /// A moment for people, and one for what is kept for so long.
    struct Moment {
        let wall: Int64
        let elapsed: Int64
    }

    /// A file or a folder.
    struct Row: Hashable {
        let item: Int64
        let parent: Int64
        let name: SyncItemName
        /// `nil` for a folder.
        let digest: ContentDigest?
        let status: FileStatus?

        init(_ row: DatabaseRow) throws {
            guard let name = SyncItemName(try row.value("name")) else {
                throw SyncFailure.journal("A row of the sealed folder cannot be read.")
            }
            (item, parent, self.name) = (try row.value("item"), try row.value("parent"), name)
            let bytes: Data? = try row.value("digest")
            digest = bytes.flatMap { ContentDigest(bytes: [UInt8]($0)) }
            guard bytes == nil || digest != nil else {
                throw SyncFailure.journal("A row of the sealed folder cannot be read.")
            }
            guard digest != nil else {
                status = nil
                return
            }
            status = FileStatus(
                size: try row.value("size"), modified: try row.value("modified"), change: try row.value("change"))
        }
    }

    private static let root: Int64 = 0
    /// Whole, by path.
    let entries: [FolderEntry]

    init(_ access: borrowing DatabaseAccess) throws {
        let rows = try access.rows("SELECT * FROM tree").map(Row.init)
        let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.item, $0) })
        func path(_ row: Row) -> SyncPath? {
            var (names, next) = ([row.name], row.parent)
            while next != Self.root {
                guard let parent = known[next], names.count <= known.count else { return nil }
                names.append(parent.name)
                next = parent.parent
            }
            return names.reversed()
        }
        entries = try rows.map { row in
            guard let path = path(row) else { throw SyncFailure.journal("A row of the sealed folder has no place.") }
            return FolderEntry(path: path, status: row.status, identity: "\(row.item)")
        }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    static func find(_ path: SyncPath, _ access: borrowing DatabaseAccess) throws -> Row? {
        var (parent, found) = (root, Row?.none)
        for name in path {
            let text = name.text
            guard let row = try access.first("SELECT * FROM tree WHERE parent = \(parent) AND name = \(text)") else {
                return nil
            }
            let next = try Row(row)
            (found, parent) = (next, next.item)
        }
        return found
    }

    /// The number of a folder, of the whole one for no names; `nil` when there is none.
    static func folder(_ path: SyncPath, _ access: borrowing DatabaseAccess) throws -> Int64? {
        guard !path.isEmpty else { return root }
        guard let row = try find(path, access), row.digest == nil else { return nil }
        return row.item
    }

    static func makeFolders(_ path: SyncPath, _ moment: Moment, _ access: borrowing DatabaseAccess) throws {
        for count in 1..<path.count + 1 {
            let part = Array(path.prefix(count))
            if let row = try find(part, access) {
                guard row.digest == nil else { throw SyncFailure.changed }
                continue
            }
            try insert(part, nil, moment, access)
        }
    }

    private static func insert(
        _ path: SyncPath, _ content: SyncContent?, _ moment: Moment, _ access: borrowing DatabaseAccess
    ) throws {
        guard let name = path.last?.text, let parent = try folder(Array(path.dropLast()), access) else {
            throw SyncFailure.changed
        }
        let digest = content.map { Data($0.digest.bytes) }
        let (size, modified, change) = (content?.count, moment.wall &* 1_000_000, try nextChange(access))
        // A number that no item ever had: one that is deleted is never taken for a new one.
        try access.run(
            """
            INSERT INTO tree(parent, name, digest, size, modified, change)
            VALUES (\(parent), \(name), \(digest), \(size), \(modified), \(change))
            """)
    }

    private static func nextChange(_ access: borrowing DatabaseAccess) throws -> Int64 {
        let last: Int64? = try access.value("SELECT MAX(change) FROM tree")
        return (last ?? 0) + 1
    }

    /// Puts a content in the place of what is there.
    static func put(
        _ content: SyncContent, _ path: SyncPath, _ moment: Moment, _ access: borrowing DatabaseAccess
    ) throws -> WrittenFile {
        if let old = try find(path, access) {
            // Another content always has another time: a file that differs under the old one is damaged (sync/SY4).
            let modified = max(moment.wall &* 1_000_000, (old.status?.modified ?? 0) &+ 1)
            let (item, digest, size) = (old.item, Data(content.digest.bytes), content.count)
            let change = try nextChange(access)
            try access.run(
                """
                UPDATE tree SET digest = \(digest), size = \(size), modified = \(modified), change = \(change)
                WHERE item = \(item)
                """)
        } else {
            try insert(path, content, moment, access)
        }
        guard let made = try find(path, access), let status = made.status else { throw SyncFailure.changed }
        return WrittenFile(status: status, identity: "\(made.item)")
    }

    static func move(_ path: SyncPath, _ target: SyncPath, _ access: borrowing DatabaseAccess) throws {
        guard let row = try find(path, access), try find(target, access) == nil, !target.starts(with: path),
            let parent = try folder(Array(target.dropLast()), access), let name = target.last?.text
        else { throw SyncFailure.changed }
        let item = row.item
        try access.run("UPDATE tree SET parent = \(parent), name = \(name) WHERE item = \(item)")
    }

    /// Removes an item and what is in it; contents stay for 30 days.
    static func remove(_ path: SyncPath, _ moment: Moment, _ access: borrowing DatabaseAccess) throws {
        guard let first = try find(path, access) else { return }
        var open = [first]
        while let row = open.popLast() {
            let item = row.item
            open += try access.rows("SELECT * FROM tree WHERE parent = \(item)").map(Row.init)
            if let digest = row.digest { try replaced(digest, moment, access) }
            try access.run("DELETE FROM tree WHERE item = \(item)")
        }
    }

    /// From now on the content is kept for 30 days.
    static func replaced(
        _ digest: ContentDigest, _ moment: Moment, _ access: borrowing DatabaseAccess
    ) throws {
        let (key, reason) = (Data(digest.bytes), KeepReason.replaced.rawValue)
        let (kept, since) = (moment.wall, moment.elapsed)
        try access.run(
            "UPDATE content SET reason = \(reason), kept = \(kept), since = \(since) WHERE digest = \(key)")
    }
}
