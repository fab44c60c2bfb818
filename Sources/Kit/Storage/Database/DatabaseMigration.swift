internal import PaviseProtectedStorage

/// One step of a schema. Steps are numbered 1, 2, 3 and so on; each runs once, in a transaction of its own.
///
/// ```swift
/// let steps = [
///     DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, up REAL NOT NULL)"),
///     DatabaseMigration(2, "no notes", losesData: true, "ALTER TABLE night DROP COLUMN note"),
/// ]
/// ```
/// A step that ran is never changed: its text is remembered by its SHA-256. Source: data-at-rest/DR15.
public struct DatabaseMigration: Hashable, Sendable {
    /// The step's number, from 1 on.
    public let number: Int
    /// What it is for; a person reads it.
    public let name: String
    /// Whether data is gone afterwards. A sealed copy of the database is kept before such a step, for 30 days: see
    /// ``ProtectedDatabase/restoreCopy(beforeStep:)`` and ``ProtectedDatabase/removeCopy(beforeStep:)``.
    public let losesData: Bool
    /// What it runs, in this order.
    public let statements: [SQL]

    /// A step that runs `statements`.
    ///
    /// - Parameters:
    ///   - number: Its place, from 1 on.
    ///   - name: What it is for.
    ///   - losesData: Whether data is gone afterwards. Where it is not said, a step with `DELETE`, `DROP TABLE` or
    ///     `ALTER TABLE … DROP` counts as one: say `false` where another table has what goes.
    ///   - statements: What it runs, in this order.
    public init(_ number: Int, _ name: String, losesData: Bool? = nil, _ statements: SQL...) {
        self.number = number
        self.name = name
        self.losesData = losesData ?? statements.contains { StatementShape($0.text).dropsData }
        self.statements = statements
    }

    /// SHA-256 over the statements and their values.
    var digest: [UInt8] {
        StorageDatabase.digest(statements.map { "\($0.text)\u{0}\($0.values)" }.joined(separator: "\u{0}\u{0}"))
    }
}

/// What the table of steps in a file says: decided here, without the file.
struct MigrationState: Equatable, Sendable {
    /// The steps that ran.
    var done: [Int: [UInt8]] = [:]

    init(done: [Int: [UInt8]] = [:]) { self.done = done }

    /// Reads the rows of the table.
    init(rows: [[SQLValue]]) throws(ProtectedDatabaseError) {
        for row in rows {
            guard row.count == 2, case .integer(let number) = row[0], case .blob(let digest) = row[1],
                let number = Int(exactly: number), number > 0, digest.count == 32, done[number] == nil
            else { throw .damaged(.content) }
            done[number] = digest
        }
    }

    /// The steps that have to run, in their order.
    func pending(_ steps: [DatabaseMigration]) throws(ProtectedDatabaseError) -> [DatabaseMigration] {
        guard steps.map(\.number) == Array(1..<steps.count + 1) else { throw .migration(.numbering) }
        if let newest = done.keys.max(), newest > steps.count { throw .newer(version: newest) }
        let last = done.keys.max() ?? 0
        for step in steps.prefix(last) {
            guard let digest = done[step.number] else { throw .migration(.missing(number: step.number)) }
            guard digest == step.digest else { throw .migration(.changed(number: step.number)) }
        }
        return Array(steps.dropFirst(last))
    }
}
