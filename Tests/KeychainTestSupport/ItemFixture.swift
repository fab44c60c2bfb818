package import Foundation
internal import PaviseDevice
internal import PavisePrimitives
package import SecurityFramework
package import TestSupport

/// A keychain of a test's own.
package struct ItemFixture {
    /// Where everything lies.
    package let folder: TemporaryFolder
    /// What the calls see.
    package var environment: SecurityEnvironment

    /// An empty keychain of a program with these access groups.
    package init(groups: [String] = ["one", "two"]) throws {
        folder = try TemporaryFolder()
        environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"), accessGroups: groups)
    }

    /// Runs `body` with this keychain in place.
    @discardableResult
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    /// The path of the item database.
    package var database: String { environment.home.keychain + "/items.db" }
}

/// A generic password's query, with more entries on top.
package func password(_ account: String? = "anna", _ service: String? = "mail", _ more: [String: Any] = [:]) -> [String:
    Any]
{
    var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
    query[kSecAttrAccount as String] = account
    query[kSecAttrService as String] = service
    return query.merging(more) { _, new in new }
}

/// Adds and gives the status.
@discardableResult
package func add(_ query: [String: Any], _ value: String? = "secret") -> OSStatus {
    var query = query
    if let value { query[kSecValueData as String] = Data(value.utf8) }
    return SecItemAdd(query as CFDictionary, nil)
}

/// Status and result of a search.
package func copy(_ query: [String: Any], _ more: [String: Any] = [:]) -> (status: OSStatus, result: AnyObject?) {
    var result: AnyObject?
    let status = unsafe SecItemCopyMatching(query.merging(more) { _, new in new } as CFDictionary, &result)
    return (status, result)
}

/// Status of a change.
package func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
    SecItemUpdate(query as CFDictionary, changes as CFDictionary)
}

/// Status of a removal.
@discardableResult
package func delete(_ query: [String: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }

/// The value of one item as a text.
package func value(_ query: [String: Any]) -> String? {
    (copy(query, ["r_Data": true]).result as? Data).map { String(decoding: $0, as: UTF8.self) }
}

/// The attributes of one item.
package func attributes(_ query: [String: Any]) -> [String: Any] {
    copy(query, ["r_Attributes": true]).result as? [String: Any] ?? [:]
}

/// How many items match.
package func count(_ query: [String: Any]) -> Int {
    (copy(query, ["r_Attributes": true, "m_Limit": kSecMatchLimitAll]).result as? [Any])?.count ?? 0
}

/// The persistent reference of one item.
package func reference(_ query: [String: Any]) -> Data? { copy(query, ["r_PersistentRef": true]).result as? Data }
