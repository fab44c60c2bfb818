internal import PavisePrimitives

extension StorageDatabase {
    /// Copies databases from one container into another that has none of them, while nobody writes to the first.
    ///
    /// - Parameters:
    ///   - databases: All that the container has.
    ///   - leaving: Those that need not be there and are not copied.
    /// - Throws: ``StorageLimit/databases`` when the container has one that was not named.
    package static func copy(
        _ databases: [(name: String, protection: ProtectionClass)],
        leaving: [(name: String, protection: ProtectionClass)],
        from old: StorageContainer, to new: StorageContainer
    ) throws(ProtectedDatabaseError) {
        var known: Set<String> = []
        for one in databases + leaving { known.insert(try old.databasePath(of: one.name, one.protection)) }
        let folder = "\(old.folder)/database"
        let names: [String]
        do throws(SystemFailure) { names = try Folder.names(in: folder) } catch {
            throw ProtectedDatabaseError(.system(error))
        }
        // 32 digits: a copy of before a step has a longer name.
        for name in names where name.hasSuffix(".db") && name.utf8.count == 35 {
            guard known.contains("\(folder)/\(name)") else { throw .storage(.unusable(.databases)) }
        }
        for one in databases { try copy(one.name, one.protection, from: old, to: new) }
    }

    private static func copy(
        _ name: String, _ protection: ProtectionClass, from old: StorageContainer, to new: StorageContainer
    ) throws(ProtectedDatabaseError) {
        guard try exists(name, in: old, protection) else { return }
        let source = try open(name, in: old, protection, mayCreate: false)
        defer { source.close() }
        let target = try open(name, in: new, protection)
        defer { target.close() }
        try source.copyAll(to: target)
    }
}
