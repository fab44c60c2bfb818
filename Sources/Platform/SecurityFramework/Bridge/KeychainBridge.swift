internal import Foundation
package import PavisePrimitives

/// The keychain's calls in a form without pointers, for the Kit.
///
/// `name` is the service or the application tag of the item that a call is about, where the caller knows it to be one
/// of Pavise's own (``OwnItems``): only then is the group of own items meant. Without it a call sees what a program
/// sees.
package enum KeychainBridge {
    /// Why the keychain did not open, in a sentence with what mends it; `nil` where it did, and on Apple's systems.
    package static var lastFailure: String? { KeychainDiagnostics.lastFailure(SecurityEnvironment.current.home) }

    /// SecItemAdd.
    package static func add(_ attributes: [String: Any], of name: String = "") -> OSStatus {
        OwnItems.run(for: name) { SecItem.add(attributes as CFDictionary).status }
    }

    /// SecItemCopyMatching for the data of one item.
    ///
    /// - Parameter readable: When the item is; without it that of Pavise's own items where `name` says so, and of
    ///   unknown ones where not.
    package static func data(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> (status: OSStatus, data: Data?) {
        let answer = OwnItems.run(for: name) { copyMatching(query, readable ?? readability(of: name)) }
        return (answer.status, answer.result as? Data)
    }

    /// SecItemCopyMatching for the attributes of all matching items; no match is an empty list.
    package static func attributes(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> (status: OSStatus, items: [[String: Any]]) {
        let wanted: [String: Any] = [
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        let answer = OwnItems.run(for: name) {
            copyMatching(query.merging(wanted) { $1 }, readable ?? readability(of: name))
        }
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
        OwnItems.run(for: name) {
            let status = SecItem.update(query as CFDictionary, attributes as CFDictionary).status
            return proved(status, readable ?? readability(of: name))
        }
    }

    /// SecItemDelete.
    package static func delete(
        _ query: [String: Any], of name: String = "", readable: AbsenceProof.Readability? = nil
    ) -> OSStatus {
        OwnItems.run(for: name) {
            proved(SecItem.delete(query as CFDictionary).status, readable ?? readability(of: name))
        }
    }

    /// SecItemCopyMatching.
    static func copyMatching(
        _ query: [String: Any], _ readable: AbsenceProof.Readability = .whenUnlocked
    ) -> (status: OSStatus, result: CFTypeRef?) {
        let answer = SecItem.copyMatching(query as CFDictionary)
        return (proved(answer.status, readable), answer.result)
    }

    private static func readability(of name: String) -> AbsenceProof.Readability {
        name.isEmpty ? .whenUnlocked : .afterFirstUnlock
    }

    // Our own keychain says "locked" where it is; what Apple's adapter has to do against an iOS that does not is
    // shared, and is tried here with a device that lies as well.
    private static func proved(_ status: OSStatus, _ readable: AbsenceProof.Readability) -> OSStatus {
        guard SecurityEnvironment.current.hidesLocked else { return status }
        let isForUnlocked = readable == .whenUnlocked
        let probe: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "\(OwnItems.prefix)probe",
            kSecAttrAccount as String: isForUnlocked ? "when unlocked" : "after first unlock",
        ]
        let accessible =
            isForUnlocked
            ? kSecAttrAccessibleWhenUnlockedThisDeviceOnly : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return AbsenceProof.status(status) {
            SecItem.copyMatching(probe as CFDictionary).status
        } make: {
            SecItem.add(probe.merging([kSecAttrAccessible as String: accessible]) { $1 } as CFDictionary).status
        }
    }
}
