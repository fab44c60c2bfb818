public import PavisePrimitives
public import PaviseProtectedStorage

extension ProtectedDatabase {
    /// Reads every page: authentic, and the newest of its number. About 1 GB a second; it blocks.
    public func verify() throws(ProtectedDatabaseError) -> DatabaseReport { try writer.verify() }

    /// Moves the log into the file and empties it: what was erased is then in neither, also not sealed. A write that
    /// runs elsewhere is waited for.
    ///
    /// - Throws: `ProtectedDatabaseError.busy` where a reader still needs the log. Try again.
    public func emptyLog() throws(ProtectedDatabaseError) {
        let answer = try writer.answer("PRAGMA wal_checkpoint(TRUNCATE)", [])
        guard answer.rows.first?.first == .integer(0) else { throw .busy }
    }

    /// Writes everything into one file, sealed with a passphrase: a backup that needs nothing of this device.
    ///
    /// The key is Argon2id of the passphrase (RFC 9106, 128 MiB, 3 passes), so this takes a moment. At most 1 GiB.
    public func export(to path: String, passphrase: borrowing SecretBytes) throws(ProtectedDatabaseError) {
        guard passphrase.count > 0 else { throw .backup }
        try writer.export(to: path, passphrase: passphrase)
    }

    /// Makes a database of a backup. One of the same name that is there already stays as it is, unless it has no table:
    /// a restore that was killed leaves such a one. What another process writes while the backup is opened stays, too.
    /// A backup of a later program is refused. Steps of the schema that the backup lacks run afterwards.
    ///
    /// - Throws: `ProtectedDatabaseError.alreadyThere`, `ProtectedDatabaseError.backup`, and those of
    ///   ``open(_:in:protection:migrations:mayCreate:)``. Nothing is left then.
    public static func restore(
        _ name: String, in container: StorageContainer, protection: ProtectionClass, from path: String,
        passphrase: borrowing SecretBytes, migrations: [DatabaseMigration]
    ) throws(ProtectedDatabaseError) -> ProtectedDatabase {
        let isThere = try StorageDatabase.exists(name, in: container, protection)
        let writer = try StorageDatabase.open(name, in: container, protection)
        let database = ProtectedDatabase(writer, name, container)
        if isThere, try !database.isEmpty {
            database.close()
            throw .alreadyThere
        }
        RestorePoint.observer?()
        var isRestored = false
        do throws(ProtectedDatabaseError) {
            try writer.restore(from: path, passphrase: passphrase) { () throws(ProtectedDatabaseError) in
                try database.isEmpty
            }
            isRestored = true
            try database.migrate(migrations)
        } catch {
            // What another process wrote meanwhile stays, also where nobody can say whether one did.
            let isOurs = isRestored || (try? database.isEmpty) == true
            database.close()
            if isOurs { try StorageDatabase.remove(name, in: container, protection) }
            throw error
        }
        return database
    }

    /// Removes the database called `name`, and the copies that were kept before steps. Close it first.
    public static func remove(
        _ name: String, in container: StorageContainer, protection: ProtectionClass
    ) throws(ProtectedDatabaseError) {
        try StorageDatabase.remove(name, in: container, protection)
    }
}

/// The moment after the place for a backup was made, and before the backup is opened.
package enum RestorePoint {
    /// What a test does there, as another process may.
    @TaskLocal package static var observer: (@Sendable () -> Void)?
}
