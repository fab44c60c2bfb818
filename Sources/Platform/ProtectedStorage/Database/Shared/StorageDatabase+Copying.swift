internal import PavisePrimitives

extension StorageDatabase {
    /// Copies databases from one container into another that has none of them, and lets nobody write to the first from
    /// the copy on until `decide` has returned.
    ///
    /// - Parameters:
    ///   - databases: All that the container has.
    ///   - leaving: Those that need not be there and are not copied.
    ///   - decide: Runs while the write lock of every database is held.
    /// - Throws: ``StorageLimit/databases`` when the container has one that was not named;
    ///   ``ProtectedDatabaseError/busy`` when somebody else writes for longer than a write is waited for.
    package static func copy(
        _ databases: [(name: String, protection: ProtectionClass)],
        leaving: [(name: String, protection: ProtectionClass)],
        from old: StorageContainer, to new: StorageContainer, decide: () throws(StorageFailure) -> Void
    ) throws(ProtectedDatabaseError) {
        let before = try checkNames(databases + leaving, in: old)
        try copy(databases[...], from: old, to: new) { () throws(ProtectedDatabaseError) in
            // One that was made meanwhile would be lost.
            guard try names(in: old) == before else { throw .busy }
            do throws(StorageFailure) { try decide() } catch { throw ProtectedDatabaseError(error) }
        }
    }

    /// Refuses a container that has a database which is not among `databases`.
    ///
    /// - Returns: The files of those that are there.
    @discardableResult
    package static func checkNames(
        _ databases: [(name: String, protection: ProtectionClass)], in container: StorageContainer
    ) throws(ProtectedDatabaseError) -> [String] {
        var known: Set<String> = []
        // That of erasable files is made anew with them.
        let halves = ProtectionClass.allCases.map { (name: ErasableHalves.name, protection: $0) }
        for one in databases + halves { known.insert(try container.databasePath(of: one.name, one.protection)) }
        let found = try names(in: container)
        for name in found {
            guard known.contains("\(container.folder)/database/\(name)") else { throw .storage(.unusable(.databases)) }
        }
        return found
    }

    // 32 digits: a copy of before a step has a longer name.
    private static func names(in container: StorageContainer) throws(ProtectedDatabaseError) -> [String] {
        do throws(SystemFailure) {
            return try Folder.names(in: "\(container.folder)/database")
                .filter { $0.hasSuffix(".db") && $0.utf8.count == 35 }.sorted()
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
    }

    // One inside of the other, so that all write locks are held at the end.
    private static func copy(
        _ databases: ArraySlice<(name: String, protection: ProtectionClass)>, from old: StorageContainer,
        to new: StorageContainer, then decide: () throws(ProtectedDatabaseError) -> Void
    ) throws(ProtectedDatabaseError) {
        guard let one = databases.first else { return try decide() }
        let others = databases.dropFirst()
        guard try exists(one.name, in: old, one.protection) else {
            return try copy(others, from: old, to: new, then: decide)
        }
        let source = try open(one.name, in: old, one.protection, mayCreate: false)
        defer { source.close() }
        try source.holdingWriters { () throws(ProtectedDatabaseError) in
            try source.copyAll(one.name, to: new)
            try copy(others, from: old, to: new, then: decide)
        }
    }

    private func copyAll(_ name: String, to container: StorageContainer) throws(ProtectedDatabaseError) {
        let target = try Self.open(name, in: container, protection)
        defer { target.close() }
        try copyAll(to: target)
    }

    /// Runs `body` while nobody else writes to the database. Who waits for the lock meanwhile asks with its first
    /// statement whether the container is still there.
    private func holdingWriters(_ body: () throws(ProtectedDatabaseError) -> Void) throws(ProtectedDatabaseError) {
        var isDone = false
        do {
            _ = try transaction(.write) {
                try body()
                isDone = true
            }
        } catch {
            // After the body the container is decided about and gone: how its last, empty transaction ends is nothing.
            guard !isDone else { return }
            throw error as? ProtectedDatabaseError ?? .storage(.crypto)
        }
    }
}
