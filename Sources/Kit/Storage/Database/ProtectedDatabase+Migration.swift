internal import PaviseProtectedStorage

extension ProtectedDatabase {
    /// Runs the steps that have not run yet, each in a transaction of its own.
    func migrate(_ steps: [DatabaseMigration]) throws(ProtectedDatabaseError) {
        // A file of a later program is refused before anything of it is changed.
        let pending = try state().pending(steps)
        // A database that was made just now has nothing to lose.
        let isNew = try isEmpty
        for step in pending {
            if step.losesData, !isNew {
                try writer.keepCopy(Self.copy(before: step.number)) { () throws(ProtectedDatabaseError) in
                    try state().pending(steps).first == step
                }
            }
            do {
                try run(step, of: steps)
            } catch let error as ProtectedDatabaseError {
                throw error
            } catch {
                throw .storage(.crypto)
            }
        }
    }

    /// Whether it has no table of an app's.
    var isEmpty: Bool {
        get throws(ProtectedDatabaseError) {
            try writer.answer("SELECT 1 FROM sqlite_schema WHERE name NOT GLOB 'pavise_*'", []).rows.isEmpty
        }
    }

    private func run(_ step: DatabaseMigration, of steps: [DatabaseMigration]) throws {
        _ = try writer.transaction(.write) {
            // Another process may have been faster.
            guard try state().pending(steps).first == step else { return }
            _ = try writer.answer(Self.table, [])
            for statement in step.statements {
                let shape = StatementShape(statement.text)
                guard !shape.isSeveral else { throw ProtectedDatabaseError.severalStatements }
                // The step is one transaction: a COMMIT inside would leave half of it.
                guard !shape.isTransaction else { throw DatabaseAccess.ownTransaction }
                _ = try writer.answer(statement.text, statement.values)
                try MigrationPoint.statementRan.reached()
            }
            _ = try writer.answer(
                "INSERT INTO pavise_migration(number, name, digest) VALUES (?, ?, ?)",
                [.integer(Int64(step.number)), .text(step.name), .blob(step.digest)])
            try MigrationPoint.recorded.reached()
        }
    }

    /// The steps that ran, as the file says.
    private func state() throws(ProtectedDatabaseError) -> MigrationState {
        let known = try writer.answer("SELECT 1 FROM sqlite_schema WHERE name = 'pavise_migration'", [])
        guard !known.rows.isEmpty else { return MigrationState() }
        return try MigrationState(rows: writer.answer("SELECT number, digest FROM pavise_migration", []).rows)
    }

    private static let table = """
        CREATE TABLE IF NOT EXISTS pavise_migration(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL)
        """

}

/// A point of a step that must survive a crash after it. A test stops the work there.
package enum MigrationPoint: Hashable, Sendable {
    /// One more statement of the step ran.
    case statementRan
    /// The step is noted; nothing is on the disk yet.
    case recorded

    /// Whether a test lets the work go on after a point; `false` stops it as a crash does.
    @TaskLocal package static var observer: (@Sendable (MigrationPoint) -> Bool)?

    func reached() throws(ProtectedDatabaseError) {
        guard Self.observer?(self) ?? true else { throw .busy }
    }
}
