internal import Foundation

/// The keychain's calls in a form without pointers, for the Kit. Only Apple's own functions stand behind it.
package enum KeychainBridge {
    /// SecItemAdd, with no result asked for.
    package static func add(_ attributes: [String: Any]) -> OSStatus {
        SecItemAdd(attributes as CFDictionary, nil)
    }

    /// SecItemCopyMatching.
    package static func find(_ query: [String: Any]) -> (status: OSStatus, item: CFTypeRef?) {
        var item: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &item)
        return (status, item)
    }

    /// SecItemCopyMatching for the attributes of all matching items; no match is an empty list.
    package static func attributes(_ query: [String: Any]) -> (status: OSStatus, items: [[String: Any]]) {
        let wanted: [String: Any] = [
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        let (status, items) = find(query.merging(wanted) { $1 })
        guard status != errSecItemNotFound else { return (errSecSuccess, []) }
        return (status, items as? [[String: Any]] ?? [])
    }

    /// SecItemUpdate.
    package static func update(_ query: [String: Any], _ attributes: [String: Any]) -> OSStatus {
        SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
    }

    /// SecItemDelete.
    package static func delete(_ query: [String: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }
}
