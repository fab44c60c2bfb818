internal import PavisePrimitives
public import PaviseProtectedStorage
public import PaviseStorage

extension AppSecurity {
    /// The app's own sealed files, which belong to no account; made the first time. They end with ``wipe()``.
    ///
    /// While the app lock is closed nothing of them is read or written, but for files of class `none` and for writing
    /// class
    /// `completeUnlessOpen`: a recording goes on.
    ///
    /// Where the app was deleted and installed again, and the keychain stayed, as on an iPhone, they begin anew, and so
    /// do the databases. On Linux and macOS, and for an extension that has no home yet, that counts as damage: a backup
    /// may bring it back, and another program of the app may have it.
    ///
    /// - Throws: ``PaviseError``: `appLocked`, `deviceLocked`, `damaged`. Nothing new is made over files whose keys are
    ///   gone.
    public var files: ProtectedFiles { get throws(PaviseError) { try container().files } }

    /// Caches that belong to this app: they are emptied when the lock closes, at each sign-out, by a wipe, and when the
    /// system runs short of memory, where it tells (`CacheGroup.followMemoryPressure()`; else the log says so).
    public var caches: CacheGroup { storage.caches }

    /// Opens the app's own database called `name`, makes it where there is none, and brings its schema up to date.
    ///
    /// ```swift
    /// let nights = try security.database("diary", protection: .complete, migrations: steps)
    /// ```
    ///
    /// While the app lock is closed it answers with `locked`, and its key is not in memory.
    ///
    /// - Parameters:
    ///   - name: 1 to 1,024 bytes; sealed.
    ///   - protection: When it can be read. There is no default: health data wants `ProtectionClass.complete`.
    ///   - migrations: All steps of its schema, from number 1 on.
    /// - Throws: ``PaviseError``: `appLocked`, `deviceLocked`, `damaged`, `newerVersion`.
    public func database(
        _ name: String, protection: ProtectionClass, migrations: [DatabaseMigration] = []
    ) throws(PaviseError) -> ProtectedDatabase {
        let container = try container()
        do throws(PaviseError) {
            return try storage.database { () throws(ProtectedDatabaseError) in
                try container.database(name, protection: protection, migrations: migrations)
            }
        } catch {
            throw log.told(error)
        }
    }

    private func container() throws(PaviseError) -> ProtectedContainer {
        do throws(PaviseError) {
            return try storage.container { () throws(StorageFailure) in
                try ProtectedContainer.ofApp(identifier, in: connections.home)
            }
        } catch {
            throw log.told(error)
        }
    }
}

extension Account {
    /// The account's own sealed files; made the first time. They end with ``signOut(closesBrowserSession:)``.
    ///
    /// - Throws: ``PaviseError``: `appLocked`, `deviceLocked`, `damaged`.
    public var files: ProtectedFiles { get throws(PaviseError) { try container().files } }

    /// Opens a database of this account alone; it ends with ``signOut(closesBrowserSession:)``. See
    /// ``AppSecurity/database(_:protection:migrations:)``.
    ///
    /// - Parameters:
    ///   - name: 1 to 1,024 bytes; sealed.
    ///   - protection: When it can be read.
    ///   - migrations: All steps of its schema, from number 1 on.
    public func database(
        _ name: String, protection: ProtectionClass, migrations: [DatabaseMigration] = []
    ) throws(PaviseError) -> ProtectedDatabase {
        let container = try container()
        do throws(PaviseError) {
            return try app.storage.database { () throws(ProtectedDatabaseError) in
                try container.database(name, protection: protection, migrations: migrations)
            }
        } catch {
            throw app.log.told(error)
        }
    }

    /// The account's container, behind the app lock.
    package func container() throws(PaviseError) -> ProtectedContainer {
        do throws(PaviseError) {
            return try app.storage.container { () throws(StorageFailure) in
                try app.connections.folder.protectedContainer(of: connection.descriptor.id)
            }
        } catch {
            throw app.log.told(error)
        }
    }

    /// Lets the app lock take the key of a database of this account out of memory.
    package func follow(_ database: ProtectedDatabase) throws(PaviseError) {
        _ = try app.storage.database { () throws(ProtectedDatabaseError) in database }
    }

    /// Whether the app lock is open.
    package var isUnlocked: @Sendable () -> Bool { { [gate = connection.environment.gate] in gate?.isOpen ?? true } }
}
