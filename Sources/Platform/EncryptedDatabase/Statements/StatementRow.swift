/// One row of an answer. Columns count from 0, in the order of the statement.
package struct StatementRow: Hashable, Sendable {
    /// The columns' values.
    package let values: [DatabaseValue]

    /// The value of `column`; a column that the statement does not have is a mistake of the program and traps.
    package subscript(column: Int) -> DatabaseValue { values[column] }

    /// The integer in `column`, or `nil` when the column holds anything else.
    package func integer(_ column: Int) -> Int64? {
        guard case .integer(let value) = values[column] else { return nil }
        return value
    }

    /// The number in `column`, or `nil` when the column holds anything else.
    package func real(_ column: Int) -> Double? {
        guard case .real(let value) = values[column] else { return nil }
        return value
    }

    /// The text in `column`, or `nil` when the column holds anything else.
    package func text(_ column: Int) -> String? {
        guard case .text(let value) = values[column] else { return nil }
        return value
    }

    /// The bytes in `column`, or `nil` when the column holds anything else.
    package func blob(_ column: Int) -> [UInt8]? {
        guard case .blob(let value) = values[column] else { return nil }
        return value
    }

    /// Whether `column` has no value.
    package func isNull(_ column: Int) -> Bool { values[column] == .null }
}

/// What a statement answered.
package struct StatementResult: Hashable, Sendable {
    /// The names of the columns, in their order.
    package let columns: [String]
    /// The rows.
    package let rows: [StatementRow]
    /// How many rows were inserted, changed or deleted.
    package let changes: Int
}
