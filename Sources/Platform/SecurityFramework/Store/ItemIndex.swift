internal import PaviseDatabase
internal import PavisePrimitives

/// Where a search may start: a digest of an attribute, a name, a primary key or an identifier, and the row it leads to.
///
/// Digests are random to look at, so that each entry of an item lies on another page of `place`, and a commit writes
/// every page that it changed. New entries therefore go to `recent` first, which is one page, and move to `place`
/// together when that is full. A search asks both.
enum ItemIndex {
    /// How many entries fit on the page of `recent`.
    static let recentLimit: Int64 = 120

    /// The place of a primary key, which no two items share. The whole key is compared after the row was found.
    static func place(ofPrimaryKey primaryKey: [UInt8]) -> [UInt8] { Array(primaryKey.prefix(16)) }
}

extension StoredRow {
    /// Every place that may lead to the row; some of them may not have been used.
    func places(_ lookup: ItemDigests) -> [[UInt8]] {
        let digests = header.digests
        let attributes = stride(from: 0, to: digests.count - 15, by: 16).map { Array(digests[$0..<$0 + 16]) }
        return attributes + [lookup.identifier(header.identifier), ItemIndex.place(ofPrimaryKey: primaryKey)]
    }
}

extension Transaction {
    /// Makes the tables of places, and enters the primary keys of items that were stored without them.
    borrowing func makePlaces() throws {
        try run(
            """
            CREATE TABLE IF NOT EXISTS place(
                digest BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (digest, row)) STRICT, WITHOUT ROWID
            """)
        try run(
            """
            CREATE TABLE IF NOT EXISTS recent(
                digest BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (digest, row)) STRICT, WITHOUT ROWID
            """)
        try run("INSERT OR IGNORE INTO place(digest, row) SELECT substr(primary_key, 1, 16), row FROM item")
    }

    /// Enters the places of a row.
    borrowing func insert(places: [[UInt8]], of row: Int64) throws {
        for place in places {
            try run("INSERT OR IGNORE INTO recent(digest, row) VALUES (?, ?)", [.blob(place), .integer(row)])
        }
        guard try rows("SELECT count(*) FROM recent").first?.integer(0) ?? 0 > ItemIndex.recentLimit else { return }
        try run("INSERT OR IGNORE INTO place(digest, row) SELECT digest, row FROM recent")
        try run("DELETE FROM recent")
    }

    /// Removes the entries of a row.
    borrowing func remove(places: [[UInt8]], of row: Int64) throws {
        for place in places {
            try run("DELETE FROM place WHERE digest = ? AND row = ?", [.blob(place), .integer(row)])
            try run("DELETE FROM recent WHERE digest = ? AND row = ?", [.blob(place), .integer(row)])
        }
    }

    /// Removes the entries of a row whose places are not known.
    borrowing func removePlaces(of row: Int64) throws {
        try run("DELETE FROM place WHERE row = ?", [.integer(row)])
        try run("DELETE FROM recent WHERE row = ?", [.integer(row)])
    }
}

extension RowSource where Self: ~Copyable {
    /// The rows that a place leads to, in the order of their insertion. One statement, so that no entry is on its way
    /// from one table to the other while it is looked for. It is sorted here: SQLite would make a table for that.
    borrowing func rows(at place: [UInt8]) throws -> [StatementRow] {
        let found = try rows(
            """
            SELECT item.row, primary_key, header, attributes, secret FROM place CROSS JOIN item ON item.row = place.row
                WHERE digest = ?1
            UNION ALL
            SELECT item.row, primary_key, header, attributes, secret FROM recent CROSS JOIN item ON item.row = \
            recent.row
                WHERE digest = ?1
            """, [.blob(place)])
        guard found.count > 1 else { return found }
        var seen: Set<Int64> = []
        return found.map { (row: $0.integer(0) ?? 0, values: $0) }
            .filter { seen.insert($0.row).inserted }
            .sorted { $0.row < $1.row }
            .map(\.values)
    }
}
