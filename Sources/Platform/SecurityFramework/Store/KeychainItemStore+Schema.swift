internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

/// The versions of the item database.
package enum KeychainSchema {
    /// The version that is written. 1 had no metadata keys: attributes hung on the class key.
    package static let current = 2

    /// The version that new databases get in this task; another one than ``current`` for tests of the upgrade only.
    @TaskLocal package static var written = current

    /// A database of a newer program. Nothing in it was changed.
    struct Newer: Error, Hashable {
        let version: Int64
    }
}

extension KeychainItemStore {
    /// Makes what is missing, and looks for the version.
    ///
    /// - Returns: Whether items of an older version remain.
    /// - Throws: ``KeychainSchema/Newer`` for a database of a newer program.
    static func prepare(_ database: Database) throws -> Bool {
        if let version = try version(of: database) {
            guard version.number <= KeychainSchema.current else { throw KeychainSchema.Newer(version: version.number) }
            return version.isPending
        }
        return try database.transaction { transaction in
            let isOld = try !transaction.rows("SELECT 1 FROM sqlite_master WHERE name = 'damaged'").isEmpty
            if !isOld { try makeTables(transaction) }
            try transaction.makePlaces()
            guard KeychainSchema.written > 1 else { return false }
            // Another process may have done it since the first look.
            let isThere = try !transaction.rows("SELECT 1 FROM sqlite_master WHERE name = 'schema'").isEmpty
            if !isThere { try makeMetadataTables(transaction, isPending: isOld) }
            return isOld
        }
    }

    /// The same for whoever opens the database.
    ///
    /// - Returns: `nil` where it is of an older version and cannot be written to now, and a search finds in it what it
    ///   looks for all the same.
    static func prepare(_ database: Database, for purpose: Purpose) throws -> Bool? {
        do {
            return try prepare(database)
        } catch let failure as DatabaseFailure where purpose == .reading {
            let tables = try database.rows(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name IN ('item', 'place', 'recent')")
            guard tables.count == 3 else { throw failure }
            return nil
        }
    }

    private static func version(of database: Database) throws -> (number: Int64, isPending: Bool)? {
        guard try !database.rows("SELECT 1 FROM sqlite_master WHERE name = 'schema'").isEmpty else { return nil }
        let row = try database.rows("SELECT version, pending FROM schema").first
        guard let row, let number = row.integer(0) else { throw ItemSeal.Damaged() }
        // A newer table may mean something else by its other columns.
        return (number, number == KeychainSchema.current && row.integer(1) != 0)
    }

    private static func makeTables(_ transaction: borrowing Transaction) throws {
        try transaction.run(
            """
            CREATE TABLE IF NOT EXISTS item(
                row INTEGER PRIMARY KEY, primary_key BLOB NOT NULL,
                header BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB NOT NULL) STRICT
            """)
        try transaction.run(
            """
            CREATE TABLE IF NOT EXISTS damaged(
                id INTEGER PRIMARY KEY AUTOINCREMENT, found INTEGER NOT NULL, primary_key BLOB NOT NULL,
                header BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB NOT NULL) STRICT
            """)
    }

    private static func makeMetadataTables(_ transaction: borrowing Transaction, isPending: Bool) throws {
        try transaction.run(
            """
            CREATE TABLE metadata_key(
                class INTEGER PRIMARY KEY, identifier BLOB NOT NULL, wrapped BLOB NOT NULL) STRICT
            """)
        try transaction.run("CREATE TABLE schema(version INTEGER NOT NULL, pending INTEGER NOT NULL) STRICT")
        try transaction.run(
            "INSERT INTO schema(version, pending) VALUES (?, ?)",
            [.integer(Int64(KeychainSchema.current)), .integer(isPending ? 1 : 0)])
    }

    /// Seals again what an older version wrote, as far as the lock state allows; the rest waits for an unlock.
    ///
    /// Rows, identifiers and dates stay what they are, so references survive.
    func upgrade(in current: @autoclosure () -> LockState) throws {
        // To ask for the lock state may mean to ask the device: not for nothing.
        guard isUpgradePending else { return }
        let state = current()
        guard upgradeIsDue(in: state) else { return }
        let isDone = try database.transaction { transaction in
            let rows = try transaction.rows(
                "SELECT row, primary_key, header, attributes, secret FROM item ORDER BY row")
            var waiting = 0
            let scope = ReadScope(self, in: state)
            for row in rows {
                guard let stored = StoredRow(row, digests), stored.header.metadataKey.isEmpty else { continue }
                switch try open(stored, in: scope) {
                case .locked: waiting += 1
                // What cannot be read stays as it is, for whoever can repair it.
                case .gone, .lost, .damaged: continue
                // So does what asks for a person first.
                case .item(let item) where item.need != nil: continue
                case .item(let item):
                    try seal(item, isTombstone: stored.header.isTombstone, in: state)
                        .replace(stored, digests, transaction)
                }
            }
            if waiting == 0 { try transaction.run("UPDATE schema SET pending = 0") }
            return waiting == 0
        }
        noteUpgrade(isDone: isDone, in: state)
    }
}

extension OpenStores {
    /// The store of the environment's home, with everything upgraded that can be upgraded now.
    static func ready(_ environment: SecurityEnvironment) throws -> KeychainItemStore {
        try openWithSnapshot(environment, for: .writing).store
    }

    /// The same, and the device as it was when the store was found open.
    static func openWithSnapshot(
        _ environment: SecurityEnvironment, for purpose: KeychainItemStore.Purpose
    ) throws -> (store: KeychainItemStore, snapshot: Device.Snapshot?) {
        let found = try looked(environment.home, for: purpose)
        do {
            try MetadataKeys.Gap.closing { try found.store.upgrade(in: environment.lock.state) }
        } catch is DatabaseFailure where purpose == .reading {
            // The disk is full, or somebody else writes: what is to be read can be read in its older form. Damage shows
            // in what is read itself.
        }
        try found.store.takeOver(environment, for: purpose)
        do {
            try found.store.destroyNotedKeys(environment, for: purpose)
        } catch {
            // The call that is being made has nothing to do with it, and the one that deleted said it. What failed is
            // tried again.
        }
        return found
    }
}
