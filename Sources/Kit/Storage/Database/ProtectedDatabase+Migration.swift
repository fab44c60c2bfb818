internal import PaviseProtectedStorage

extension ProtectedDatabase {
    /// Runs the steps that have not run yet, each in a transaction of its own.
    func migrate(_ steps: [DatabaseMigration]) throws(ProtectedDatabaseError) {
        // A file of a later program is refused before anything of it is changed.
        let pending = try state().pending(steps)
        for step in pending {
            if step.losesData { try writer.keepCopy("before-\(step.number)") }
            do {
                try run(step, of: steps)
            } catch let error as ProtectedDatabaseError {
                throw error
            } catch {
                throw .storage(.crypto)
            }
        }
    }

    private func run(_ step: DatabaseMigration, of steps: [DatabaseMigration]) throws {
        _ = try writer.transaction(.write) {
            // Another process may have been faster.
            guard try state().pending(steps).first == step else { return }
            _ = try writer.answer(Self.table, [])
            for statement in step.statements {
                guard !StatementShape(statement.text).isSeveral else { throw ProtectedDatabaseError.severalStatements }
                _ = try writer.answer(statement.text, statement.values)
            }
            _ = try writer.answer(
                "INSERT INTO pavise_migration(number, name, digest) VALUES (?, ?, ?)",
                [.integer(Int64(step.number)), .text(step.name), .blob(step.digest)])
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

    /// Whether the sealed copy that was kept before step `number` is there.
    public func hasCopy(beforeStep number: Int) -> Bool { writer.hasCopy("before-\(number)") }
}
