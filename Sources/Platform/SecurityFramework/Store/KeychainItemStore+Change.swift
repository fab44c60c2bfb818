internal import Foundation
internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

extension KeychainItemStore {
    /// Changes every item that the query means, in one transaction: all of them or none.
    ///
    /// - Throws: -25300 without a match; -25299 when a new primary key is taken; -26275 when all that matches is
    ///   damaged.
    func update(_ query: ItemQuery, _ changes: ItemChanges, _ environment: SecurityEnvironment) throws {
        let search = ItemSearch(query, groups: environment.visibleGroups, digests: digests)
        do {
            try database.transaction { transaction in
                let found = try transaction.find(search)
                var changed = 0
                var damaged = try meant(found.unreadable, by: query, search, transaction).count
                let scope = try ReadScope(self, environment)
                for row in found.rows {
                    switch try open(row, in: scope) {
                    case .locked: throw StatusFailure(errSecInteractionNotAllowed)
                    case .gone, .lost: continue
                    case .damaged: damaged += 1
                    case .item(let item):
                        try item.demand(query.interaction)
                        if changes.changesRules { try item.demandUse(query.interaction) }
                        try write(changes, to: item, row, environment, transaction)
                        changed += 1
                    }
                }
                guard changed > 0 else { throw StatusFailure(damaged > 0 ? errSecDecode : errSecItemNotFound) }
            }
        } catch DatabaseFailure.constraint {
            throw StatusFailure(errSecDuplicateItem)
        }
    }

    /// Writes the changed item over its row.
    func write(
        _ changes: ItemChanges, to old: Item, _ row: StoredRow, _ environment: SecurityEnvironment,
        _ transaction: borrowing Transaction
    ) throws {
        var item = try changes.applied(to: old, environment)
        item.generation = old.generation + 1
        let sealed = try seal(item, in: environment.lock.state)
        if sealed.primaryKey != row.primaryKey {
            try makeRoom(for: sealed.primaryKey, environment, transaction)
        }
        try sealed.replace(row, digests, transaction)
        guard old.isSynchronizable, sealed.primaryKey != row.primaryKey else { return }
        try leaveTombstone(of: old, environment, transaction)
    }

