internal import PaviseDatabase
internal import PaviseDevice

/// A certificate and its private key, as they lie in the store.
struct StoredIdentity: Sendable {
    let certificateRow: StoredRow
    let certificate: Item
    let keyRow: StoredRow
    let key: Item
}

extension KeychainItemStore {
    /// The identities that a query means: certificates joined with the private keys of the same public key hash.
    ///
    /// - Parameter limit: How many are enough.
    /// - Throws: -25308 while a half is locked; -25300 without a match, or -26275 when all that matches is damaged.
    func identities<Source: RowSource & ~Copyable>(
        _ query: IdentityQuery, limit: Int, in source: borrowing Source, _ environment: SecurityEnvironment
    ) throws -> [StoredIdentity] {
        let certificates = try matches(query.certificate, in: source, environment)
        var damaged = certificates.damaged
        var found: [StoredIdentity] = []
        for (certificateRow, certificate) in certificates.items where found.count < limit {
            guard let keyQuery = query.key(for: certificate) else { continue }
            let keys = try matches(keyQuery, in: source, environment)
            damaged = damaged || keys.damaged
            for (keyRow, key) in keys.items where found.count < limit {
                found.append(
                    StoredIdentity(certificateRow: certificateRow, certificate: certificate, keyRow: keyRow, key: key))
            }
        }
        guard found.isEmpty else { return found }
        throw StatusFailure(damaged ? errSecDecode : errSecItemNotFound)
    }

    private func matches<Source: RowSource & ~Copyable>(
        _ query: ItemQuery, in source: borrowing Source, _ environment: SecurityEnvironment
    ) throws -> (items: [(StoredRow, Item)], damaged: Bool) {
        let found = try source.find(ItemSearch(query, groups: environment.visibleGroups, digests: digests))
        var items: [(StoredRow, Item)] = []
        var damaged = !found.unreadable.isEmpty
        let scope = try ReadScope(self, environment)
        for row in found.rows {
            switch try open(row, in: scope) {
            case .locked: throw StatusFailure(errSecInteractionNotAllowed)
            case .gone, .lost: continue
            case .damaged:
                damaged = true
                KeychainDiagnostics.note(damaged: row.header, environment.home)
            case .item(let item):
                if try accepts(item, query, in: source, environment) { items.append((row, item)) }
            }
        }
        return (items, damaged)
    }

    /// Adds both halves in one step. One of them may exist already.
    ///
    /// - Throws: -25299 when both exist.
    func addIdentity(
        certificate: Item, key: Item, _ environment: SecurityEnvironment
    ) throws -> (certificate: Item, key: Item) {
        let sealedCertificate = try seal(certificate, in: environment.lock.state)
        let sealedKey = try seal(key, in: environment.lock.state)
        return try database.transaction { transaction in
            let first = try addUnlessPresent(certificate, sealedCertificate, environment, transaction)
            let second = try addUnlessPresent(key, sealedKey, environment, transaction)
            guard first.isNew || second.isNew else { throw StatusFailure(errSecDuplicateItem) }
            return (first.item, second.item)
        }
    }

    private func addUnlessPresent(
        _ item: Item, _ sealed: SealedItem, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws -> (item: Item, isNew: Bool) {
        guard let (row, holder) = try transaction.holder(of: sealed.primaryKey, digests) else {
            try sealed.insert(transaction)
            return (item, true)
        }
        if let holder, !holder.header.isTombstone {
            switch try open(holder, in: environment.lock.state) {
            case .item(let present): return (present, false)
            case .locked: throw StatusFailure(errSecInteractionNotAllowed)
            case .gone, .lost, .damaged: break
            }
        }
        return (try replace(row, holder, with: item, sealed, environment, transaction), true)
    }

    /// Changes every identity that the query means in one step: certificates first, then keys.
    func updateIdentities(
        _ query: ItemQuery, _ changes: ItemChanges, _ environment: SecurityEnvironment
    ) throws {
        let ofCertificate = changes.part(of: .certificate)
        let ofKey = changes.part(of: .key)
        do {
            try database.transaction { transaction in
                let found = try identities(IdentityQuery(query), limit: .max, in: transaction, environment)
                for row in found.halves(\.certificateRow, \.certificate) {
                    // What was not shown was not read, and would be written without its value.
                    try row.item.demand(query.interaction)
                    try write(ofCertificate, to: row.item, row.stored, environment, transaction)
                }
                for row in found.halves(\.keyRow, \.key) {
                    try row.item.demand(query.interaction)
                    if ofKey.changesRules { try row.item.demandUse(query.interaction) }
                    try write(ofKey, to: row.item, row.stored, environment, transaction)
                }
            }
        } catch DatabaseFailure.constraint {
            throw StatusFailure(errSecDuplicateItem)
        }
    }

    /// Deletes every identity that the query means: its certificate, and its key unless another certificate uses it.
    ///
    /// - Returns: Whether keys of the secure element were noted that are to be destroyed there.
    func deleteIdentities(_ query: ItemQuery, _ environment: SecurityEnvironment) throws -> Bool {
        try database.transaction { transaction in
            let found = try identities(IdentityQuery(query), limit: .max, in: transaction, environment)
            for row in found.halves(\.certificateRow, \.certificate) {
                try row.item.demandDeletion()
                try remove(row.stored, .item(row.item), environment, transaction)
            }
            var hasElementKeys = false
            for row in found.halves(\.keyRow, \.key) where try !hasCertificate(row.item, transaction) {
                // All or nothing: what was removed before is back.
                try row.item.demandDeletion()
                if try noteElementKey(of: row.stored, .item(row.item), transaction) { hasElementKeys = true }
                try remove(row.stored, .item(row.item), environment, transaction)
            }
            return hasElementKeys
        }
    }

    // Whichever group the certificate is in: a key that somebody else's certificate needs stays.
    private func hasCertificate(_ key: Item, _ transaction: borrowing Transaction) throws -> Bool {
        guard let hash = key.attributes[.applicationLabel] else { return false }
        let digest = digests.attribute(.certificate, .publicKeyHash, hash)
        return try transaction.rows(at: digest).contains { row in
            guard let header = StoredRow(row, digests)?.header else { return false }
            return header.itemClass == .certificate && !header.isTombstone && header.has(digest)
        }
    }
}

extension [StoredIdentity] {
    /// One half of each, every row once.
    fileprivate func halves(
        _ row: KeyPath<StoredIdentity, StoredRow>, _ item: KeyPath<StoredIdentity, Item>
    ) -> [(stored: StoredRow, item: Item)] {
        var seen: Set<Int64> = []
        return filter { seen.insert($0[keyPath: row].row).inserted }
            .map { ($0[keyPath: row], $0[keyPath: item]) }
    }
}
