internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

/// The keychain as a ``SecretStore``: one generic password for each name, readable after the first unlock, on this
/// device only, never synchronised.
///
/// Names whose service begins with `org.pavise.` are Pavise's own. On Linux they lie in an access group that no program
/// can name, so that no other keychain call reaches them. Apple's systems have no such group: there they lie in the
/// app's own.
public struct KeychainStore: ListingStore {
    /// The keychain of this user.
    public init() {}

    /// The item's data. An item without data is damage.
    public func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        var query = Self.query(name)
        query[kSecReturnData as String] = true
        let (status, data) = KeychainBridge.data(query, of: name.service)
        if status == errSecItemNotFound { return .absent }
        try Self.check(status)
        guard let data else { throw .corrupt(.item) }
        return .found(SecretBytes(copying: [UInt8](data)))
    }

    /// SecItemAdd.
    public func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let item = Self.query(name).merging(Self.content(bytes)) { $1 }
        try Self.check(KeychainBridge.add(item, of: name.service))
    }

    /// SecItemUpdate, and SecItemAdd where there is nothing to update; never a deletion in between.
    public func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let content = Self.content(bytes)
        // Update first, add where there was nothing. Two processes that add at once: the second one updates.
        for _ in 0..<3 {
            let status = KeychainBridge.update(Self.query(name), content, of: name.service)
            guard status == errSecItemNotFound else { return try Self.check(status) }
            let added = KeychainBridge.add(
                Self.query(name).merging(content) { $1 }, of: name.service)
            guard added == errSecDuplicateItem else { return try Self.check(added) }
        }
        throw .busy
    }

    /// SecItemDelete.
    public func delete(_ name: ItemName) throws(VaultFailure) {
        let status = KeychainBridge.delete(Self.query(name), of: name.service)
        guard status != errSecItemNotFound else { return }
        try Self.check(status)
    }

    /// The names of this account's generic passwords that are Pavise's own.
    package func names(of account: String) throws(VaultFailure) -> Set<ItemName> {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
        let (status, items) = KeychainBridge.attributes(query, of: OwnItems.prefix)
        try Self.check(status)
        let services = items.compactMap { $0[kSecAttrService as String] as? String }
        return Set(services.compactMap { ItemName(service: $0, account: account) }.filter { OwnItems.owns($0.service) })
    }

    private static func query(_ name: ItemName) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: name.service,
            kSecAttrAccount as String: name.account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    // The class is written at every change, so that an item of another class is corrected (connections C43).
    private static func content(_ bytes: Span<UInt8>) -> [String: Any] {
        [
            kSecValueData as String: Data(Array(bytes)),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }

    private static func check(_ status: OSStatus) throws(VaultFailure) {
        if let failure = VaultFailure(status: status) { throw failure }
    }
}
