internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

/// The rows of items among those that were salvaged, and their way into a new store.
struct RepairedItems {
    private var keys: [(keyClass: Int64, identifier: [UInt8], wrapped: [UInt8])] = []
    /// Keys of the element that are to be destroyed.
    private var notes: [[UInt8]] = []
    private var whole: [[UInt8]: StoredRow] = [:]
    /// Headers of items whose halves are cut off, by identifier.
    private var cut: [[UInt8]: ItemHeader] = [:]

    init(_ salvaged: SalvagedDatabase, _ digests: ItemDigests) {
        for row in salvaged.rows {
            switch (row.values.count, row.isCut) {
            case (2, false): addNote(row)
            case (3, false): addKey(row)
            case (5, false): addItem(row, digests)
            case (3..., true): addCut(row, digests)
            default: continue
            }
        }
        for identifier in whole.keys { cut[identifier] = nil }
    }

    // destroying(id, item)
    private mutating func addNote(_ row: SalvagedDatabase.Row) {
        guard row.values[0] == .null, case .blob(let note) = row.values[1] else { return }
        notes.append(note)
    }

    // metadata_key(class, identifier, wrapped)
    private mutating func addKey(_ row: SalvagedDatabase.Row) {
        guard row.values[0] == .null, case .blob(let identifier) = row.values[1],
            case .blob(let wrapped) = row.values[2],
            identifier.count == MetadataKeys.identifierCount, wrapped.count == 60
        else { return }
        keys.append((row.row, identifier, wrapped))
    }

    // item(row, primary_key, header, attributes, secret)
    private mutating func addItem(_ row: SalvagedDatabase.Row, _ digests: ItemDigests) {
        guard case .blob(let primaryKey) = row.values[1], let header = header(row, digests),
            case .blob(let attributes) = row.values[3], case .blob(let secret) = row.values[4]
        else { return }
        let stored = StoredRow(
            row: row.row, primaryKey: primaryKey, header: header, binding: header.encoded + primaryKey,
            attributes: attributes, secret: secret)
        if let known = whole[header.identifier], known.header.generation >= header.generation { return }
        whole[header.identifier] = stored
    }

    private mutating func addCut(_ row: SalvagedDatabase.Row, _ digests: ItemDigests) {
        guard let header = header(row, digests) else { return }
        cut[header.identifier] = header
    }

    private func header(_ row: SalvagedDatabase.Row, _ digests: ItemDigests) -> ItemHeader? {
        guard row.values[0] == .null, case .blob(let primaryKey) = row.values[1], case .blob(let tagged) = row.values[2]
        else { return nil }
        return digests.checked(tagged, primaryKey).flatMap { ItemHeader($0) }
    }

    /// Writes everything in one step, and says what became of it.
    func insert(into store: KeychainItemStore, at seconds: Int64) throws -> [KeychainRepair.Item] {
        try store.database.transaction { transaction in
            for key in keysByUse {
                try transaction.run(
                    "INSERT OR IGNORE INTO metadata_key(class, identifier, wrapped) VALUES (?, ?, ?)",
                    [.integer(key.keyClass), .blob(key.identifier), .blob(key.wrapped)])
            }
        }
        // The keys open the dates.
        let rows = try MetadataKeys.Gap.closing { try named(store) }
        try store.database.transaction { transaction in
            // What an older version wrote is sealed again by the next call that can.
            if rows.contains(where: { $0.header.metadataKey.isEmpty }) {
                try transaction.run("UPDATE schema SET pending = 1")
            }
            for row in rows { try insert(row, store.digests, transaction) }
            for note in notes { try transaction.insert(note: note) }
        }
        return try MetadataKeys.Gap.closing { try judge(store, at: seconds) }
    }

    // Of the keys of one class that which most items name comes first: of an older state there may be another.
    private var keysByUse: [(keyClass: Int64, identifier: [UInt8], wrapped: [UInt8])] {
        let uses = whole.values.reduce(into: [[UInt8]: Int]()) { $0[$1.header.metadataKey, default: 0] += 1 }
        return keys.sorted { uses[$0.identifier, default: 0] > uses[$1.identifier, default: 0] }
    }

