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
        var data: Data?
        let status = Self.find(query, of: name, &data)
        if status == errSecItemNotFound { return .absent }
        try Self.check(status)
        guard let count = data?.count else { throw .corrupt(.item) }
        defer { data?.resetBytes(in: 0..<count) }
        var bytes = data.map { [UInt8]($0) } ?? []
        defer { Wipe.bytes(&bytes) }
        return .found(SecretBytes(copying: bytes))
    }

    /// SecItemAdd.
    public func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        try Self.withContent(bytes) { content throws(VaultFailure) in
            let item = Self.query(name).merging(content) { $1 }
            try Self.check(KeychainBridge.add(item, of: name.service))
        }
    }

    /// SecItemUpdate, and SecItemAdd where there is nothing to update; never a deletion in between.
    ///
    /// A damaged item of the name gives way: on Linux SecItemAdd keeps it apart, in the same step. Where the system
    /// leaves it in its place, it is ``VaultFailure/corrupt(_:)``.
    public func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        try Self.withContent(bytes) { content throws(VaultFailure) in try Self.replace(content, as: name) }
    }

    private static func replace(_ content: [String: Any], as name: ItemName) throws(VaultFailure) {
        // Update first, add where there was nothing. Two processes that add at once: the second one updates.
        var status = errSecItemNotFound
        for _ in 0..<3 {
            status = KeychainBridge.update(query(name), content, of: name.service)
            guard status == errSecItemNotFound || status == errSecDecode else { return try check(status) }
            let added = KeychainBridge.add(query(name).merging(content) { $1 }, of: name.service)
            guard added == errSecDuplicateItem else { return try check(added) }
        }
        guard status == errSecItemNotFound else { return try check(status) }
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
    // Nobody else holds the data once the call has ended, so that it is overwritten, and no copy of it.
    private static func withContent(
        _ bytes: Span<UInt8>, _ body: ([String: Any]) throws(VaultFailure) -> Void
    ) throws(VaultFailure) {
        var copy = Array(bytes)
        defer { Wipe.bytes(&copy) }
        var value = Data(copy)
        defer { value.resetBytes(in: 0..<value.count) }
        try body([
            kSecValueData as String: value,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ])
    }

    // In one variable of the caller's alone: of data that a second one holds a copy would be overwritten.
    private static func find(_ query: [String: Any], of name: ItemName, _ data: inout Data?) -> OSStatus {
        let found = KeychainBridge.data(query, of: name.service)
        data = found.data
        return found.status
    }

    private static func check(_ status: OSStatus) throws(VaultFailure) {
        if let failure = VaultFailure(status: status) { throw failure }
    }
}
