internal import PavisePrimitives
internal import PaviseVault

/// The keychain of this device.
struct SystemKeychain: Keychain {
    private func notBuilt() -> VaultFailure { .system(status: -4) }
    func add(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) { throw notBuilt() }
    func replace(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) { throw notBuilt() }
    func read(_ entry: KeychainEntry) throws(VaultFailure) -> StoreAnswer { throw notBuilt() }
    func list(service: String?) throws(VaultFailure) -> [KeychainEntry] { throw notBuilt() }
    func remove(_ entry: KeychainEntry) throws(VaultFailure) -> Bool { throw notBuilt() }
}
