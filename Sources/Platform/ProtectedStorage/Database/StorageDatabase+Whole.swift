internal import PaviseCrypto
internal import PaviseDatabase
package import PavisePrimitives

/// The database as a whole: checks, copies, backups.
extension StorageDatabase {
    /// Reads every page: authentic, and the newest of its number.
    package func verify() throws(ProtectedDatabaseError) -> DatabaseReport {
        try ready()
        let found = try Self.mapped(path) { () throws(DatabaseFailure) in try database.verify() }
        return DatabaseReport(
            pages: found.pages, damaged: found.damaged, older: found.older, isTracked: found.isTracked,
            isListLost: found.isListLost)
    }

    /// Writes everything into one file at `target`, sealed with a passphrase.
    package func export(to target: String, passphrase: borrowing SecretBytes) throws(ProtectedDatabaseError) {
        try ready()
        do {
            let sealed = try database.withImage { image in
                try passphrase.withBytes { passphrase in
                    try SealedBackup.seal(image, passphrase: passphrase, BackupCipher.stretching)
                }
            }
            try DurableFile.write(sealed.span, to: target)
        } catch {
            throw Self.any(error, path)
        }
    }

    /// Puts the content of the backup at `source` in place of everything in this database: all of it or nothing.
    ///
    /// - Parameter isFree: Asked once the backup is open, which takes a moment: whether it may still be taken over.
    package func restore(
        from source: String, passphrase: borrowing SecretBytes,
        while isFree: () throws(ProtectedDatabaseError) -> Bool = { true }
    ) throws(ProtectedDatabaseError) {
        try ready()
        do {
            let sealed = try DurableFile.read(source, limit: Int(Database.mostImageBytes) + (1 << 24))
            var image = try passphrase.withBytes { passphrase in
                try SealedBackup.open(sealed, passphrase: passphrase)
            }
            defer { Wipe.bytes(&image) }
            guard Database.fits(image: image.span) else { throw ProtectedDatabaseError.backupOfOtherPages }
            guard try isFree() else { throw ProtectedDatabaseError.alreadyThere }
            try database.restore(image: image.span)
        } catch {
            throw Self.any(error, path)
        }
    }

    /// Puts everything of this database in place of everything in `target`. Inside of a transaction: of one moment.
    func copyAll(to target: StorageDatabase) throws(ProtectedDatabaseError) {
        try ready()
        try target.ready()
        do {
            try database.withImage { image in try target.database.restore(image: image) }
        } catch {
            throw Self.any(error, path)
        }
    }

    /// All pages in clear, freed ones included, for a test that looks for what must not be there.
    package func image() throws(ProtectedDatabaseError) -> [UInt8] {
        try ready()
        do { return try database.withImage { image in Array(image) } } catch {
            throw Self.any(error, path)
        }
    }

    /// Keeps a sealed copy of the database as it is now, called `suffix`, in place of an older one. It opens with the
    /// same key.
    ///
    /// - Parameter isPending: Whether what the copy is kept for is still to come, asked when nobody else can write:
    ///   another process may be behind it already, and then its copy is the one that stays.
    package func keepCopy(
        _ suffix: String, while isPending: () throws(ProtectedDatabaseError) -> Bool
    ) throws(ProtectedDatabaseError) {
        try ready()
        let target = copyPath(suffix)
        do {
            // Under the write lock the log only grows at its end. A checkpoint may move pages meanwhile: the log has
            // them too.
            _ = try transaction(.write) {
                guard try isPending() else { return }
                // Of an earlier try that came to nothing: what was written since is not in it. Of a copy that was
                // removed or never finished, the log would stand beside this one.
                try removeCopy(suffix)
                // The database last: a copy of the log alone is refused, so a kill between leaves nothing that opens
                // wrongly.
                let main = try DurableFile.read(path, limit: Int(Database.mostImageBytes))
                let lists = try ["-tags0", "-tags1"].map {
                    try DurableFile.readIfPresent(path + $0, limit: Int(Database.mostImageBytes))
                }
                let log = try DurableFile.readIfPresent("\(path)-wal", limit: Int(Database.mostImageBytes))
                for (file, suffix) in zip(lists + [log], ["-tags0", "-tags1", "-wal"]) {
                    if let file { try DurableFile.write(file.span, to: target + suffix) }
                }
                try DurableFile.write(main.span, to: target)
            }
        } catch {
            throw Self.any(error, path)
        }
    }

    /// SHA-256, for the steps of a schema.
    package static func digest(_ text: String) -> [UInt8] { Hash.digest(.sha256, Array(text.utf8)) }

    static func any(_ error: any Error, _ path: String) -> ProtectedDatabaseError {
        switch error {
        case let error as ProtectedDatabaseError: error
        case let error as DatabaseFailure: Self.error(error, path)
        case let error as SystemFailure: ProtectedDatabaseError(.system(error))
        default: .storage(.crypto)
        }
    }
}
