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

    /// SecItemUpdate.
    package static func update(_ query: [String: Any], _ attributes: [String: Any]) -> OSStatus {
        SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
    }

    /// SecItemDelete.
    package static func delete(_ query: [String: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }
}
