// Apple's name.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseDevice
internal import PavisePrimitives

/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: Class, attributes, the value as `kSecValueData` or `kSecValueRef`, and what to return.
///   - result: Where to put what `kSecReturn…` asks for; `nil` when nothing is wanted.
/// - Returns: 0, or a status of SecBase.h: -25299 when the item exists, -25308 while the class is locked, -50 for a
///   query that says nothing sensible, -34018 for an access group of somebody else. On any failure `result` is
///   untouched.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let answer = SecItem.add(attributes)
    if answer.status == errSecSuccess, answer.isResultWanted, let result = unsafe result {
        unsafe result.pointee = answer.result
    }
    return answer.status
}

extension SecItem {
    /// ``SecItemAdd(_:_:)`` without a pointer.
    package static func add(_ attributes: CFDictionary) -> Outcome {
        Outcome.reporting(isSearch: false) { environment throws in
            var query = try ItemQuery(attributes, for: .add)
            // Of a call that fails nobody else has the value by then.
            defer { query.wipe() }
            let (store, snapshot) = try OpenStores.openWithSnapshot(environment, for: .writing)
            var added = try store.add(query, environment, at: snapshot)
            // The value has one owner then, and can be overwritten.
            query.data = nil
            defer { added.wipe() }
            try store.checkIsStillInPlace()
            return Outcome(try ItemResult(query).value(of: [added]), isResultWanted: !query.returns.isEmpty)
        }
    }

    /// Adds several items in one step: all of them, or none.
    ///
    /// - Parameter all: What ``SecItemAdd(_:_:)`` takes, for each; an identity is none of them.
    /// - Returns: 0, or the status of the first that is refused.
    package static func addTogether(_ all: [CFDictionary]) -> OSStatus {
        add(all) { store, items, environment in _ = try store.add(items, environment) }
    }

    /// Adds in one step those items that are not there yet: all of them, or none. What is there stays as it is.
    ///
    /// - Parameter all: As for ``addTogether(_:)``.
    /// - Returns: 0, or the status of the first that is refused.
    static func addAbsent(_ all: [CFDictionary]) -> OSStatus {
        add(all) { store, items, environment in try store.addAbsent(items, environment) }
    }

    private static func add(
        _ all: [CFDictionary], _ body: (KeychainItemStore, [Item], SecurityEnvironment) throws -> Void
    ) -> OSStatus {
        Outcome.reporting(isSearch: false) { environment throws in
            var items: [Item] = []
            defer { for index in items.indices { items[index].wipe() } }
            for attributes in all {
                var query = try ItemQuery(attributes, for: .add)
                defer { query.wipe() }
                items.append(try query.newItem(environment))
                query.data = nil
            }
            let store = try OpenStores.ready(environment)
            try body(store, items, environment)
            try store.checkIsStillInPlace()
            return Outcome(nil, isResultWanted: false)
        }.status
    }
}

extension KeychainItemStore {
    fileprivate func add(
        _ query: ItemQuery, _ environment: SecurityEnvironment, at snapshot: Device.Snapshot?
    ) throws -> FoundItem {
        guard query.itemClass == .identity else {
            let item = try query.newItem(environment)
            if query.reference == nil { try demandUse(ofKeyIn: item, query.interaction, environment) }
            // A call that could not give the object it was asked for stores nothing.
            if query.returns.contains(.reference) { _ = try FoundItem.item(item).object() }
            return .item(try add([item], environment, at: snapshot)[0])
        }
        guard let identity = query.reference as? SecIdentity else { throw StatusFailure(errSecInvalidItemRef) }
        let certificate = try query.adding(identity.certificate, as: .certificate).newItem(environment)
        let key = try query.adding(identity.key, as: .key).newItem(environment)
        return .identity(try addIdentity(certificate: certificate, key: key, environment))
    }
}

extension ItemQuery {
    /// The item that a query for `SecItemAdd` describes.
    func newItem(_ environment: SecurityEnvironment) throws -> Item {
        try prepare(accessControl)
        let now = environment.time.keychainSeconds
        var item = Item(
            identifier: try Entropy.kernel.bytes(16), itemClass: itemClass, group: try addGroup(environment),
            isSynchronizable: synchronizable == .only(true), generation: 1, attributes: attributes)
        item.attributes[.accessible] = .text(item.accessibility)
        item.attributes[.creationDate] = .date(now)
        item.attributes[.modificationDate] = .date(now)
        item.attributes[.tombstone] = nil
        item.accessControl = accessControl?.storedForm
        item.data = try reference?.keychainData() ?? data
        guard !item.lacksVerifier else { throw StatusFailure(errSecAuthFailed) }
        if let key = reference as? SecKey { try item.demandUse(of: key, interaction) }
        try environment.rules.check(
            synchronizable: item.isSynchronizable, accessibility: item.accessibility,
            isGuarded: accessControl?.isConstrained ?? false)
        return item
    }

    private func addGroup(_ environment: SecurityEnvironment) throws(StatusFailure) -> String {
        guard let first = environment.accessGroups.first else { throw StatusFailure(errSecMissingEntitlement) }
        guard let group else { return first }
        guard environment.accessGroups.contains(group) else { throw StatusFailure(errSecMissingEntitlement) }
        return group
    }
}
