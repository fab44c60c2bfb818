// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives

/// Changes every item that matches, all in one step or none.
///
/// - Parameters:
///   - query: Which items; without `kSecMatch…` and `kSecReturn…`.
///   - attributesToUpdate: New attributes, and `kSecValueData` for a new value.
/// - Returns: 0, or a status of SecBase.h: -25300 when nothing matches, -25299 when another item has the new name,
///   -25308 while a match is locked.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SecItem.update(query, attributesToUpdate).status
}

/// Deletes every item that matches.
///
/// - Parameter query: Which items; without `kSecMatch…`. Items are deleted while locked, too.
/// - Returns: 0, or a status of SecBase.h: -25300 when nothing matches.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    SecItem.delete(query).status
}

extension SecItem {
    /// ``SecItemUpdate(_:_:)`` as the layers above call it.
    package static func update(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> Outcome {
        Outcome.reporting { environment throws in
            let query = try ItemQuery(query, for: .update)
            try query.checkGroup(environment)
            let changes = try ItemChanges(attributesToUpdate, query.itemClass)
            if let group = changes.group, !environment.accessGroups.contains(group) {
                throw StatusFailure(errSecMissingEntitlement)
            }
            try query.prepare(changes.accessControl)
            let store = try OpenStores.ready(environment)
            if query.itemClass == .identity {
                try store.updateIdentities(query, changes, environment)
            } else {
                try store.update(query, changes, environment)
            }
            try store.checkIsStillInPlace()
            return Outcome(nil, isResultWanted: false)
        }
    }

    /// ``SecItemDelete(_:)`` as the layers above call it.
    package static func delete(_ query: CFDictionary) -> Outcome {
        Outcome.reporting { environment throws in
            let query = try ItemQuery(query, for: .delete)
            try query.checkGroup(environment)
            let store = try OpenStores.ready(environment)
            let deleted =
                query.itemClass == .identity
                ? try store.deleteIdentities(query, environment) : try store.delete(query, environment)
            // Before the element's keys go: the items may be there still.
            try store.checkIsStillInPlace()
            try store.destroyElementKeys(of: deleted, environment)
            return Outcome(nil, isResultWanted: false)
        }
    }
}

extension KeychainItemStore {
    /// Keys of the secure element lose the element's part too, after the items themselves are durably gone. A failure
    /// at one of them keeps nobody from the others: there is no item any more to come back by.
    fileprivate func destroyElementKeys(of items: [Item], _ environment: SecurityEnvironment) throws {
        var failure: (any Error)?
        for item in items {
            guard let handle = item.elementHandle else { continue }
            do {
                if try !isHeld(handle, like: item, environment) { try device.element.destroy(handle) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    // A key may be in several items, under other tags or in other groups. One that cannot be opened now may be of it.
    private func isHeld(_ handle: [UInt8], like item: Item, _ environment: SecurityEnvironment) throws -> Bool {
        guard let label = item.attributes[.applicationLabel], let token = item.attributes[.token] else { return false }
        let ofKey = digests.attribute(.key, .applicationLabel, label)
        let ofToken = digests.attribute(.key, .token, token)
        return try database.storedRows(at: ofKey, digests).rows.contains { row in
            guard row.header.itemClass == .key, !row.header.isTombstone, row.header.has(ofToken) else { return false }
            switch try open(row, in: environment.lock.state) {
            case .item(let other): return other.elementHandle == handle
            case .locked, .lost, .damaged: return true
            case .gone: return false
            }
        }
    }
}

extension Item {
    /// The handle of a key of the secure element.
    fileprivate var elementHandle: [UInt8]? {
        guard attributes[.token] == .text("com.apple.setoken"), case .data(let handle)? = attributes[.tokenObject]
        else { return nil }
        return handle
    }
}