    // Of two items of one name the older one was deleted before the newer one was stored. How often each was changed
    // says nothing of that.
    private func named(_ store: KeychainItemStore) throws -> [StoredRow] {
        let scope = ReadScope(store, in: try store.device.lockState())
        return try Dictionary(grouping: whole.values, by: \.primaryKey).values
            .compactMap { try Self.newest($0, store, scope) }
            .sorted(by: Self.isBefore)
    }

    // What opens or may do so later is of more use than what never will.
    private static func newest(
        _ rows: [StoredRow], _ store: KeychainItemStore, _ scope: ReadScope
    ) throws -> StoredRow? {
        guard rows.count > 1 else { return rows.first }
        var ages: [(row: StoredRow, dates: [Double])] = []
        for row in rows {
            switch try store.open(row, in: scope, .attributes) {
            case .item(let item): ages.append((row, item.dates))
            case .locked: ages.append((row, []))
            case .gone, .lost, .damaged: continue
            }
        }
        guard !ages.isEmpty else { return rows.max(by: isBefore) }
        // Of a locked one nobody can say when it was stored.
        guard ages.allSatisfy({ !$0.dates.isEmpty }) else { return ages.map(\.row).max(by: isBefore) }
        return ages.max { one, other in
            guard one.dates == other.dates else { return one.dates.lexicographicallyPrecedes(other.dates) }
            return isBefore(one.row, other.row)
        }?.row
    }

    // New rows are added at the end.
    private static func isBefore(_ one: StoredRow, _ other: StoredRow) -> Bool {
        (one.row, one.header.generation) < (other.row, other.header.generation)
    }

    // Of two that share a number, one gets another.
    private func insert(
        _ row: StoredRow, _ digests: ItemDigests, _ transaction: borrowing Transaction
    ) throws {
        let isTaken = try !transaction.rows("SELECT 1 FROM item WHERE row = ?", [.integer(row.row)]).isEmpty
        try transaction.run(
            "INSERT INTO item(row, primary_key, header, attributes, secret) VALUES (?, ?, ?, ?, ?)",
            [
                isTaken ? .null : .integer(row.row), .blob(row.primaryKey),
                .blob(digests.tagged(row.header.encoded, row.primaryKey)), .blob(row.attributes), .blob(row.secret),
            ])
        try transaction.insert(places: row.places(digests), of: transaction.lastInsertedRow)
    }

    // Items that do not open are kept apart, as they are in every keychain: nothing stands in the way of a new one.
    private func judge(_ store: KeychainItemStore, at seconds: Int64) throws -> [KeychainRepair.Item] {
        var items = cut.values.map { $0.item(name: nil, .lost) }
        let scope = ReadScope(store, in: try store.device.lockState())
        let rows = try store.database.rows(
            "SELECT row, primary_key, header, attributes, secret FROM item ORDER BY row")
        var lost: [Int64] = []
        for row in rows.compactMap({ StoredRow($0, store.digests) }) where !row.header.isTombstone {
            switch try store.open(row, in: scope) {
            case .item(let item): items.append(row.header.item(name: item.shownName, .readable))
            case .locked: items.append(row.header.item(name: nil, .locked))
            case .gone: continue
            case .lost, .damaged:
                items.append(row.header.item(name: nil, .lost))
                lost.append(row.row)
            }
        }
        try store.database.transaction { transaction in
            for row in lost { try transaction.setAside(row, at: seconds) }
        }
        return items
    }
}

extension ItemHeader {
    fileprivate func item(name: String?, _ fate: KeychainRepair.Fate) -> KeychainRepair.Item {
        KeychainRepair.Item(itemClass: itemClass.rawValue, group: group, name: name, fate: fate)
    }
}

extension Item {
    /// When it was changed last, and when it was stored.
    fileprivate var dates: [Double] {
        [AttributeCode.modificationDate, .creationDate].map { code in
            guard case .date(let seconds)? = attributes[code] else { return 0 }
            return seconds
        }
    }

    /// What a person knows the item by.
    fileprivate var shownName: String? {
        let codes: [AttributeCode] =
            switch itemClass {
            case .genericPassword: [.service, .account]
            case .internetPassword: [.server, .account]
            case .certificate, .key, .identity: [.label, .applicationTag]
            }
        let texts = codes.compactMap { attributes[$0]?.shownText }.filter { !$0.isEmpty }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

extension ItemValue {
    fileprivate var shownText: String? {
        switch self {
        case .text(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self) ?? Hex.encode(bytes)
        case .number(let number): String(number)
        case .date: nil
        }
    }
}
