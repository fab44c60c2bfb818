/// A value that a statement takes or a row gives: SQLite's five storage classes (sqlite.org/datatype3.html).
public enum SQLValue: Hashable, Sendable {
    /// No value.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating-point number.
    case real(Double)
    /// Text in UTF-8. It may hold any character, U+0000 included.
    case text(String)
    /// Bytes as they are.
    case blob([UInt8])
}

/// What a statement answered.
package struct SQLResult: Hashable, Sendable {
    /// The names of the columns, in their order.
    package let columns: [String]
    /// The rows.
    package let rows: [[SQLValue]]
    /// How many rows were inserted, changed or deleted.
    package let changes: Int
}

/// How a transaction begins.
package enum StorageTransactionKind: Sendable {
    /// Sees one moment of the database.
    case read
    /// Takes the write lock at once.
    case write
}

/// What a look at every page of a database found. Pages count from 1.
public struct DatabaseReport: Hashable, Sendable {
    /// How many pages of 4,096 bytes the database has.
    public let pages: Int
    /// Pages that were altered; at most 1,000 are named.
    public let damaged: [Int]
    /// Pages that somebody put back: authentic, and not the newest of their number. At most 1,000 are named.
    public let older: [Int]
    /// Whether older pages could be told at all. On Apple's systems they cannot.
    public let isTracked: Bool
    /// Whether the list that older pages are told by is gone, altered or itself of an older moment.
    public let isListLost: Bool

    package init(pages: Int, damaged: [Int], older: [Int], isTracked: Bool, isListLost: Bool) {
        self.pages = pages
        self.damaged = damaged
        self.older = older
        self.isTracked = isTracked
        self.isListLost = isListLost
    }

    /// Whether everything is as it was written last.
    public var isIntact: Bool { damaged.isEmpty && older.isEmpty && !isListLost }
}
