package import PaviseProtectedStorage

/// For a person who looks into their own data, with whatever schema an app gave it.
extension ProtectedContainer {
    /// Opens a database that is there with the schema that it has.
    package func databaseAsItIs(
        _ name: String, protection: ProtectionClass
    ) throws(ProtectedDatabaseError) -> ProtectedDatabase {
        ProtectedDatabase(try StorageDatabase.open(name, in: container, protection, mayCreate: false), name, container)
    }

    /// The class of the database called `name`; `nil` when it is certain that there is none of any class.
    package func protection(ofDatabase name: String) throws(ProtectedDatabaseError) -> ProtectionClass? {
        for protection in ProtectionClass.allCases
        where try StorageDatabase.exists(name, in: container, protection) { return protection }
        return nil
    }

    /// The databases called `name`, one of each class at most; none when it is certain that there is none.
    package func databases(named name: String) throws(ProtectedDatabaseError) -> [DatabaseName] {
        var found: [DatabaseName] = []
        for protection in ProtectionClass.allCases
        where try StorageDatabase.exists(name, in: container, protection) {
            found.append(DatabaseName(name, protection: protection))
        }
        return found
    }
}
