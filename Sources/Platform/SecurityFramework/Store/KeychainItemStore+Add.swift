internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

extension KeychainItemStore {
    /// Adds items, all of them or none: one decision, whoever else tries at the same moment.
    ///
    /// - Parameter look: The device as this call saw it already, if it did.
    /// - Returns: The items as they were stored.
    /// - Throws: -25299 when a primary key is taken; -25308 while a class is locked, taken or not.
    func add(_ items: [Item], _ environment: SecurityEnvironment, at snapshot: Device.Snapshot? = nil) throws -> [Item]
    {
        let snapshot = if let snapshot { snapshot } else { try device.snapshot() }
        let state = environment.lock.state(of: device, at: snapshot)
        // Sealed before the transaction: -25308 comes before -25299, and the lock is held for a shorter time.
        let pairs = try items.map { (item: $0, sealed: try seal($0, in: state, at: snapshot)) }
        do {
            return try database.transaction { transaction in
                var added: [Item] = []
                for (item, sealed) in pairs { added.append(try insert(item, sealed, environment, transaction)) }
                return added
            }
        } catch DatabaseFailure.constraint {
            throw StatusFailure(errSecDuplicateItem)
        }
    }

    /// Adds in one step those items whose primary keys are free: all of these or none.
    ///
    /// - Throws: -25308 while a class is locked, taken or not; -25299 where the database itself refuses a row.
    func addAbsent(_ items: [Item], _ environment: SecurityEnvironment) throws {
        let state = environment.lock.state
        let pairs = try items.map { (item: $0, sealed: try seal($0, in: state)) }
        do {
            try database.transaction { transaction in
                for (item, sealed) in pairs {
                    do {
                        _ = try insert(item, sealed, environment, transaction)
                    } catch let failure as StatusFailure where failure.status == errSecDuplicateItem {
                        // Nothing of it was written.
                        continue
                    }
                }
            }
        } catch DatabaseFailure.constraint {
            throw StatusFailure(errSecDuplicateItem)
        }
    }

    private func insert(
        _ item: Item, _ sealed: SealedItem, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws -> Item {
        guard let (row, holder) = try transaction.holder(of: sealed.primaryKey, digests) else {
            try sealed.insert(transaction)
            return item
        }
        return try replace(row, holder, with: item, sealed, environment, transaction)
    }

    /// Puts an item into the place of a tombstone or of something that cannot be read any more.
    ///
    /// - Throws: -25299 when the place holds an item.
    func replace(
        _ row: Int64, _ holder: StoredRow?, with item: Item, _ sealed: SealedItem,
        _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws -> Item {
        guard let holder else {
            try transaction.setAside(row, at: environment.time.wallSeconds)
            try sealed.insert(transaction)
            return item
        }
        if holder.header.isTombstone { return try revive(holder, as: item, environment, transaction) }
        switch try open(holder, in: environment.lock.state) {
        case .item, .locked: throw StatusFailure(errSecDuplicateItem)
        case .gone: try transaction.remove(holder, digests)
        case .lost, .damaged: try transaction.setAside(row, at: environment.time.wallSeconds)
        }
        try sealed.insert(transaction)
        return item
    }

    // Over a tombstone the row and the persistent reference stay, and the modification date grows.
    private func revive(
        _ tombstone: StoredRow, as item: Item, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws -> Item {
        var revived = item
        revived.identifier = tombstone.header.identifier
        revived.generation = tombstone.header.generation + 1
        if case .item(let old) = try open(tombstone, in: environment.lock.state) {
            revived.setModified(after: old)
        }
        try seal(revived, in: environment.lock.state).replace(tombstone, digests, transaction)
        return revived
    }
}

extension Item {
    /// Keeps the modification date at least a millisecond above the old one's, whatever the clock does.
    mutating func setModified(after old: Item) {
        guard case .date(let before)? = old.attributes[.modificationDate],
            case .date(let now)? = attributes[.modificationDate]
        else { return }
        attributes[.modificationDate] = .date(max(now, before + 0.001))
    }
}
