internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

extension KeychainItemStore {
    /// What opening a row can give, besides an item.
    enum Opened {
        case item(Item)
        /// Its class key is not available in this lock state.
        case locked
        /// Its class has no key any more: as good as deleted.
        case gone
        /// The metadata key of its attributes is lost: nobody can say any more what it was.
        case lost
        /// It fails authentication.
        case damaged
    }

    /// Which halves of a row are opened.
    enum Halves {
        /// Both.
        case both
        /// The attributes; the secret stays sealed, and whether it is whole stays unknown.
        case attributes
    }

    /// Opens a row, both halves of it.
    func open(_ row: StoredRow, in state: LockState) throws -> Opened {
        try open(row, in: ReadScope(self, in: state))
    }

    /// Opens a row for a search.
    func open(_ row: StoredRow, in scope: ReadScope, _ halves: Halves = .both) throws -> Opened {
        let ciphers: ClassCiphers
        switch try scope.access(row.header.keyClass) {
        case .locked: return .locked
        case .absent: return .gone
        case .ciphers(let found): ciphers = found
        }
        do {
            var metadata: MetadataKeys.Cipher?
            let identifier = row.header.metadataKey
            if !identifier.isEmpty {
                metadata = try self.metadata.key(identifier, row.header.keyClass, ciphers)
                guard metadata != nil else { return .lost }
            }
            return .item(try decrypt(row, ciphers, metadata, halves, scope.credentials))
        } catch is ItemSeal.Damaged {
            return .damaged
        } catch is ByteReader.Truncated {
            return .damaged
        }
    }

    private func decrypt(
        _ row: StoredRow, _ ciphers: ClassCiphers, _ metadata: MetadataKeys.Cipher?, _ halves: Halves,
        _ credentials: AccessCredentials
    ) throws -> Item {
        let header = row.header
        let binding = row.binding
        var item = Item(
            identifier: header.identifier, itemClass: header.itemClass, group: header.group,
            isSynchronizable: header.isSynchronizable, generation: header.generation, attributes: [:])
        try item.readAttributes(
            try ItemSeal.openAttributes(row.attributes, binding: binding, with: ciphers, metadata: metadata))
        // What asks before it is read asks for its attributes, too: its layers are looked at.
        guard halves == .both || item.guarding != nil else {
            try ItemSeal.checkPair(row.secret, beside: row.attributes)
            return item
        }
        var secret = try ItemSeal.openSecret(
            row.secret, beside: row.attributes, binding: binding, with: ciphers)
        defer { Wipe.bytes(&secret) }
        try item.readGuarded(secret, with: credentials)
        return item
    }

    /// The primary key of an item.
    func primaryKey(of item: Item) -> [UInt8] {
        digests.primaryKey(
            item.itemClass, item.attributes, group: item.group, isSynchronizable: item.isSynchronizable)
    }

    /// Seals an item.
    ///
    /// - Throws: -25308 while its class is locked, -25291 when the class has no key.
    func seal(
        _ item: Item, isTombstone: Bool = false, in state: LockState, at snapshot: Device.Snapshot? = nil
    ) throws -> SealedItem {
        let keyClass = try Accessibility.keyClass(item.accessibility)
        let ciphers: ClassCiphers
        switch try access(keyClass, in: state, at: snapshot) {
        case .locked: throw StatusFailure(errSecInteractionNotAllowed)
        case .absent: throw StatusFailure(errSecNotAvailable)
        case .ciphers(let found): ciphers = found
        }
        let compared = item.attributes.filter { !Item.secretCodes.contains($0.key) }
        let metadata = version > 1 ? try self.metadata.current(keyClass, ciphers) : nil
        let (all, starts) = digests.all(item.itemClass, compared)
        let header = ItemHeader(
            identifier: item.identifier, itemClass: item.itemClass, keyClass: keyClass, generation: item.generation,
            isSynchronizable: item.isSynchronizable, isTombstone: isTombstone, group: item.group, digests: all,
            metadataKey: metadata?.identifier ?? [])
        let primaryKey = primaryKey(of: item)
        var secret = try item.guardedSecret(device)
        defer { Wipe.bytes(&secret) }
        let encoded = header.encoded
        let halves = try ItemSeal.seal(
            attributes: item.encodedAttributes, secret: secret, binding: encoded + primaryKey, with: ciphers,
            metadata: metadata)
        return SealedItem(
            primaryKey: primaryKey, header: digests.tagged(encoded, primaryKey), halves: halves,
            places: starts + [digests.identifier(item.identifier), ItemIndex.place(ofPrimaryKey: primaryKey)])
    }
}

/// An item ready to be written.
struct SealedItem {
    let primaryKey: [UInt8]
    /// The encoded header and its tag.
    let header: [UInt8]
    let halves: ItemSeal.Halves
    let places: [[UInt8]]

    private var columns: [DatabaseValue] {
        [.blob(primaryKey), .blob(header), .blob(halves.attributes), .blob(halves.secret)]
    }

    /// Writes a new row.
    func insert(_ transaction: borrowing Transaction) throws {
        try transaction.run(
            "INSERT INTO item(primary_key, header, attributes, secret) VALUES (?, ?, ?, ?)", columns)
        try transaction.insert(places: places, of: transaction.lastInsertedRow)
    }

    /// Writes over a row.
    func replace(_ row: StoredRow, _ lookup: ItemDigests, _ transaction: borrowing Transaction) throws {
        try transaction.run(
            "UPDATE item SET primary_key = ?, header = ?, attributes = ?, secret = ? WHERE row = ?",
            columns + [.integer(row.row)])
        let old = row.places(lookup)
        // An attribute can change and cannot go away: without a new place, none has become wrong.
        guard !Set(places).isSubset(of: old) else { return }
        try transaction.remove(places: old, of: row.row)
        try transaction.insert(places: places, of: row.row)
    }
}

extension Transaction {
    /// Removes a row.
    borrowing func remove(_ stored: StoredRow, _ lookup: ItemDigests) throws {
        try run("DELETE FROM item WHERE row = ?", [.integer(stored.row)])
        try remove(places: stored.places(lookup), of: stored.row)
    }

    /// A row whose header is damaged, as far as it can be read.
    borrowing func unproven(_ row: Int64) throws -> StoredRow? {
        let found = try rows(
            "SELECT row, primary_key, header, attributes, secret FROM item WHERE row = ?", [.integer(row)])
        return found.first.flatMap { StoredRow(unproven: $0) }
    }

    /// Removes a row whose header is damaged, which does not tell its places.
    borrowing func remove(unreadable row: Int64) throws {
        try run("DELETE FROM item WHERE row = ?", [.integer(row)])
        try removePlaces(of: row)
    }

    /// Whether a row is still what was read before this transaction. SQLite gives the number of a removed row again.
    borrowing func holds(_ stored: StoredRow) throws -> Bool {
        try rows("SELECT secret FROM item WHERE row = ?", [.integer(stored.row)]).first?.blob(0) == stored.secret
    }

    /// Keeps a damaged row aside, so that its primary key becomes free and nothing is thrown away.
    borrowing func setAside(_ row: Int64, at seconds: Int64) throws {
        try run(
            """
            INSERT INTO damaged(found, primary_key, header, attributes, secret)
            SELECT ?, primary_key, header, attributes, secret FROM item WHERE row = ?
            """, [.integer(seconds), .integer(row)])
        try run("DELETE FROM item WHERE row = ?", [.integer(row)])
        try removePlaces(of: row)
    }
}
