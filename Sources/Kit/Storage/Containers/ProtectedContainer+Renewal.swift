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
        _ = try renewKeys(
            at: "\(folder(of: home))/\(name)", account: account(of: name), databases, while: { _ in true })
    }

    /// ``renewKeys(of:databases:)`` for somebody who watches, and may want it to stop.
    ///
    /// - Parameters:
    ///   - name: The container's; `nil` is that of the home.
    ///   - databases: All databases of the container.
    ///   - home: Where it lies.
    ///   - goesOn: Hears of each piece that was sealed anew, and before the decision of none: how many bytes of files
    ///     it has. `false` stops it: the container stays as it was, and the next renewal begins anew.
    package static func renewKeys(
        of name: String?, databases: [DatabaseName], in home: PaviseHome, while goesOn: (_ bytes: Int) -> Bool
    ) throws(ProtectedDatabaseError) -> RenewalOutcome {
        guard let name else { return try renewKeys(at: home.protected, account: "home", databases, while: goesOn) }
        guard isName(name) else { throw .storage(.unusable(.name)) }
        return try renewKeys(
            at: "\(folder(of: home))/\(name)", account: account(of: name), databases, while: goesOn)
    }

    /// How a renewal that may be stopped ended.
    package enum RenewalOutcome: Hashable, Sendable {
        /// Everything is under new keys, and the old ones are destroyed.
        case renewed
        /// It was stopped before its decision: nothing was changed.
        case stopped
    }

    static func renewKeys(
        at folder: String, account: String, _ databases: [DatabaseName], while goesOn: (Int) -> Bool
    ) throws(ProtectedDatabaseError) -> RenewalOutcome {
        var isStopped = false
        func check(_ bytes: Int) throws(StorageFailure) {
            guard goesOn(bytes) else {
                isStopped = true
                throw .busy
            }
        }
        do throws(ProtectedDatabaseError) {
            try renewKeys(at: folder, account: account, databases, checking: check)
            return .renewed
        } catch {
            guard isStopped else { throw error }
            return .stopped
        }
    }

    private static func renewKeys(
        at folder: String, account: String, _ databases: [DatabaseName],
        checking check: (Int) throws(StorageFailure) -> Void
    ) throws(ProtectedDatabaseError) {
        let wanted = databases.map { (name: $0.name, protection: $0.protection) }
        let left = ProtectionClass.allCases.map { (name: images, protection: $0) }
        // Before hours of copying; one that is made meanwhile is noticed behind them.
        try checkNames(wanted + left, at: folder, account: account)
        let outcome: Result<Void, ProtectedDatabaseError>
        do throws(StorageFailure) {
            outcome = try StorageContainer.renewKeys(of: folder, name: account, onCopied: check) {
                old, new, decide throws(ProtectedDatabaseError) in
                try StorageDatabase.copy(wanted, leaving: left, from: old, to: new) { () throws(StorageFailure) in
                    try check(0)
                    try decide()
                }
            }
        } catch {
            throw ProtectedDatabaseError(error)
        }
        try outcome.get()
    }

    private static func checkNames(
        _ databases: [(name: String, protection: ProtectionClass)], at folder: String, account: String
    ) throws(ProtectedDatabaseError) {
        let container: StorageContainer
        do throws(StorageFailure) { container = try .open(folder, name: account, mayCreate: false) } catch {
            throw ProtectedDatabaseError(error)
        }
        try StorageDatabase.checkNames(databases, in: container)
    }
}
