internal import Foundation
internal import PaviseDatabase
internal import PavisePrimitives
internal import Synchronization

/// Own items of homes from before they had a group of their own: moved once, in one transaction with a mark beside
/// them. With the mark, nothing that lies in the program's own group is ever taken for Pavise's again.
extension KeychainItemStore {
    private static var mark: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "org.pavise.internal",
            kSecAttrAccount as String: "taken-over",
        ]
    }

    /// Moves what an older version left, unless that was done.
    ///
    /// - Throws: -25308 while an item that may be one of them cannot be read. Nothing is moved then, and no own item is
    ///   read.
    func takeOver(_ environment: SecurityEnvironment, for purpose: Purpose) throws {
        guard let from = environment.ownerGroup, let group = environment.accessGroups.first else { return }
        guard !takenOver.withLock({ $0.contains(group, for: purpose) }) else { return }
        let isMarked = try isMarked(group, in: database)
        // A search that finds nothing to move writes nothing.
        guard try isMarked || purpose == .writing || hasOwn(in: from, environment) else {
            return takenOver.withLock { _ = $0.empty.insert(group) }
        }
        if !isMarked { try takeOver(from: from, to: group, environment) }
        takenOver.withLock { _ = $0.done.insert(group) }
    }

    private func takeOver(from: String, to group: String, _ environment: SecurityEnvironment) throws {
        try database.transaction { transaction in
            // Another process may have been faster.
            guard try !isMarked(group, in: transaction) else { return }
            try move(from: from, environment, transaction)
            try transaction.mark(with: newMark(environment), self, environment)
            OwnItems.Step.marked.reached()
        }
        OwnItems.Step.committed.reached()
    }

    private func isMarked<Source: RowSource & ~Copyable>(_ group: String, in source: borrowing Source) throws -> Bool {
        let query = try ItemQuery(Self.mark as NSDictionary, for: .copy)
        return try !source.find(ItemSearch(query, groups: [group], digests: digests)).rows.isEmpty
    }

    private func hasOwn(in group: String, _ environment: SecurityEnvironment) throws -> Bool {
        let scope = try ReadScope(self, environment)
        let isThere = try Self.searches(group, digests).contains { search in
            try database.find(search).rows.contains { try isOwn($0, in: scope) != nil }
        }
        return try isThere || OwnItems.fixedNames.contains { try isDamaged($0, in: group, scope, database) }
    }

    // Whether an own item is there whose attributes nobody can read: header, or the place that leads to the row, name
    // it still.
    private func isDamaged<Source: RowSource & ~Copyable>(
        _ name: (service: String, account: String), in group: String, _ scope: ReadScope, _ source: borrowing Source
    ) throws -> Bool {
        let query = try ItemQuery(Self.named(name) as NSDictionary, for: .copy)
        let found = try source.find(ItemSearch(query, groups: [group], digests: digests))
        guard found.unreadable.isEmpty else { return true }
        return try found.rows.contains { row in
            switch try open(row, in: scope, .attributes) {
            case .lost, .damaged: true
            // What was destroyed with its class key is gone, and not damaged.
            case .item, .locked, .gone: false
            }
        }
    }

    private static func named(_ name: (service: String, account: String)) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: name.service,
            kSecAttrAccount as String: name.account,
        ]
    }

    private static func searches(_ group: String, _ digests: ItemDigests) throws -> [ItemSearch] {
        try [kSecClassGenericPassword, kSecClassKey].map { itemClass in
            let query = try ItemQuery([kSecClass as String: itemClass] as NSDictionary, for: .copy)
            return ItemSearch(query, groups: [group], digests: digests)
        }
    }

    private func newMark(_ environment: SecurityEnvironment) throws -> Item {
        let content: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: Data([1]),
        ]
        let query = try ItemQuery(Self.mark.merging(content) { $1 } as NSDictionary, for: .add)
        return try query.newItem(environment)
    }

    private func move(
        from group: String, _ environment: SecurityEnvironment, _ transaction: borrowing Transaction
    ) throws {
        let scope = try ReadScope(self, environment)
        for search in try Self.searches(group, digests) {
            for row in try transaction.find(search).rows {
                guard let isWhole = try isOwn(row, in: scope) else { continue }
                try move(row, isWhole: isWhole, scope, environment, transaction)
                OwnItems.Step.moved.reached()
            }
        }
        for name in OwnItems.fixedNames where try isDamaged(name, in: group, scope, transaction) {
            try note(name, environment, transaction)
            OwnItems.Step.moved.reached()
        }
    }

    // An item without a value stands for one whose attributes are damaged: it is never "there is none".
    private func note(
        _ name: (service: String, account: String), _ environment: SecurityEnvironment,
        _ transaction: borrowing Transaction
    ) throws {
        let accessible = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
        let query = try ItemQuery(Self.named(name).merging(accessible) { $1 } as NSDictionary, for: .add)
        let sealed = try seal(query.newItem(environment), in: environment.lock.state)
        guard try transaction.holder(of: sealed.primaryKey, digests) == nil else { return }
        try sealed.insert(transaction)
    }

    // Whether an own item is whole; `nil` for what is none.
    private func isOwn(_ row: StoredRow, in scope: ReadScope) throws -> Bool? {
        switch try open(row, in: scope, .attributes) {
        case .locked: throw StatusFailure(errSecInteractionNotAllowed)
        case .gone, .lost, .damaged: return nil
        case .item(let item):
            guard item.isNamedAsOwn else { return nil }
            guard case .item = try open(row, in: scope) else { return false }
            return true
        }
    }

    // An item whose secret is damaged leaves one without a value: damage stays damage, and never becomes "there is
    // none".
    private func move(
        _ row: StoredRow, isWhole: Bool, _ scope: ReadScope, _ environment: SecurityEnvironment,
        _ transaction: borrowing Transaction
    ) throws {
        guard case .item(var item) = try open(row, in: scope, isWhole ? .both : .attributes) else { return }
        // None of Pavise's own asks for a person: this one is the program's.
        guard item.need == nil else { return }
        guard let group = environment.accessGroups.first else { return }
        item.group = group
        item.generation += 1
        let sealed = try seal(item, in: environment.lock.state)
        // What lies there already is newer.
        guard try transaction.holder(of: sealed.primaryKey, digests) == nil else { return }
        try sealed.replace(row, digests, transaction)
    }
}

/// Which groups of own items this process knows to be complete.
struct TakenOver {
    /// Those with a mark.
    var done: Set<String> = []
    /// Those without one, and without anything to move: the next write marks them.
    var empty: Set<String> = []

    func contains(_ group: String, for purpose: KeychainItemStore.Purpose) -> Bool {
        done.contains(group) || purpose == .reading && empty.contains(group)
    }
}

extension Transaction {
    fileprivate borrowing func mark(
        with item: Item, _ store: KeychainItemStore, _ environment: SecurityEnvironment
    ) throws {
        try store.seal(item, in: environment.lock.state).insert(self)
    }
}

extension Item {
    /// Whether its name is one of Pavise's own.
    fileprivate var isNamedAsOwn: Bool {
        switch (itemClass, attributes[.service], attributes[.applicationTag]) {
        case (.genericPassword, .text(let service)?, _): OwnItems.owns(service)
        case (.key, _, .data(let tag)?): tag.starts(with: OwnItems.prefix.utf8)
        default: false
        }
    }
}
