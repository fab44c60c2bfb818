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

    /// Whether a copy called `suffix` is there.
    package func hasCopy(_ suffix: String) -> Bool { DurableFile.exists("\(path.dropLast(3))-\(suffix).db") }

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
