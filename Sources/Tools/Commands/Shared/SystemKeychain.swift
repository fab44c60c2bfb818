internal import Foundation
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework

/// The generic passwords of this device's keychain that do not belong to Pavise's own sessions.
struct SystemKeychain: Keychain {
    func add(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        try Self.check(KeychainBridge.add(Self.query(entry).merging(Self.content(value)) { $1 }))
    }

    func replace(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        let content = Self.content(value)
        let status = KeychainBridge.update(Self.query(entry), content)
        guard status == errSecItemNotFound else { return try Self.check(status) }
        try Self.check(KeychainBridge.add(Self.query(entry).merging(content) { $1 }))
    }

    func read(_ entry: KeychainEntry) throws(VaultFailure) -> StoreResult {
        var query = Self.query(entry)
        query[kSecReturnData as String] = true
        let (status, data) = KeychainBridge.data(query)
        guard status != errSecItemNotFound else { return .absent }
        try Self.check(status)
        guard let data else { throw .corrupt(.item) }
        return .found(SecretBytes(copying: [UInt8](data).span))
    }

    func list(service: String?) throws(VaultFailure) -> [KeychainEntry] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecUseDataProtectionKeychain as String: true,
        ]
        if let service { query[kSecAttrService as String] = service }
        let (status, items) = KeychainBridge.attributes(query)
        try Self.check(status)
        return items.filter { !OwnNames.own($0) }.compactMap(Self.entry)
            .sorted { ($0.service, $0.account) < ($1.service, $1.account) }
    }

    func remove(_ entry: KeychainEntry) throws(VaultFailure) -> Bool {
        let status = KeychainBridge.delete(Self.query(entry))
        guard status != errSecItemNotFound else { return false }
        try Self.check(status)
        return true
    }

    var itemsOfOtherPrograms: [String: Int] {
        KeychainDiagnostics.itemsOfOtherPrograms(SecurityEnvironment.current.home)
    }

    private static func entry(_ attributes: [String: Any]) -> KeychainEntry? {
        guard let service = attributes[kSecAttrService as String] as? String,
            let account = attributes[kSecAttrAccount as String] as? String
        else { return nil }
        return KeychainEntry(service: service, account: account)
    }

    private static func query(_ entry: KeychainEntry) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: entry.service,
            kSecAttrAccount as String: entry.account, kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static func content(_ value: borrowing SecretBytes) -> [String: Any] {
        let data = value.withCopy { bytes in Data(bytes) }
        return [
            kSecValueData as String: data,
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        ]
    }

    private static func check(_ status: OSStatus) throws(VaultFailure) {
        if let failure = VaultFailure(status: status) { throw failure }
    }
}
