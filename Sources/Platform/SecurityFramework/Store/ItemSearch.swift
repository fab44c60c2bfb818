internal import PaviseDatabase
internal import PavisePrimitives

/// Which stored items a query means: all that can be decided without decrypting anything.
struct ItemSearch {
    let itemClass: ItemClass
    let groups: [String]
    let synchronizable: ItemQuery.Synchronizable
    let wanted: [[UInt8]]
    let wantsTombstones: Bool
    let start: Start
    let lookup: ItemDigests

    /// Where the search begins.
    enum Start {
        /// All attributes that name an item of the class.
        case name([UInt8])
        case digest([UInt8])
        case row(Int64)
        case everything
    }

    init(_ query: ItemQuery, groups: [String], digests: ItemDigests) {
        itemClass = query.itemClass
        lookup = digests
        self.groups = query.group.map { [$0] } ?? groups
        synchronizable = query.synchronizable
        wantsTombstones = query.attributes[.tombstone] == .number(1)
        let schema = Schema.of(query.itemClass)
        var compared = query.attributes
        compared[.tombstone] = nil
        // The handle on a token lies among the secrets. The rest of a key's attributes names it well enough.
        compared[.tokenObject] = nil
        compared[.passwordVerifier] = nil
        start = Self.start(query, schema, digests)
        // What has the name has each of its parts.
        var name: [[UInt8]] = []
        if case .name(let digest) = start {
            name = [digest]
            for code in schema.key { compared[code] = nil }
        }
        wanted = name + compared.map { digests.attribute(query.itemClass, $0.key, $0.value) }
    }

    private static func start(_ query: ItemQuery, _ schema: Schema, _ digests: ItemDigests) -> Start {
        switch query.persistentReference?.target {
        case .identifier(let identifier): return .digest(digests.identifier(identifier))
        case .row(let row): return .row(row)
        case nil: break
        }
        let isNamed = schema.key.allSatisfy { query.attributes[$0] != nil }
        if isNamed, !schema.key.isEmpty { return .name(digests.name(query.itemClass, query.attributes)) }
        for code in schema.indexed {
            if let value = query.attributes[code] {
                return .digest(digests.attribute(query.itemClass, code, value))
            }
        }
        return .everything
    }

    /// The digest that the search starts from, where it does.
    var place: [UInt8]? {
        switch start {
        case .name(let digest), .digest(let digest): digest
        case .row, .everything: nil
        }
    }

    /// Whether a row is meant.
    func includes(_ header: ItemHeader) -> Bool {
        guard header.itemClass == itemClass, header.isTombstone == wantsTombstones, groups.contains(header.group) else {
            return false
        }
        if case .only(let value) = synchronizable, header.isSynchronizable != value { return false }
        return wanted.allSatisfy { header.has($0) }
    }
}

extension ItemQuery {
    /// Whether it asks for no more than a primary key tells.
    var asksForNameAlone: Bool {
        let told = Schema.of(itemClass).key + [AttributeCode.token, .viewHint, .sharingGroup]
        return attributes.allSatisfy { told.contains($0.key) }
    }

    /// The primary keys that what it means can have; none where it does not give each part of a name.
    func primaryKeys(_ groups: [String], _ digests: ItemDigests) -> Set<[UInt8]> {
        let named = Schema.of(itemClass).key
        guard !named.isEmpty, named.allSatisfy({ attributes[$0] != nil }) else { return [] }
        let kinds: [Bool] =
            switch synchronizable {
            case .only(let value): [value]
            case .any: [false, true]
            }
        var keys: Set<[UInt8]> = []
        for group in groups {
            for kind in kinds {
                keys.insert(digests.primaryKey(itemClass, attributes, group: group, isSynchronizable: kind))
            }
        }
        return keys
    }
}

/// Rows are read the same way inside a transaction and outside of one.
protocol RowSource: ~Copyable {
    borrowing func rows(_ sql: StaticString, _ values: [DatabaseValue]) throws(DatabaseFailure) -> [StatementRow]
}

