// Apple's name.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

/// Finds items of the keychain.
///
/// - Parameters:
///   - query: Class, attributes that items must have, how many are wanted, and what to return of them.
///   - result: Where to put the result; untouched unless the call succeeds.
/// - Returns: 0, or a status of SecBase.h: -25300 when nothing matches, -25308 while the class of a match is locked,
///   -26275 when what matches is damaged, -25291 when the keychain cannot be opened.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let answer = SecItem.copyMatching(query)
    if answer.status == errSecSuccess, answer.isResultWanted, let result = unsafe result {
        unsafe result.pointee = answer.result
    }
    return answer.status
}

extension SecItem {
    /// ``SecItemCopyMatching(_:_:)`` without a pointer.
    package static func copyMatching(_ query: CFDictionary) -> Outcome {
        Outcome.reporting { environment throws in
            let query = try ItemQuery(query, for: .copy)
            try query.checkGroup(environment)
            let (store, snapshot) = try OpenStores.openWithSnapshot(environment, for: .reading)
            var found = try query.withCredentialsAtHand(environment) {
                query.itemClass == .identity
                    ? try store.identities(query, environment).map(FoundItem.identity)
                    : try store.items(query, environment, at: snapshot).map(FoundItem.item)
            }
            // What the caller gets are copies; of a key that it gets as an object the bytes are of no use any more.
            defer { for index in found.indices { found[index].wipe() } }
            let result = try AccessCredentials.$interaction.withValue(query.interaction) {
                try ItemResult(query).value(of: found)
            }
            return Outcome(result, isResultWanted: !query.returns.isEmpty)
        }
    }
}

extension KeychainItemStore {
    /// The identities that a query means, as many as it wants and at least one. Either half may ask for a person.
    fileprivate func identities(
        _ query: ItemQuery, _ environment: SecurityEnvironment
    ) throws -> [(certificate: Item, key: Item)] {
        let limit = query.limit ?? 1
        // What `Skip` leaves out does not count.
        let most = query.interaction.choice == .skip ? .max : limit
        let found = try identities(IdentityQuery(query), limit: most, in: database, environment)
        let shown = try found.filter { try $0.certificate.isShown(query) && $0.key.isShown(query) }
        guard !shown.isEmpty else { throw StatusFailure(errSecItemNotFound) }
        return shown.prefix(limit).map { ($0.certificate, $0.key) }
    }

    // A search succeeds or fails by what it finds; whether it could tidy up is no part of its answer.
    private func clean(_ rows: [StoredRow], at seconds: Int64) {
        guard !rows.isEmpty else { return }
        try? database.transaction { transaction in
            for row in rows where try transaction.holds(row) { try transaction.setAside(row.row, at: seconds) }
        }
    }

    /// The items that a query means, as many as it wants and at least one.
    ///
    /// A damaged item never stands in the way of others. When all that matches is damaged, the answer is -26275 and
    /// not "nothing found": the data is there, and somebody should know that it cannot be read.
    ///
    /// - Parameter look: The device as this call saw it already, if it did.
    func items(
        _ query: ItemQuery, _ environment: SecurityEnvironment, at snapshot: Device.Snapshot? = nil
    ) throws -> [Item] {
        let search = ItemSearch(query, groups: environment.visibleGroups, digests: digests)
        let found = try find(search)
        var items: [Item] = []
        var damaged = !found.unreadable.isEmpty
        var lost: [StoredRow] = []
        let scope = try ReadScope(self, environment, at: snapshot)
        let halves = query.halves
        let limit = query.limit ?? 1
        let open = { (row: StoredRow) in try self.open(row, in: scope, halves) }
        let opened = limit >= found.rows.count ? try ConcurrentMap.map(found.rows, open) : nil
        for (place, row) in found.rows.enumerated() where items.count < limit {
            switch try opened?[place] ?? open(row) {
            case .locked: throw StatusFailure(errSecInteractionNotAllowed)
            case .gone: continue
            case .lost: lost.append(row)
            case .damaged:
                damaged = true
                KeychainDiagnostics.note(damaged: row.header, environment.home)
            case .item(let item):
                guard try accepts(item, query, in: database, environment) else { continue }
                if try item.isShown(query) { items.append(item) }
            }
        }
        clean(lost, at: environment.time.wallSeconds)
        guard items.isEmpty else { return items }
        throw StatusFailure(damaged ? errSecDecode : errSecItemNotFound)
    }
}

extension ItemQuery {
    // `Skip` leaves out what cannot be opened without asking: what a context carries is shown first.
    fileprivate func withCredentialsAtHand<Result>(
        _ environment: SecurityEnvironment, _ body: () throws -> Result
    ) rethrows -> Result {
        guard interaction.choice == .skip, let context = interaction.context else { return try body() }
        let credentials = AccessCredentials(atHand: context, environment)
        return try AccessCredentials.$current.withValue(credentials) { try body() }
    }

    /// Which halves of an item the answer needs. Attributes alone take no secret, except those of keys, whose handle on
    /// a token lies among the secrets, and where a certificate is to be looked into.
    fileprivate var halves: KeychainItemStore.Halves {
        let isPlain = itemClass == .genericPassword || itemClass == .internetPassword
        return isPlain && returns.isSubset(of: [.attributes, .persistentReference]) ? .attributes : .both
    }
}
