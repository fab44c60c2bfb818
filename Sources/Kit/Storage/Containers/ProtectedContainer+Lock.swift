package import PavisePrimitives
package import PaviseProtectedStorage
package import PaviseVault

extension ProtectedContainer {
    /// The container of one app's own data in its home; made the first time.
    package static func ofApp(_ identifier: String, in home: PaviseHome) throws(StorageFailure) -> ProtectedContainer {
        do throws(SystemFailure) { try home.make() } catch { throw .system(error) }
        let account = account(ofApp: identifier)
        return ProtectedContainer(try .open(folder(ofApp: home), name: account), account: account)
    }

    /// Removes it, whether it opens or not; where there is none, nothing happens.
    package static func remove(app identifier: String, in home: PaviseHome) throws(StorageFailure) {
        try StorageContainer.remove(folder(ofApp: home), name: account(ofApp: identifier))
    }

    /// Destroys the keys of one whose app's home is gone as a whole: the app was deleted and installed again, and the
    /// keychain stayed. Without its folder it would count as damaged for ever.
    package static func removeLost(app identifier: String, in home: PaviseHome) throws(StorageFailure) {
        let (folder, name) = (Self.folder(ofApp: home), Self.account(ofApp: identifier))
        guard try StorageContainer.isKnown(folder, name: name, in: home) else { return }
        do throws(SystemFailure) { try DurableFile.makeDirectory(DurableFile.directory(of: home.path)) } catch {
            throw .system(error)
        }
        // Of several processes that start now, one destroys them and makes the home, by which the others see it.
        try FileLock.holding(
            home.path + ".lock", wait: .seconds(5), or: { $0.mapped(held: .busy, system: StorageFailure.system) }
        ) { () throws(StorageFailure) in
            guard case .absent = DurableFile.presence(of: home.path) else { return }
            try StorageContainer.destroyKeys(of: folder, name: name)
            do throws(SystemFailure) {
                try home.make()
                try DurableFile.remove(home.path + ".lock")
            } catch {
                throw .system(error)
            }
        }
    }

    /// Gives it new keys: see ``renewKeys(of:databases:in:while:)``.
    package static func renewKeys(
        app identifier: String, databases: [DatabaseName], in home: PaviseHome, while goesOn: (_ bytes: Int) -> Bool
    ) throws(ProtectedDatabaseError) -> RenewalOutcome {
        try renewKeys(at: folder(ofApp: home), account: account(ofApp: identifier), databases, while: goesOn)
    }

    private static func folder(ofApp home: PaviseHome) -> String { home.protected }

    // Two apps of one program have the same keychain: each has an account of its own.
    private static func account(ofApp identifier: String) -> String { "home." + identifier }

    /// Puts it under a lock of the app's own. See `StorageContainer.follow(gate:)`.
    package func follow(gate isOpen: @escaping @Sendable () -> Bool) { container.follow(gate: isOpen) }

    /// What keeps the keys: for somebody who has them forgotten.
    package var keys: StorageContainer { container }
}

extension ProtectedFiles {
    /// Begins a file that grows while its owner waits between the pieces.
    package func grow(
        named name: String, type: String, protection: ProtectionClass
    ) throws(StorageFailure) -> GrowingFile {
        try container.growFile(
            name: name, type: type, modified: TimeSource.system.wallMilliseconds, protection: protection)
    }
}

extension ConnectionsFolder {
    /// Removes everything that a connection stored: keys first, then files and databases. The connection stays.
    package func removeStorage(of id: ConnectionID) throws(VaultFailure) {
        guard try mayHaveStorage(id) else { return }
        do throws(StorageFailure) { try StorageContainer.remove(storage(of: id), name: id.text) } catch {
            throw VaultFailure(error)
        }
    }
}

extension VaultFailure {
    init(_ failure: StorageFailure) {
        self =
            switch failure {
            case .locked: .locked(status: -25308)
            case .denied(let status): .denied(status: status)
            case .busy: .busy
            case .unavailable(let status): .system(status: status)
            case .damaged: .corrupt(.item)
            default: .system(status: -61)
            }
    }
}
