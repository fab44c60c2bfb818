package import PavisePrimitives
public import PaviseProtectedStorage

extension ProtectedContainer {
    /// A database's name and protection class, as it was opened.
    public struct DatabaseName: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// The class that it was opened with.
        public let protection: ProtectionClass

        /// A database called `name`.
        public init(_ name: String, protection: ProtectionClass) {
            self.name = name
            self.protection = protection
        }
    }

    /// Gives the container called `name` new keys, and destroys the old ones: at the end of a crypto-period (NIST SP
    /// 800-57 part 1, 5.3), or after somebody may have seen them. No data is lost, whenever it is interrupted.
    ///
    /// ```swift
    /// try ProtectedContainer.renewKeys(of: "sleep-diary", databases: [.init("nights", protection: .complete)])
    /// ```
    /// Everything is sealed anew in another place, so that it takes as much room again and as long as reading and
    /// writing all of it. Databases may be open, in this process and others: a write waits, and what was open
    /// throws `absent` from then on, so that nothing is written that would be lost.
    /// Cached images, and backups made before a step of a migration, are not taken along. Needs the device unlocked.
    ///
    /// - Parameters:
    ///   - name: The container's.
    ///   - databases: All databases of the container: their names are sealed, so that only the app knows them.
    /// - Throws: `ProtectedDatabaseError.storage(.unusable(.databases))` when one is there that was not named: nothing
    ///   is changed. `busy` when somebody writes for longer than five seconds, or wrote a file meanwhile: try again.
    public static func renewKeys(
        of name: String, databases: [DatabaseName]
    ) throws(ProtectedDatabaseError) { try renewKeys(of: name, databases: databases, in: .current) }

    /// ``renewKeys(of:databases:)`` in a home of the caller's choice.
    package static func renewKeys(
        of name: String, databases: [DatabaseName], in home: PaviseHome
    ) throws(ProtectedDatabaseError) {
        guard isName(name) else { throw .storage(.unusable(.name)) }
        try renewKeys(at: "\(folder(of: home))/\(name)", account: account(of: name), databases)
    }

    static func renewKeys(
        at folder: String, account: String, _ databases: [DatabaseName]
    ) throws(ProtectedDatabaseError) {
        let outcome: Result<Void, ProtectedDatabaseError>
        do throws(StorageFailure) {
            outcome = try StorageContainer.renewKeys(of: folder, name: account) {
                old, new, decide throws(ProtectedDatabaseError) in
                let left = ProtectionClass.allCases.map { DatabaseName(images, protection: $0) }
                try StorageDatabase.copy(
                    databases.map { ($0.name, $0.protection) }, leaving: left.map { ($0.name, $0.protection) },
                    from: old, to: new, decide: decide)
            }
        } catch {
            throw ProtectedDatabaseError(error)
        }
        try outcome.get()
    }
}
