public import PaviseProtectedStorage
internal import Synchronization

/// The sealed copies that are kept before a step of the schema that loses data.
extension ProtectedDatabase {
    /// How long a copy is kept: 30 days. An older one is removed when the database is opened.
    static let copyLifetime: Int64 = 30 * 86_400_000

    static let copyPrefix = "before-"
    static func copy(before number: Int) -> String { "\(copyPrefix)\(number)" }

    /// Whether the sealed copy that was kept before step `number` is there.
    public func hasCopy(beforeStep number: Int) -> Bool { writer.hasCopy(Self.copy(before: number)) }

    /// Puts the copy of before step `number` in place of everything in this database: all of it or nothing. What was
    /// written since the step is gone, and the copy is used up.
    ///
    /// The schema is that of before the step then. Close the database, and open it with steps that are mended: the ones
    /// from `number` on run again.
    ///
    /// ```swift
    /// if nights.hasCopy(beforeStep: 2) { try nights.restoreCopy(beforeStep: 2) }
    /// ```
    /// It blocks for as long as reading and writing everything takes. At most 1 GiB.
    /// - Throws: `ProtectedDatabaseError.absent` where there is no such copy; `damaged` where it is not what was kept.
    public func restoreCopy(beforeStep number: Int) throws(ProtectedDatabaseError) {
        try writer.restoreCopy(Self.copy(before: number))
        try writer.removeCopy(Self.copy(before: number))
        let tables = try writer.answer("SELECT name FROM sqlite_schema WHERE type = 'table'", []).rows
        let names = tables.compactMap { row -> String? in
            guard case .text(let name)? = row.first else { return nil }
            return name
        }
        observers.withLock { $0.changed(Set(names)) }
    }

    /// Removes the copy of before step `number`; one that is not there is fine.
    ///
    /// It has everything that the database had then. Remove it where a person erases what is theirs, and when the step
    /// has proved itself; else it goes after 30 days.
    public func removeCopy(beforeStep number: Int) throws(ProtectedDatabaseError) {
        try writer.removeCopy(Self.copy(before: number))
    }
}
