internal import PavisePrimitives

/// The files of a database, whatever system is below it.
extension StorageDatabase {
    /// Whether a database called `name` is there.
    package static func exists(
        _ name: String, in container: StorageContainer, _ protection: ProtectionClass
    ) throws(ProtectedDatabaseError) -> Bool {
        let path = try container.databasePath(of: name, protection)
        return DurableFile.exists(path) || DurableFile.exists("\(path)-wal")
    }

    /// Removes the database called `name` and its copies. No connection may be open.
    package static func remove(
        _ name: String, in container: StorageContainer, _ protection: ProtectionClass
    ) throws(ProtectedDatabaseError) {
        try container.removeDatabase(name, protection)
    }

    static func storage<Result>(
        _ body: () throws(StorageFailure) -> Result
    ) throws(ProtectedDatabaseError) -> Result {
        do throws(StorageFailure) { return try body() } catch { throw ProtectedDatabaseError(error) }
    }
}

/// Copies of a database, kept beside it: they have its name, a hyphen, and a suffix of their own.
extension StorageDatabase {
    func copyPath(_ suffix: String) -> String { "\(path.dropLast(3))-\(suffix).db" }

    /// Whether a copy called `suffix` is there.
    package func hasCopy(_ suffix: String) -> Bool { DurableFile.exists(copyPath(suffix)) }

    /// Puts everything of the copy called `suffix` in place of everything in this database: all of it or nothing.
    package func restoreCopy(_ suffix: String) throws(ProtectedDatabaseError) {
        try ready()
        guard hasCopy(suffix) else { throw .absent }
        let copy = try Self.open(at: copyPath(suffix), in: container, protection)
        defer { copy.close() }
        try copy.copyAll(to: self)
    }

    /// Removes the copy called `suffix`; one that is not there is fine.
    package func removeCopy(_ suffix: String) throws(ProtectedDatabaseError) {
        let target = copyPath(suffix)
        let name = String(target.dropFirst(DurableFile.directory(of: target).count + 1))
        try Self.attempt { () throws(SystemFailure) in try Self.removeFiles(of: name, in: target) }
    }

    /// Removes the copies whose suffixes begin with `prefix` and that were made before `moment`.
    ///
    /// - Parameter moment: Milliseconds since 1970, by the wall clock.
    package func removeCopies(called prefix: String, before moment: Int64) throws(ProtectedDatabaseError) {
        let start = "\(path.dropFirst(DurableFile.directory(of: path).count + 1).dropLast(3))-\(prefix)"
        try Self.attempt { () throws(SystemFailure) in
            let folder = try OpenFolder.open(DurableFile.directory(of: path))
            // A log or a list that a kill left without its database is a copy's too.
            let copies = Set(try folder.names().filter { $0.hasPrefix(start) }.compactMap(Self.copyName))
            for name in copies {
                // The database itself, which comes first in their order.
                guard let first = try Self.files(of: name, in: folder).first else { continue }
                guard let main = try folder.status(of: first), main.modified / 1_000_000 < moment else { continue }
                try Self.removeFiles(of: name, in: path)
            }
        }
    }

    // "x-before-3.db" of itself and of what lies beside it.
    private static func copyName(_ file: String) -> String? {
        file.split(separator: ".", maxSplits: 1).first.map { "\($0).db" }
    }

    private static func files(of name: String, in folder: borrowing OpenFolder) throws(SystemFailure) -> [String] {
        try folder.names().filter { $0.hasPrefix(name) }
    }

    // The database first: what is left of a copy without it opens as nothing, and is swept later.
    private static func removeFiles(of name: String, in path: String) throws(SystemFailure) {
        let folder = DurableFile.directory(of: path)
        for file in try files(of: name, in: .open(folder)) { try DurableFile.remove("\(folder)/\(file)") }
    }

    private static func attempt<Result>(
        _ body: () throws(SystemFailure) -> Result
    ) throws(ProtectedDatabaseError) -> Result {
        do throws(SystemFailure) { return try body() } catch { throw ProtectedDatabaseError(.system(error)) }
    }
}
