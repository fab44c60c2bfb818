internal import CryptoKit
package import PavisePrimitives

/// The database as a whole: checks, copies, backups.
extension StorageDatabase {
    private static let mostImageBytes = 1 << 30

    /// Lets SQLite look at every page. The system authenticates none, so that an older page cannot be told.
    package func verify() throws(ProtectedDatabaseError) -> DatabaseReport {
        try ready()
        let pages = try number("PRAGMA page_count")
        let answer = try connection.answer("PRAGMA integrity_check", [])
        let findings = answer.rows.compactMap { row -> String? in
            guard case .text(let text)? = row.first, text != "ok" else { return nil }
            return text
        }
        let damaged = Set(findings.flatMap(Self.pages)).sorted()
        // SQLite names most pages, and not all: what it does not name is damage all the same.
        guard findings.isEmpty || !damaged.isEmpty else { throw .damaged(.content) }
        return DatabaseReport(pages: pages, damaged: damaged, older: [], isTracked: false, isListLost: false)
    }

    private func number(_ text: String) throws(ProtectedDatabaseError) -> Int {
        guard case .integer(let number)? = try connection.answer(text, []).rows.first?.first else { return 0 }
        return Int(number)
    }

    // “Tree 2 page 5 cell 0: …”, “Page 7: never used”.
    private static func pages(_ finding: String) -> [Int] {
        let words = finding.lowercased().split { !($0.isLetter || $0.isNumber) }
        return zip(words, words.dropFirst()).compactMap { $0 == "page" ? Int($1) : nil }
    }

    /// Writes everything into one file at `target`, sealed with a passphrase.
    package func export(to target: String, passphrase: borrowing SecretBytes) throws(ProtectedDatabaseError) {
        try ready()
        var image = try connection.image(limit: Self.mostImageBytes)
        defer { Wipe.bytes(&image) }
        let sealed = try passphrase.withBytes { passphrase throws(ProtectedDatabaseError) in
            try image.withSpan { image throws(ProtectedDatabaseError) in
                try SealedBackup.seal(image, passphrase: passphrase, BackupCipher.stretching)
            }
        }
        do throws(SystemFailure) { try DurableFile.write(sealed, to: target) } catch {
            throw ProtectedDatabaseError(.system(error))
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
        let sealed: [UInt8]
        do throws(SystemFailure) {
            sealed = try DurableFile.read(source, limit: Self.mostImageBytes + (1 << 24))
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
        var image = try passphrase.withBytes { passphrase throws(ProtectedDatabaseError) in
            try SealedBackup.open(sealed, passphrase: passphrase)
        }
        defer { Wipe.bytes(&image) }
        // Bound to this container before it is taken over, so that no moment shows one of another.
        let memory = try SystemConnection.inMemory(image)
        try Self.bind(memory, to: container)
        guard try isFree() else { throw .alreadyThere }
        try memory.copyAll(to: connection)
        memory.end()
    }

    /// Puts everything of this database in place of everything in `target`, of one moment.
    func copyAll(to target: StorageDatabase) throws(ProtectedDatabaseError) {
        try ready()
        try target.ready()
        var image = try connection.image(limit: Self.mostImageBytes)
        defer { Wipe.bytes(&image) }
        let memory = try SystemConnection.inMemory(image)
        try Self.bind(memory, to: target.container)
        try memory.copyAll(to: target.connection)
        memory.end()
    }

    /// All pages in clear, freed ones included, for a test that looks for what must not be there.
    package func image() throws(ProtectedDatabaseError) -> [UInt8] {
        try ready()
        return try connection.image(limit: Self.mostImageBytes)
    }

    /// Keeps a copy of the database as it is now, of the same class, called `suffix`, in place of an older one.
    ///
    /// - Parameter isPending: Whether what the copy is kept for is still to come: another process may be behind it
    ///   already, and then its copy is the one that stays.
    package func keepCopy(
        _ suffix: String, while isPending: () throws(ProtectedDatabaseError) -> Bool
    ) throws(ProtectedDatabaseError) {
        try ready()
        let target = copyPath(suffix)
        guard try isPending() else { return }
        let draft = target + ".new"
        do throws(SystemFailure) {
            for suffix in ["", "-wal", "-shm", "-journal"] { try DurableFile.remove(draft + suffix) }
            try DurableFile.writeUnlessPresent([], to: draft)
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
        try Self.storage { () throws(StorageFailure) in try FileProtection.protect(draft, protection) }
        let copy = SystemConnection(draft, protection, readOnly: false)
        try copy.open {}
        try connection.copyAll(to: copy)
        copy.end()
        try Self.storage { () throws(StorageFailure) in try FileProtection.check(draft, protection) }
        // What was copied is of before the step where the step is still to come afterwards.
        let isBefore = try isPending()
        do throws(SystemFailure) {
            guard isBefore else { return try DurableFile.remove(draft) }
            try DurableFile.move(draft, to: target)
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
    }

    /// SHA-256, for the steps of a schema.
    package static func digest(_ text: String) -> [UInt8] { [UInt8](SHA256.hash(data: Array(text.utf8))) }
}
