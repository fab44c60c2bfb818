// Apple's name.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
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
    package static func copyMatching(_ query: CFDictionary) -> Answer {
        Answer.reporting { environment throws in
            let query = try ItemQuery(query, for: .copy)
            try query.checkGroup(environment)
            guard query.itemClass != .identity else { throw StatusFailure(errSecUnimplemented) }
            let items = try OpenStores.store(environment.home).items(query, environment)
            let result = try AccessCredentials.$interaction.withValue(query.interaction) {
                try ItemResult(query).value(of: items)
            }
            return Answer(result, isResultWanted: !query.returns.isEmpty)
        }
    }
}

extension KeychainStore {
    /// The items that a query means, as many as it wants and at least one.
    ///
    /// A damaged item never stands in the way of others. When all that matches is damaged, the answer is -26275 and
    /// not "nothing found": the data is there, and somebody should know that it cannot be read.
    func items(_ query: ItemQuery, _ environment: SecurityEnvironment) throws -> [Item] {
        let search = ItemSearch(query, groups: environment.visibleGroups, digests: digests)
        let found = try database.find(search)
        var items: [Item] = []
        var damaged = !found.unreadable.isEmpty
        for row in found.rows where items.count < query.limit ?? 1 {
            switch try open(row, in: environment.lock.state) {
            case .locked: throw StatusFailure(errSecInteractionNotAllowed)
            case .gone: continue
            case .damaged:
                damaged = true
                KeychainDiagnostics.note(damaged: row.header, environment.home)
            case .item(let item):
                guard query.matchesHost(item.attributes[.server]) else { continue }
                if item.need != nil, query.interaction.choice == .skip { continue }
                try item.demand(query.interaction)
                items.append(item)
            }
        }
        guard items.isEmpty else { return items }
        throw StatusFailure(damaged ? errSecDecode : errSecItemNotFound)
    }
}
