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
    /// How many items other programs of this home have, by their names. This program sees none of them.
    var itemsOfOtherPrograms: [String: Int] { get }
}

extension Keychain {
    /// What `list` says where this program's items may be another's: after it was renamed.
    package func noteOfOtherPrograms(_ others: [String: Int]) -> String? {
        guard let most = others.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        let list = others.sorted { $0.key < $1.key }.prefix(8).map { "“\($0.key)” (\($0.value))" }
        return "Items of other programs are not shown: \(list.joined(separator: ", ")). A program's items go by its "
            + "name; PAVISE_APP_ID=\(most.key) makes this one take the name of that one."
    }
}
