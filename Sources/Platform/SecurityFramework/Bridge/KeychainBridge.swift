package import Foundation

/// The keychain's calls in a form without pointers, for the Kit.
package enum KeychainBridge {
    /// SecItemAdd.
    package static func add(_ attributes: [String: Any]) -> OSStatus { -4 }

    /// SecItemCopyMatching for the data of one item.
    package static func data(_ query: [String: Any]) -> (status: OSStatus, data: Data?) { (-4, nil) }

    /// SecItemUpdate.
    package static func update(_ query: [String: Any], _ attributes: [String: Any]) -> OSStatus { -4 }

    /// SecItemDelete.
    package static func delete(_ query: [String: Any]) -> OSStatus { -4 }
}
