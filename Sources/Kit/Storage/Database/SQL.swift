public import PaviseProtectedStorage

/// A statement: text that stands in the source, and values that are bound.
///
/// Write values into the text as if it were a string; each becomes a placeholder and is bound, whatever it holds. A
/// `String` from outside cannot become SQL: there is no initializer that takes one.
///
/// ```swift
/// let night: SQL = "SELECT * FROM night WHERE id = \(id) AND date > \(date)"
/// var search: SQL = "SELECT * FROM night WHERE 1"
/// if let since { search += " AND date >= \(since)" }
/// search += newestFirst ? " ORDER BY date DESC" : " ORDER BY date"
/// ```
///
/// Names of tables and columns are part of the source; where they vary, compose the statement of two that are written
/// out. Source: data-at-rest/DR14, OWASP “SQL Injection Prevention”, defence option 1.
public struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Literals arrive as static strings, which no program can make at run time.
    public typealias StringLiteralType = StaticString

    /// The text, with a `?` for each value.
    public private(set) var text: String
    /// The values, in their order.
    public private(set) var values: [SQLValue]

    /// A statement without values.
    public init(stringLiteral literal: StaticString) {
        text = literal.description
        values = []
    }

    /// A statement with values.
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

    init(checked text: String, _ values: [SQLValue]) {
        self.text = text
        self.values = values
    }

    /// A statement that a person typed, to look into their own data. Never a text with a value in it.
    package init(typed text: String) { self.init(checked: text, []) }

    /// The two, one after the other.
    public static func + (one: SQL, other: SQL) -> SQL {
        SQL(checked: one.text + other.text, one.values + other.values)
    }

    /// Adds a piece.
    public static func += (one: inout SQL, other: SQL) { one = one + other }

    /// The pieces with `separator` between them.
    public static func joined(_ pieces: [SQL], separator: SQL = ", ") -> SQL {
        guard var sum = pieces.first else { return "" }
        for piece in pieces.dropFirst() { sum += separator + piece }
        return sum
    }

    /// Collects the pieces of an interpolated statement.
    public struct Interpolation: StringInterpolationProtocol {
        /// Static strings, as for the whole.
        public typealias StringLiteralType = StaticString
        var sql = SQL(checked: "", [])

        /// Begins an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text of the source.
        public mutating func appendLiteral(_ literal: StaticString) { sql += SQL(stringLiteral: literal) }

        /// Binds a value.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            sql += SQL(checked: "?", [value.sqlValue])
        }

        /// Binds a value, or NULL.
        public mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
            sql += SQL(checked: "?", [value.sqlValue])
        }

        /// Binds each value of a list, for `IN (\(list))`. An empty list matches nothing.
        public mutating func appendInterpolation<Value: SQLConvertible>(_ list: [Value]) {
            let places = repeatElement("?", count: list.count).joined(separator: ", ")
            sql += SQL(checked: list.isEmpty ? "NULL" : places, list.map(\.sqlValue))
        }

        /// Adds another statement as a part of this one, with its values.
        public mutating func appendInterpolation(_ part: SQL) { sql += part }
    }
}