    private func makeRoom(
        for primaryKey: [UInt8], _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws {
        guard let (row, holder) = try transaction.holder(of: primaryKey, digests) else { return }
        guard let holder else { return try transaction.setAside(row, at: environment.time.wallSeconds) }
        if holder.header.isTombstone { return try transaction.remove(holder, digests) }
        switch try open(holder, in: environment.lock.state) {
        case .item, .locked: throw StatusFailure(errSecDuplicateItem)
        case .gone: try transaction.remove(holder, digests)
        case .lost, .damaged: try transaction.setAside(row, at: environment.time.wallSeconds)
        }
    }

    // What other devices need to know of a synchronised item that is no more: its name and dates, not its secret.
    private func leaveTombstone(
        of item: Item, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws {
        var tombstone = item.tombstone(at: environment.time.keychainSeconds)
        tombstone.identifier = try Entropy.kernel.bytes(16)
        try seal(tombstone, isTombstone: true, in: environment.lock.state).insert(transaction)
    }

    /// Deletes every item that the query means.
    ///
    /// An item that is not synchronised goes without being decrypted, so also while locked. One whose header is damaged
    /// goes where the query names it whole, and a key of the secure element also where its header has all that the
    /// query asks for: whoever orders that a key is destroyed cannot name its public half.
    /// - Returns: Whether keys of the secure element were noted that are to be destroyed there.
    /// - Throws: -25300 without a match; -26275 when all that the query's attributes lead to is damaged beyond knowing
    ///   what it is.
    func delete(_ query: ItemQuery, _ environment: SecurityEnvironment) throws -> Bool {
        let search = ItemSearch(query, groups: environment.visibleGroups, digests: digests)
        let scope = try ReadScope(self, environment)
        return try database.transaction { transaction in
            let found = try transaction.find(search)
            let damaged = try meant(found.unreadable, by: query, search, transaction)
            var hasElementKeys = false
            for row in damaged where row.isNamed {
                if try noteElementKey(ofUnproven: row.row, scope, transaction) { hasElementKeys = true }
                try transaction.remove(unreadable: row.row)
            }
            guard !found.rows.isEmpty || damaged.contains(where: { $0.isNamed }) else {
                throw StatusFailure(damaged.isEmpty ? errSecItemNotFound : errSecDecode)
            }
            for row in found.rows {
                let opened = try open(row, in: scope)
                if case .item(let item) = opened { try item.demandDeletion() }
                if try noteElementKey(of: row, opened, transaction) { hasElementKeys = true }
                try remove(row, opened, environment, transaction)
            }
            return hasElementKeys
        }
    }

    // A row whose header fails its code opens with it all the same where only the code is damaged: both halves are
    // bound to header and primary key. What opens, now or after an unlock, names its key; of the rest nobody can say
    // which it was.
    private func noteElementKey(
        ofUnproven row: Int64, _ scope: ReadScope, _ transaction: borrowing Transaction
    ) throws -> Bool {
        guard let stored = try transaction.unproven(row) else { return false }
        let opened = try open(stored, in: scope)
        if case .item(let item) = opened { try item.demandDeletion() }
        return try noteElementKey(of: stored, opened, transaction)
    }

    // Whether the header of a damaged row has the keyed digests of all that a query asks for, and of the element's
    // token. By chance no header has them.
    private func isElementKey(_ header: ItemHeader, meantBy search: ItemSearch) -> Bool {
        isOfElement(header) && !search.wanted.isEmpty && search.includes(header)
    }

    // Of rows that fail the code over their header, those that a query may mean: by the primary key, which no two items
    // share, or by what the header says all the same. Damage of another program's item stays out of it.
    private func meant(
        _ rows: [Int64], by query: ItemQuery, _ search: ItemSearch, _ transaction: borrowing Transaction
    ) throws -> [(row: Int64, isNamed: Bool)] {
        guard !rows.isEmpty else { return [] }
        let keys = query.primaryKeys(search.groups, digests)
        var meant: [(row: Int64, isNamed: Bool)] = []
        for row in rows {
            let found = try transaction.rows("SELECT primary_key, header FROM item WHERE row = ?", [.integer(row)])
            guard let key = found.first?.blob(0), let tagged = found.first?.blob(1) else { continue }
            if keys.contains(key) {
                meant.append((row, query.asksForNameAlone))
            } else if let header = ItemHeader(Array(tagged.dropLast(16))) {
                let isPossible = header.itemClass == query.itemClass && search.groups.contains(header.group)
                if isPossible { meant.append((row, keys.isEmpty && isElementKey(header, meantBy: search))) }
            } else if keys.isEmpty, search.place != nil {
                meant.append((row, false))
            }
        }
        return meant
    }

    /// Removes a row; a synchronised item leaves a tombstone in its place.
    func remove(
        _ row: StoredRow, _ opened: Opened, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws {
        guard row.header.isSynchronizable, !row.header.isTombstone else {
            return try transaction.remove(row, digests)
        }
        switch opened {
        case .locked: throw StatusFailure(errSecInteractionNotAllowed)
        case .gone, .lost, .damaged: try transaction.remove(row, digests)
        case .item(let item):
            let tombstone = item.tombstone(at: environment.time.keychainSeconds)
            try seal(tombstone, isTombstone: true, in: environment.lock.state).replace(row, digests, transaction)
        }
    }
}

extension Item {
    /// - Throws: -25293 where the access control forbids deletion.
    func demandDeletion() throws(StatusFailure) {
        guard control?.allowsDeletion != false else { throw StatusFailure(errSecAuthFailed) }
    }

    /// The item as a tombstone: primary key, accessibility and dates.
    func tombstone(at now: Double) -> Item {
        var tombstone = self
        let kept = Set(
            Schema.of(itemClass).key + [.accessible, .creationDate, .token, .viewHint, .sharingGroup])
        tombstone.attributes = attributes.filter { kept.contains($0.key) }
        tombstone.attributes[.modificationDate] = .date(now)
        tombstone.setModified(after: self)
        tombstone.data = nil
        tombstone.need = nil
        tombstone.accessControl = nil
        tombstone.generation += 1
        return tombstone
    }
}

extension ItemChanges {
    /// Whether what must be shown before an item is used may become something else.
    var changesRules: Bool { accessControl != nil || attributes[.accessible] != nil }

    /// The item with the changes made.
    func applied(to old: Item, _ environment: SecurityEnvironment) throws(StatusFailure) -> Item {
        var item = old
        item.attributes.merge(attributes) { _, new in new }
        if let group { item.group = group }
        if let synchronizable { item.isSynchronizable = synchronizable }
        if let data { item.data = data }
        if let accessControl {
            item.accessControl = accessControl.storedForm
        } else if attributes[.accessible] != nil {
            item.accessControl = nil
        }
        // Another key would come under the rules of this item, and this one would lose its own.
        guard item.elementHandle == old.elementHandle else { throw StatusFailure(errSecParam) }
        // A key outside the element says nothing of a handle: the item would name the one and describe the other.
        guard !areOfSoftwareKey || old.elementHandle == nil else { throw StatusFailure(errSecParam) }
        // A password that nothing judges would guard nothing.
        guard accessControl == nil || !item.lacksVerifier else { throw StatusFailure(errSecAuthFailed) }
        try environment.rules.check(
            synchronizable: item.isSynchronizable, accessibility: item.accessibility,
            isGuarded: item.control?.isConstrained ?? false)
        item.attributes[.modificationDate] = .date(environment.time.keychainSeconds)
        item.setModified(after: old)
        return item
    }
}

extension TimeSource {
    /// Now in the seconds that dates of the keychain count: since 2001-01-01T00:00:00Z.
    var keychainSeconds: Double { Double(wallMilliseconds) / 1000 - Date.timeIntervalBetween1970AndReferenceDate }
}