extension Database: RowSource {}
extension Transaction: RowSource {}

extension RowSource where Self: ~Copyable {
    /// The rows that a search means, in the order of their insertion.
    borrowing func find(_ search: ItemSearch) throws -> FoundRows {
        let found: [StatementRow] =
            switch search.start {
            case .name(let digest), .digest(let digest): try rows(at: digest)
            case .row(let row):
                try rows("SELECT row, primary_key, header, attributes, secret FROM item WHERE row = ?", [.integer(row)])
            case .everything:
                try rows("SELECT row, primary_key, header, attributes, secret FROM item ORDER BY row", [])
            }
        var result = FoundRows()
        let read = try ConcurrentMap.map(found) { StoredRow($0, search.lookup) }
        for (row, stored) in zip(found, read) { result.add(stored, at: row.integer(0) ?? 0, search) }
        return result
    }

    /// Every whole row that a place leads to, and the numbers of those that are damaged.
    borrowing func storedRows(
        at place: [UInt8], _ lookup: ItemDigests
    ) throws -> (rows: [StoredRow], unreadable: [Int64]) {
        var stored: [StoredRow] = []
        var unreadable: [Int64] = []
        for row in try rows(at: place) {
            guard let whole = StoredRow(row, lookup) else {
                unreadable.append(row.integer(0) ?? 0)
                continue
            }
            stored.append(whole)
        }
        return (stored, unreadable)
    }

    /// The row that holds a primary key, where one does.
    borrowing func holder(of primaryKey: [UInt8], _ lookup: ItemDigests) throws -> (row: Int64, stored: StoredRow?)? {
        let found = try rows(at: ItemIndex.place(ofPrimaryKey: primaryKey)).filter { $0.blob(1) == primaryKey }
        guard let first = found.first, let row = first.integer(0) else { return nil }
        return (row, StoredRow(first, lookup))
    }
}

/// The rows of a search, and how many of them cannot even be read.
struct FoundRows {
    private(set) var rows: [StoredRow] = []
    /// Rows whose header is damaged: what they were cannot be known.
    private(set) var unreadable: [Int64] = []

    init() {}

    /// Those of `rows` that the search means.
    init(_ rows: [StoredRow], unreadable: [Int64] = [], _ search: ItemSearch) {
        self.rows = rows.filter { search.includes($0.header) }
        self.unreadable = unreadable
    }

    /// - Parameter row: The row's number; `stored` is `nil` where the row is damaged.
    fileprivate mutating func add(_ stored: StoredRow?, at row: Int64, _ search: ItemSearch) {
        guard let stored else { return unreadable.append(row) }
        if search.includes(stored.header) { rows.append(stored) }
    }
}

extension StoredRow {
    /// Reads the five columns; `nil` when header or primary key are not what was stored.
    init?(_ row: StatementRow, _ lookup: ItemDigests) {
        guard let number = row.integer(0), let key = row.blob(1), let tagged = row.blob(2),
            let bytes = lookup.checked(tagged, key), let header = ItemHeader(bytes), let attributes = row.blob(3),
            let secret = row.blob(4)
        else { return nil }
        self.init(
            row: number, primaryKey: key, header: header, binding: bytes + key, attributes: attributes, secret: secret)
    }

    /// Reads the five columns of a row whose header was not checked: it is proved by what opens with it, and by nothing
    /// else.
    init?(unproven row: StatementRow) {
        guard let number = row.integer(0), let key = row.blob(1), let tagged = row.blob(2),
            let attributes = row.blob(3), let secret = row.blob(4)
        else { return nil }
        let bytes = Array(tagged.dropLast(16))
        guard let header = ItemHeader(bytes) else { return nil }
        self.init(
            row: number, primaryKey: key, header: header, binding: bytes + key, attributes: attributes, secret: secret)
    }
}
