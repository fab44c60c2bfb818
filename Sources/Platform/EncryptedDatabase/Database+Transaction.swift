/// How a transaction begins.
package enum TransactionKind: Sendable {
    /// Reads see one moment of the database. A write inside may fail as busy.
    case read
    /// The write lock is taken at once, so that nothing changes between a read and the write that follows from it.
    case immediate
}

/// The statements of one transaction. It cannot leave the body it is lent to.
package struct Transaction: ~Copyable {
    private let connection: SQLiteConnection
    private let epoch: Int

    fileprivate init(_ connection: SQLiteConnection) {
        self.connection = connection
        epoch = connection.epoch
    }

    // After a lock the connection may have been opened again: the rest of this transaction must not run without its
    // begin.
    private var open: SQLiteConnection {
        get throws(DatabaseFailure) {
            guard connection.epoch == epoch else { throw .locked }
            return connection
        }
    }

    /// Runs a statement. See ``Database/run(_:_:)-(StaticString,_)``.
    @discardableResult
    package borrowing func run(_ sql: StaticString, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> Int {
        _ = try open.rows(sql, values)
        return connection.changes
    }

    /// Runs a composed statement.
    @discardableResult
    package borrowing func run(_ sql: SQLText, _ values: [DatabaseValue] = []) throws(DatabaseFailure) -> Int {
        _ = try open.rows(sql, values)
        return connection.changes
    }

    /// Runs a question and gives all rows of the answer.
    package borrowing func rows(
        _ sql: StaticString, _ values: [DatabaseValue] = []
    ) throws(DatabaseFailure) -> [StatementRow] {
        try open.rows(sql, values)
    }

    /// Runs a composed question and gives all rows of the answer.
    package borrowing func rows(
        _ sql: SQLText, _ values: [DatabaseValue] = []
    ) throws(DatabaseFailure) -> [StatementRow] {
        try open.rows(sql, values)
    }

    /// The key of the row inserted last.
    package var lastInsertedRow: Int64 { connection.lastInsertedRow }
}

extension Database {
    /// Runs `body` as one step: all of its writes are on the disk when this returns, or, when anything throws, none.
    ///
    /// - Parameter body: Uses the transaction it is lent. Its error is passed on after everything is taken back.
    /// - Throws: ``DatabaseFailure``, or what `body` throws.
    @discardableResult
    package func transaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: (borrowing Transaction) throws -> Result
    ) throws -> Result {
        try use { connection in
            connection.transactions += 1
            defer { connection.transactions -= 1 }
            _ = try connection.rows(kind == .read ? "BEGIN" : "BEGIN IMMEDIATE", [])
            connection.hasBegun = true
            defer { connection.hasBegun = false }
            do {
                let result = try body(Transaction(connection))
                _ = try connection.rows("COMMIT", [])
                return result
            } catch {
                // Some failures (a full disk) have already rolled back.
                if connection.isInTransaction { _ = try? connection.rows("ROLLBACK", []) }
                throw error
            }
        }
    }
}
