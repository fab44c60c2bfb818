public import PaviseProtectedStorage

/// One row of an answer.
public struct DatabaseRow: Hashable, Sendable {
    /// The names of the columns, in the order of the statement.
    public let columns: [String]
    /// The values, in the same order.
    public let values: [SQLValue]

    init(_ columns: [String], _ values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value in `column`.
    ///
    /// ```swift
    /// let awake: Int? = try row.value("awake")
    /// ```
    /// - Throws: `ProtectedDatabaseError.column(_:)` when there is no such column or its value is of another type;
    ///   `NULL` is only of an optional type.
    public func value<Value: SQLConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(ProtectedDatabaseError) -> Value {
        guard let index = columns.firstIndex(of: column), let value = Value(sqlValue: values[index]) else {
            throw .column(column)
        }
        return value
    }

    /// The value in the column at `index`, from 0 on.
    public func value<Value: SQLConvertible>(
        at index: Int, as type: Value.Type = Value.self
    ) throws(ProtectedDatabaseError) -> Value {
        guard values.indices.contains(index), let value = Value(sqlValue: values[index]) else {
            throw .column(columns.indices.contains(index) ? columns[index] : "\(index)")
        }
        return value
    }

    /// The row as a value of a type of yours: each property is the column of its coding key.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(ProtectedDatabaseError) -> Value {
        do {
            return try Value(from: RowDecoder(row: self))
        } catch let error as ProtectedDatabaseError {
            throw error
        } catch let error as DecodingError {
            throw .column(error.columnName)
        } catch {
            throw .column("\(type)")
        }
    }
}

extension DecodingError {
    // Without the description, which may repeat the value.
    fileprivate var columnName: String {
        switch self {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last?.stringValue ?? "?"
        @unknown default: "?"
        }
    }
}
