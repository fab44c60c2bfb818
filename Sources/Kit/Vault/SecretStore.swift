public import PavisePrimitives

/// What a store says about a name that it can see.
public enum StoreResult: ~Copyable, Sendable {
    /// The store is available and has no such item: this, and only this, means that there is none.
    case absent
    /// The item's bytes.
    case found(SecretBytes)
}

/// Keeps small secrets by name: the keychain, or a store of a test's own.
///
/// All calls block for at most a few disk writes. A change is durable when the call returns.
public protocol SecretStore: Sendable {
    /// Looks up `name`.
    ///
    /// - Throws: ``VaultFailure/locked(status:)``, ``VaultFailure/denied(status:)``, ``VaultFailure/corrupt(_:)`` or
    ///   ``VaultFailure/system(status:)`` when the store cannot say.
    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult

    /// Adds an item that must not exist.
    ///
    /// - Throws: ``VaultFailure/duplicate`` when it does.
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure)

    /// Writes an item in one step, whether or not it exists. At every instant the old bytes or the new ones are there.
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure)

    /// Removes an item; one that is not there is fine.
    func delete(_ name: ItemName) throws(VaultFailure)
}
