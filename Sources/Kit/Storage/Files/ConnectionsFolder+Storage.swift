internal import PavisePrimitives
package import PaviseProtectedStorage
package import PaviseVault

extension ConnectionsFolder {
    private func storage(of id: ConnectionID) -> String { folder(of: id) + "/protected" }

    /// The protected files and databases of a connection; made the first time. They end with it.
    package func protectedContainer(of id: ConnectionID) throws(StorageFailure) -> ProtectedContainer {
        ProtectedContainer(try .open(storage(of: id), name: id.text), account: id.text)
    }

    /// The protected files of a connection; made the first time. They end with it.
    package func protectedFiles(of id: ConnectionID) throws(StorageFailure) -> ProtectedFiles {
        try protectedContainer(of: id).files
    }

    /// Destroys the keys of what a connection stored: from here on nobody reads it, also not from a copy of its folder.
    ///
    /// A connection that never stored anything has none.
    package func destroyStorageKeys(of id: ConnectionID) throws(VaultFailure) {
        let path = storage(of: id)
        guard DurableFile.exists(path) || DurableFile.exists(path + ".lock") else { return }
        do throws(StorageFailure) { try StorageContainer.destroyKeys(of: path, name: id.text) } catch {
            switch error {
            case .locked: throw .locked(status: -25308)
            case .denied(let status): throw .denied(status: status)
            case .busy: throw .busy
            case .unavailable(let status): throw .system(status: status)
            case .damaged: throw .corrupt(.item)
            default: throw .system(status: -61)
            }
        }
    }
}
