internal import PavisePrimitives

/// Halves of erasable files' keys (``ErasableHalves``): how they are stored, found and destroyed.
extension StorageContainer {
    /// The key of a file's writing: of an erasable one from both halves.
    ///
    /// - Throws: ``StorageFailure/absent`` when the writing was erased; ``StorageDamage/keyLost`` when the database of
    ///   the halves is gone.
    func fileKey(of head: SealedFileHead) throws(StorageFailure) -> SecretBytes {
        let wrapped = try unwrap(head.wrappedKey, for: head.protection)
        guard head.isErasable else { return wrapped }
        return ErasableHalves.joined(wrapped, try half(of: head))
    }

    /// Holds off everybody else who writes or erases erasable files of this container.
    func lockHalves() throws(StorageFailure) -> FileLock { try Self.lock(Self.halvesLock(folder)) }

    /// The lock's name without its ending.
    static func halvesLock(_ folder: String) -> String { folder + "/erasable" }

    /// Stores the half of a writing that is about to appear. Needs ``lockHalves()``.
    func storeHalf(_ half: borrowing SecretBytes, for head: SealedFileHead) throws(StorageFailure) {
        var bytes = half.withBytes { half in Array(half) }
        defer { Wipe.bytes(&bytes) }
        try withHalves(head.protection, mayCreate: true) { database throws(ProtectedDatabaseError) in
            _ = try database.answer(
                """
                CREATE TABLE IF NOT EXISTS half(
                    file BLOB NOT NULL, writing BLOB NOT NULL, half BLOB NOT NULL, PRIMARY KEY(file, writing)
                ) WITHOUT ROWID
                """, [])
            _ = try database.answer(
                "INSERT INTO half(file, writing, half) VALUES (?, ?, ?)",
                [.blob(head.file), .blob(head.wrappedKey), .blob(bytes)])
        }
        try ErasableHalves.Step.halfStored.reached()
    }

    /// Destroys the halves of a file's writings, in the database of every class. Needs ``lockHalves()``.
    ///
    /// - Parameters:
    ///   - kept: The writing that stays.
    ///   - lastClass: The class of what lies there now. What is locked of another class is left for later.
    ///   - leavesLocked: `false` where nobody knows the class: then nothing is left, and locked is an error.
    func eraseHalves(
        of file: [UInt8], but kept: SealedFileHead? = nil, lastClass: ProtectionClass?, leavesLocked: Bool = true
    ) throws(StorageFailure) {
        for protection in ProtectionClass.allCases {
            let writing = kept?.protection == protection ? kept?.wrappedKey ?? [] : []
            do throws(StorageFailure) {
                try withHalves(protection, mayCreate: false) { database throws(ProtectedDatabaseError) in
                    let known = try database.answer(
                        "SELECT 1 FROM half WHERE file = ? AND writing IS NOT ?", [.blob(file), .blob(writing)])
                    guard !known.rows.isEmpty else { return }
                    _ = try database.answer(
                        "DELETE FROM half WHERE file = ? AND writing IS NOT ?", [.blob(file), .blob(writing)])
                    // Deleted bytes are overwritten in the page; this takes them out of the log. While somebody reads
                    // all the time it does not, and says so in a row.
                    let moved = try database.answer("PRAGMA wal_checkpoint(TRUNCATE)", [])
                    guard moved.rows.first?.first == .integer(0) else { throw ProtectedDatabaseError.busy }
                }
            } catch {
                let isElsewhere = leavesLocked && error == .locked && protection != lastClass
                guard error == .absent || isElsewhere else { throw error }
            }
        }
    }

    /// Destroys the half of a writing that did not appear. Needs ``lockHalves()``.
    ///
    /// Where nobody can say what lies there, every half stays: one of them opens it. What is left over goes with the
    /// next reading, writing or removal.
    func dropHalf(of head: SealedFileHead) {
        guard let file = StoredFileID(bytes: head.file) else { return }
        let kept: SealedFileHead?
        do throws(StorageFailure) { kept = try headOnDisk(file) } catch { return }
        try? eraseHalves(of: head.file, but: kept, lastClass: head.protection)
    }

    /// Removes what a kill left: older halves, and a file whose half is destroyed already.
    func finishErasing(_ file: StoredFileID) throws(StorageFailure) {
        try lockHalves().holding { () throws(StorageFailure) in
            guard let head = try headOnDisk(file), head.isErasable else { return }
            do throws(StorageFailure) {
                _ = try half(of: head, finishes: false)
                try eraseHalves(of: head.file, but: head, lastClass: head.protection)
            } catch {
                guard error == .absent else { throw error }
                try Self.attempt { () throws(SystemFailure) in try DurableFile.remove(path(of: file)) }
            }
        }
    }

    /// The head of what lies there, nothing of it authenticated; `nil` when nothing does.
    func headOnDisk(_ file: StoredFileID) throws(StorageFailure) -> SealedFileHead? {
        do throws(StorageFailure) { return try SealedFileReader.head(at: path(of: file)) } catch {
            guard error == .absent else { throw error }
            return nil
        }
    }

    private func half(of head: SealedFileHead, finishes: Bool = true) throws(StorageFailure) -> SecretBytes {
        var rows: [[SQLValue]] = []
        do throws(StorageFailure) {
            try withHalves(head.protection, mayCreate: false) { database throws(ProtectedDatabaseError) in
                rows = try database.answer("SELECT writing, half FROM half WHERE file = ?", [.blob(head.file)]).rows
            }
        } catch {
            // A file is there, so that the database was made.
            throw error == .absent && watch.isInPlace(exactly: true) ? .damaged(.keyLost) : error
        }
        var found: SecretBytes?
        for row in rows where row.first == .blob(head.wrappedKey) {
            guard case .blob(var bytes)? = row.last, bytes.count == 32 else { throw .damaged(.keyRecord) }
            found = SecretBytes(copying: bytes)
            Wipe.bytes(&bytes)
        }
        guard let half = found.take() else { throw .absent }
        if finishes, rows.count > 1, let file = StoredFileID(bytes: head.file) { try? finishErasing(file) }
        return half
    }

    private func withHalves(
        _ protection: ProtectionClass, mayCreate: Bool,
        _ body: (StorageDatabase) throws(ProtectedDatabaseError) -> Void
    ) throws(StorageFailure) {
        do throws(ProtectedDatabaseError) {
            if !mayCreate, try !StorageDatabase.exists(ErasableHalves.name, in: self, protection) {
                throw ProtectedDatabaseError.absent
            }
            let database = try StorageDatabase.open(
                ErasableHalves.name, in: self, protection, mayCreate: mayCreate)
            defer { database.close() }
            try body(database)
        } catch {
            throw StorageFailure(error, folder)
        }
    }
}

extension StorageFailure {
    // Of the database of halves.
    fileprivate init(_ error: ProtectedDatabaseError, _ folder: String) {
        self =
            switch error {
            case .locked: .locked
            case .absent: .absent
            case .denied(let status): .denied(status: status)
            case .damaged(let damage): .damaged(damage)
            case .newer(let version): .newer(version: version)
            case .foreign: .foreign
            case .busy: .busy
            // ENOSPC.
            case .full: .system(SystemFailure(operation: "write", path: folder, code: 28))
            case .storage(let failure): failure
            case .memoryNotWiped: .unusable(.erasable)
            case .readOnly, .constraint, .statement, .unconditional, .severalStatements, .column, .migration, .backup,
                .backupNeedsArgon2id, .backupOfOtherPages, .alreadyThere:
                .damaged(.keyRecord)
            }
    }
}
