package import Foundation
package import PavisePrimitives
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
    ///
    /// - Parameter readable: When the item is; without it that of Pavise's own items where `name` says so, and of
    ///   unknown ones where not.
    package static func data(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> (status: OSStatus, data: Data?) {
        let answer = copyMatching(query, readable ?? readability(of: name))
        return (answer.status, answer.result as? Data)
    }

    /// SecItemCopyMatching for the attributes of all matching items; no match is an empty list.
    package static func attributes(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> (status: OSStatus, items: [[String: Any]]) {
        let wanted: [String: Any] = [
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        let answer = copyMatching(query.merging(wanted) { $1 }, readable ?? readability(of: name))
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
        _ query: [String: Any], _ attributes: [String: Any], of name: String = "",
        readable: AbsenceProof.Readability? = nil
    ) -> OSStatus {
        proved(
            SecItemUpdate(query as CFDictionary, attributes as CFDictionary), readable ?? readability(of: name))
    }

    /// SecItemDelete.
    package static func delete(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> OSStatus {
        proved(SecItemDelete(query as CFDictionary), readable ?? readability(of: name))
    }

    /// SecItemCopyMatching.
    static func copyMatching(
        _ query: [String: Any], _ readable: AbsenceProof.Readability = .whenUnlocked
    ) -> (status: OSStatus, result: CFTypeRef?) {
        let answer = search(query)
        return (proved(answer.status, readable), answer.result)
    }

    private static func readability(of name: String) -> AbsenceProof.Readability {
        name.isEmpty ? .whenUnlocked : .afterFirstUnlock
    }

    /// "Not found" counts only after a search read what is there for sure, and is readable no longer than the item.
    static func proved(_ status: OSStatus, _ readable: AbsenceProof.Readability) -> OSStatus {
        let probe: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "\(OwnItems.prefix)probe",
            kSecAttrAccount as String: readable == .whenUnlocked ? "when unlocked" : "after first unlock",
            kSecUseDataProtectionKeychain as String: true,
        ]
        return AbsenceProof.status(status) {
            search(reading(probe)).status
        } make: {
            unsafe SecItemAdd(probe.merging(content(of: readable)) { $1 } as CFDictionary, nil)
        }
    }

    /// The search of a probe, for its content: attributes alone are decrypted with a key that the system keeps at hand,
    /// and drops a moment after the lock (Apple Platform Security, Keychain data protection). Only the content needs
    /// the key of the class.
    package static func reading(_ probe: [String: Any]) -> [String: Any] {
        probe.merging([kSecReturnData as String: true]) { $1 }
    }

    private static func content(of readable: AbsenceProof.Readability) -> [String: Any] {
        let accessible =
            readable == .whenUnlocked
            ? kSecAttrAccessibleWhenUnlockedThisDeviceOnly : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return [kSecValueData as String: Data([1]), kSecAttrAccessible as String: accessible]
    }

    /// SecItemCopyMatching, with "not found" as it was said.
    static func search(_ query: [String: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }
}
