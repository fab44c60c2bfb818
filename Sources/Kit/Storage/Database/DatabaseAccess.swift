public import PaviseProtectedStorage

/// The statements of one transaction. It cannot leave the body that it is lent to.
///
/// A read sees one moment of the database from its first statement to its last; a write is done whole or not at all.
public struct DatabaseAccess: ~Copyable {
    let connection: StorageDatabase
    let isWriter: Bool

    init(_ connection: StorageDatabase, isWriter: Bool) {
        self.connection = connection
        self.isWriter = isWriter
    }

    /// All rows that a question answers.
    public borrowing func rows(_ sql: SQL) throws(ProtectedDatabaseError) -> [DatabaseRow] {
        let answer = try answer(sql, mayTouchAll: false)
        return answer.rows.map { DatabaseRow(answer.columns, $0) }
    }

    /// All rows that a question answers, as values of a type of yours.
    public borrowing func rows<Value: Decodable>(
        _ sql: SQL, as type: Value.Type
    ) throws(ProtectedDatabaseError) -> [Value] {
        try rows(sql).map { row throws(ProtectedDatabaseError) in try row.decode(type) }
    }

    /// The first row that a question answers; `nil` when there is none.
    public borrowing func first(_ sql: SQL) throws(ProtectedDatabaseError) -> DatabaseRow? { try rows(sql).first }

    /// The value in the first column of the first row; `nil` when there is no row.
    public borrowing func value<Value: SQLConvertible>(
        _ sql: SQL, as type: Value.Type = Value.self
    ) throws(ProtectedDatabaseError) -> Value? {
        guard let row = try first(sql) else { return nil }
        return try row.value(at: 0)
    }

    /// Runs a statement.
    ///
    /// - Returns: How many rows it inserted, changed or deleted.
    /// - Throws: `ProtectedDatabaseError.unconditional` for an `UPDATE` or `DELETE` without a `WHERE`: see
    ///   ``runOnAllRows(_:)``.
    @discardableResult
    public borrowing func run(_ sql: SQL) throws(ProtectedDatabaseError) -> Int {
        try answer(sql, mayTouchAll: false).changes
    }

    /// Runs an `UPDATE` or `DELETE` that is meant for every row of its table.
    ///
    /// - Returns: How many rows it changed or deleted.
    @discardableResult
    public borrowing func runOnAllRows(_ sql: SQL) throws(ProtectedDatabaseError) -> Int {
        try answer(sql, mayTouchAll: true).changes
    }

    /// Inserts a value of a type of yours: each of its coding keys is a column.
    ///
    /// - Returns: The key of the new row.
    @discardableResult
    public borrowing func insert(
        _ row: some Encodable, into table: StaticString
    ) throws(ProtectedDatabaseError) -> Int64 {
        let columns = try RowEncoder.columns(of: row)
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = repeatElement("?", count: columns.count).joined(separator: ", ")
        let text = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
        _ = try answer(SQL(checked: text, columns.map(\.value)), mayTouchAll: false)
        return connection.lastInsertedRow
    }

    /// The key of the row that was inserted last.
    public var lastInsertedRow: Int64 { connection.lastInsertedRow }

    /// Runs `body` as a part that can be taken back alone: when it throws, what it did is undone, and the rest of the
    /// transaction may go on.
    @discardableResult
    public borrowing func savepoint<Result>(
        _ body: (borrowing DatabaseAccess) throws -> Result
    ) throws -> Result {
        _ = try connection.answer("SAVEPOINT part", [])
        do {
            let result = try body(DatabaseAccess(connection, isWriter: isWriter))
            _ = try connection.answer("RELEASE part", [])
            return result
        } catch {
            // After a lock there is nothing left to take back.
            _ = try? connection.answer("ROLLBACK TO part", [])
            _ = try? connection.answer("RELEASE part", [])
            throw error
        }
    }

    /// Makes a full-text index forget the words of rows that were deleted: SQLite keeps them until it merges by itself.
    public borrowing func eraseDeletedWords(inSearch table: StaticString) throws(ProtectedDatabaseError) {
        _ = try connection.answer("INSERT INTO \(table)(\(table)) VALUES ('optimize')", [])
    }

    /// Runs a statement that a person typed: its rows, and how many rows it changed.
    package borrowing func answer(
        typed text: String, mayTouchAll: Bool
    ) throws(ProtectedDatabaseError) -> (columns: [String], rows: [[SQLValue]], changes: Int) {
        let answer = try answer(SQL(typed: text), mayTouchAll: mayTouchAll)
        return (answer.columns, answer.rows, answer.changes)
    }

    static let ownTransaction = ProtectedDatabaseError.statement(
        message: "a transaction begins and ends with its call")

    private borrowing func answer(_ sql: SQL, mayTouchAll: Bool) throws(ProtectedDatabaseError) -> SQLResult {
        let shape = StatementShape(sql.text)
        guard !shape.isSeveral else { throw .severalStatements }
        guard !shape.isTransaction else { throw Self.ownTransaction }
        guard mayTouchAll || !shape.isUnconditional else { throw .unconditional }
        return try connection.answer(sql.text, sql.values)
    }
}
