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
    /// - Parameter databases: All databases of the app itself, as `[("nights", .complete)]`: their names are sealed, so
    ///   that only the app knows them.
    /// - Throws: ``PaviseError``: `appLocked`, also where the app lock closes meanwhile; `deviceLocked`; `invalidInput`
    ///   when there is a database that was not named; `busy` when somebody writes meanwhile. Nothing was changed then.
    @concurrent
    public func renewKeys(databases: [(name: String, protection: ProtectionClass)]) async throws(PaviseError) {
        // It exists, and the app lock is open.
        _ = try files
        let outcome: ProtectedContainer.RenewalOutcome
        do throws(ProtectedDatabaseError) {
            outcome = try ProtectedContainer.renewKeys(
                app: identifier, databases: ProtectedContainer.names(databases), in: connections.home,
                while: { _ in storage.isOpen() })
        } catch {
            throw log.told(error)
        }
        guard outcome == .renewed else { throw PaviseError.appLocked }
        storage.forgetKeys()
    }
}

extension Account {
    /// Gives the account's files and databases new keys, and destroys the old ones: see
    /// ``AppSecurity/renewKeys(databases:)``. Cached images are not taken along.
    ///
    /// - Parameter databases: All databases of the account, by name and class. Those of records are called `records-`
    ///   and the path or name that they were opened with; that of a folder's synchronisation is
    ///   `FolderSync.databaseName`, and has the class `untilFirstUserAuthentication`. End their runs first.
    /// - Throws: ``PaviseError``, as for the app.
    @concurrent
    public func renewKeys(databases: [(name: String, protection: ProtectionClass)]) async throws(PaviseError) {
        _ = try files
        let outcome: ProtectedContainer.RenewalOutcome
        do throws(ProtectedDatabaseError) {
            outcome = try app.connections.folder.renewStorageKeys(
                of: connection.descriptor.id, databases: ProtectedContainer.names(databases),
                while: { _ in app.storage.isOpen() })
        } catch {
            throw app.log.told(error)
        }
        guard outcome == .renewed else { throw PaviseError.appLocked }
        images.close()
        app.storage.forgetKeys()
    }
}

extension ProtectedContainer {
    fileprivate static func names(_ databases: [(name: String, protection: ProtectionClass)]) -> [DatabaseName] {
        databases.map { DatabaseName($0.name, protection: $0.protection) }
    }
}
