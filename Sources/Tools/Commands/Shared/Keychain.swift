package import PavisePrimitives
package import PaviseVault

/// The names of a keychain item; its value is not among them.
package struct KeychainEntry: Hashable, Sendable {
    /// What the secret is for.
    package let service: String
    /// Whose it is.
    package let account: String

    package init(service: String, account: String) {
        self.service = service
        self.account = account
    }
}

/// The generic passwords of the keychain, as the commands need them.
package protocol Keychain: Sendable {
    /// Adds an item; an existing one is ``VaultFailure/duplicate``.
    func add(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure)
    /// Writes an item in one step, whether or not it exists.
    func replace(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure)
    /// Reads an item.
    func read(_ entry: KeychainEntry) throws(VaultFailure) -> StoreResult
    /// The items of `service`, or all, ordered by name.
    func list(service: String?) throws(VaultFailure) -> [KeychainEntry]
    /// Removes an item.
    ///
    /// - Returns: Whether there was one.
    func remove(_ entry: KeychainEntry) throws(VaultFailure) -> Bool
}
