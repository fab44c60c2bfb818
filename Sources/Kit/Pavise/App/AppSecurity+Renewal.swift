public import PaviseProtectedStorage
internal import PaviseStorage

extension AppSecurity {
    /// Gives the app's own files and databases new keys, and destroys the old ones: at the end of a crypto-period (NIST
    /// SP 800-57 part 1, 5.3), or after somebody may have seen them. No data is lost, whenever it is interrupted.
    ///
    /// Everything is sealed anew in another place, which takes as much room again and as long as reading and writing
    /// all of it. What was open before answers with `absent` from then on: take ``files`` and
    /// ``database(_:protection:migrations:)`` anew. Copies that were kept before a step of a schema are not taken
    /// along.
    ///
    /// - Parameter databases: All databases of the app itself, by name and class: their names are sealed, so that only
    ///   the app knows them.
    /// - Throws: ``PaviseError``: `appLocked`, `deviceLocked`; `invalidInput` when there is a database that was not
    ///   named; `busy` when somebody writes meanwhile. Nothing was changed then.
    @concurrent
    public func renewKeys(databases: KeyValuePairs<String, ProtectionClass>) async throws(PaviseError) {
        // It exists, and the app lock is open.
        _ = try files
        do throws(ProtectedDatabaseError) {
            try ProtectedContainer.renewKeys(app: identifier, databases: databases.names, in: connections.home)
        } catch {
            throw log.told(error)
        }
        storage.forgetKeys()
    }
}

extension Account {
    /// Gives the account's files and databases new keys, and destroys the old ones: see
    /// ``AppSecurity/renewKeys(databases:)``. Cached images are not taken along.
    ///
    /// - Parameter databases: All databases of the account, by name and class. That of a synchronisation is called
    ///   `sync-` and its name, and has the class `untilFirstUserAuthentication`; end its runs first.
    /// - Throws: ``PaviseError``, as for the app.
    @concurrent
    public func renewKeys(databases: KeyValuePairs<String, ProtectionClass>) async throws(PaviseError) {
        _ = try files
        do throws(ProtectedDatabaseError) {
            try app.connections.folder.renewStorageKeys(of: connection.descriptor.id, databases: databases.names)
        } catch {
            throw app.log.told(error)
        }
        images.close()
        app.storage.forgetKeys()
    }
}

extension KeyValuePairs where Key == String, Value == ProtectionClass {
    fileprivate var names: [ProtectedContainer.DatabaseName] {
        map { ProtectedContainer.DatabaseName($0.key, protection: $0.value) }
    }
}
