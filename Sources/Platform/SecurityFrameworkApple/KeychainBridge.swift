package import Foundation
internal import PavisePrimitives
internal import Security

/// The keychain's calls in a form without pointers, for the Kit. Apple's systems have no access group that an app
/// cannot name: Pavise's own items lie in the app's default group, and `name` says nothing here.
package enum KeychainBridge {
    /// Apple's systems give a status and no sentence.
    package static var lastFailure: String? { nil }

    /// SecItemAdd.
    package static func add(_ attributes: [String: Any], of name: String = "") -> OSStatus {
        unsafe SecItemAdd(attributes as CFDictionary, nil)
    }

    /// SecItemCopyMatching for the data of one item.
    package static func data(_ query: [String: Any], of name: String = "") -> (status: OSStatus, data: Data?) {
        let answer = copyMatching(query)
        return (answer.status, answer.result as? Data)
    }

    /// SecItemCopyMatching for the attributes of all matching items; no match is an empty list.
    package static func attributes(
        _ query: [String: Any], of name: String = ""
    ) -> (status: OSStatus, items: [[String: Any]]) {
        let wanted: [String: Any] = [
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        let answer = copyMatching(query.merging(wanted) { $1 })
        guard answer.status != errSecItemNotFound else { return (errSecSuccess, []) }
        return (answer.status, answer.result as? [[String: Any]] ?? [])
    }

    /// SecItemCopyMatching for the attributes, and what else the query asks for, of its first match.
    package static func item(_ query: [String: Any]) -> (status: OSStatus, item: [String: Any]?) {
        let wanted: [String: Any] = [
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        let answer = copyMatching(query.merging(wanted) { $1 })
        return (answer.status, answer.result as? [String: Any])
    }

    /// SecItemUpdate.
    package static func update(
        _ query: [String: Any], _ attributes: [String: Any], of name: String = ""
    ) -> OSStatus {
        proved(SecItemUpdate(query as CFDictionary, attributes as CFDictionary))
    }

    /// SecItemDelete.
    package static func delete(_ query: [String: Any], of name: String = "") -> OSStatus {
        proved(SecItemDelete(query as CFDictionary))
    }

    /// SecItemCopyMatching.
    static func copyMatching(_ query: [String: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        let answer = search(query)
        return (proved(answer.status), answer.result)
    }

    /// "Not found" counts only after a search found what is there for sure.
    static func proved(_ status: OSStatus) -> OSStatus {
        AbsenceProof.status(status) {
            search(probe).status
        } make: {
            unsafe SecItemAdd(probe.merging(probeContent) { $1 } as CFDictionary, nil)
        }
    }

    // An item of the class that everything of Pavise's has here.
    private static var probe: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "\(OwnItems.prefix)probe",
            kSecAttrAccount as String: "after first unlock", kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static var probeContent: [String: Any] {
        [
            kSecValueData as String: Data([1]),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }

    /// SecItemCopyMatching, with "not found" as it was said.
    static func search(_ query: [String: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }
}
