/// A value that a statement takes or a row gives: SQLite's five storage classes.
package enum DatabaseValue: Hashable, Sendable {
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
