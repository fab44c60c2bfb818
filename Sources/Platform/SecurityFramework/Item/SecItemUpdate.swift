// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Changes every item that matches, all in one step or none.
///
/// - Parameters:
///   - query: Which items; without `kSecMatch…` and `kSecReturn…`.
///   - attributesToUpdate: New attributes, and `kSecValueData` for a new value.
/// - Returns: 0, or a status of SecBase.h: -25300 when nothing matches, -25299 when another item has the new name,
///   -25308 while a match is locked, -26275 when what matches is damaged.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SecItem.update(query, attributesToUpdate).status
}

/// Deletes every item that matches.
///
/// - Parameter query: Which items; without `kSecMatch…`. Items are deleted while locked, too. What the secure element
///   has of a key goes after the item, and of a locked one with the first call after the unlock.
/// - Returns: 0, or a status of SecBase.h: -25300 when nothing matches; -26275 when what lies there is too damaged to
///   tell whether it does. A damaged item that the query names whole is deleted.
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
            var changes = try ItemChanges(attributesToUpdate, query.itemClass)
            defer { changes.wipe() }
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
            let hasElementKeys =
                query.itemClass == .identity
                ? try store.deleteIdentities(query, environment) : try store.delete(query, environment)
            // Before the element's keys go: the items may be there still.
            try store.checkIsStillInPlace()
            if hasElementKeys { try store.destroyKeysNotedNow(environment) }
            return Outcome(nil, isResultWanted: false)
        }
    }
}
