internal import PavisePrimitives
package import PaviseProtectedStorage
package import PaviseVault

extension ConnectionsFolder {
    func storage(of id: ConnectionID) -> String { folder(of: id) + "/protected" }

    /// The protected files and databases of a connection; made the first time. They end with it.
    package func protectedContainer(of id: ConnectionID) throws(StorageFailure) -> ProtectedContainer {
        ProtectedContainer(try .open(storage(of: id), name: id.text), account: id.text)
    }

    /// The protected files of a connection; made the first time. They end with it.
    package func protectedFiles(of id: ConnectionID) throws(StorageFailure) -> ProtectedFiles {
        try protectedContainer(of: id).files
    }

    /// Gives what a connection stores new keys: see ``ProtectedContainer/renewKeys(of:databases:in:while:)``.
    package func renewStorageKeys(
        of id: ConnectionID, databases: [ProtectedContainer.DatabaseName], while goesOn: (_ bytes: Int) -> Bool
    ) throws(ProtectedDatabaseError) -> ProtectedContainer.RenewalOutcome {
        try ProtectedContainer.renewKeys(at: storage(of: id), account: id.text, databases, while: goesOn)
    }

    /// Destroys the keys of what a connection stored: from here on nobody reads it, also not from a copy of its folder.
    ///
    /// A connection that never stored anything has none.
    package func destroyStorageKeys(of id: ConnectionID) throws(VaultFailure) {
        guard try mayHaveStorage(id) else { return }
        do throws(StorageFailure) { try StorageContainer.destroyKeys(of: storage(of: id), name: id.text) } catch {
            throw VaultFailure(error)
        }
    }

    /// Whether a connection may have stored something: its folder says so, or where that was deleted by hand, the
    /// secret store, whose keys open every copy of it.
    func mayHaveStorage(_ id: ConnectionID) throws(VaultFailure) -> Bool {
        let path = storage(of: id)
        guard !DurableFile.exists(path), !DurableFile.exists(path + ".lock") else { return true }
        return try hasStorageKeys(id)
    }

    /// Whether the secret store has a key of what a connection stored.
    func hasStorageKeys(_ id: ConnectionID) throws(VaultFailure) -> Bool {
        let path = storage(of: id)
        do throws(StorageFailure) { return try StorageContainer.isKnown(path, name: id.text, in: home) } catch {
            throw VaultFailure(error)
        }
    }
}
