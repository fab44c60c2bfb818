internal import Foundation
internal import SecurityFramework

/// The passwords of the keychain, as `security` looks for them.
enum SecurityItems {
    private static let searching = "SecKeychainSearchCopyNext"

    /// The first item that has `attributes`, with its persistent reference.
    static func first(_ itemClass: PasswordClass, _ attributes: [String: Any]) throws(SecurityFailure) -> [String: Any]
    {
        try check(attributes)
        let query = query(itemClass, attributes)
        let (status, item) = KeychainBridge.item(query)
        guard status == errSecSuccess, let item else { throw .keychain(status, during: searching) }
        guard OwnNames.own(item) else { return item }
        guard let other = try all(itemClass, attributes).first else {
            throw .keychain(errSecItemNotFound, during: searching)
        }
        return other
    }

    /// All items that have `attributes`, with their persistent references.
    static func all(_ itemClass: PasswordClass, _ attributes: [String: Any]) throws(SecurityFailure) -> [[String: Any]]
    {
        try all(code: itemClass.code, attributes)
    }

    /// All items of a class.
    static func all(code: String, _ attributes: [String: Any] = [:]) throws(SecurityFailure) -> [[String: Any]] {
        try check(attributes)
        let (status, items) = KeychainBridge.attributes(query(code: code, attributes))
        guard status == errSecSuccess else { throw .keychain(status, during: searching) }
        return items.filter { !OwnNames.own($0) }
    }

    /// The value of an item that was found; empty when it has none.
    static func value(of item: [String: Any]) throws(SecurityFailure) -> [UInt8] {
        let reference = item[kSecValuePersistentRef as String] ?? Data()
        let query = [kSecValuePersistentRef as String: reference, kSecReturnData as String: true]
        let (status, data) = KeychainBridge.data(query)
        guard status == errSecSuccess else { throw .keychain(status, during: "SecKeychainItemCopyContent") }
        return data.map { [UInt8]($0) } ?? []
    }

    /// Adds an item.
    static func add(
        _ itemClass: PasswordClass, _ attributes: [String: Any]
    ) throws(SecurityFailure) -> OSStatus {
        try check(attributes)
        return KeychainBridge.add(attributes.merging([kSecClass as String: itemClass.code]) { $1 })
    }

    /// Changes an item that was found.
    static func change(_ item: [String: Any], _ changes: [String: Any]) throws(SecurityFailure) {
        let status = KeychainBridge.update(reference(to: item), changes)
        guard status == errSecSuccess else { throw .keychain(status, during: "SecKeychainItemModifyContent") }
    }

    /// Removes an item that was found.
    static func remove(_ item: [String: Any]) throws(SecurityFailure) {
        let status = KeychainBridge.delete(reference(to: item))
        guard status == errSecSuccess else { throw .keychain(status, during: "SecKeychainItemDelete") }
    }

    private static func reference(to item: [String: Any]) -> [String: Any] {
        [kSecValuePersistentRef as String: item[kSecValuePersistentRef as String] ?? Data()]
    }

    private static func query(_ itemClass: PasswordClass, _ attributes: [String: Any]) -> [String: Any] {
        query(code: itemClass.code, attributes)
    }

    private static func query(code: String, _ attributes: [String: Any]) -> [String: Any] {
        attributes.merging([
            kSecClass as String: code, kSecReturnPersistentRef as String: true,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        ]) { $1 }
    }

    private static func check(_ attributes: [String: Any]) throws(SecurityFailure) {
        do throws(CommandFailure) { try OwnNames.check(attributes) } catch {
            throw SecurityFailure(exitStatus: error.status.rawValue, message: error.message)
        }
    }
}
