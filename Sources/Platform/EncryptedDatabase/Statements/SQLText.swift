/// SQL for a statement whose shape depends on the question, such as a search with optional conditions.
///
/// It is composed of pieces that stand in the source and of placeholders, and of nothing else: no value, name or text
/// from outside can become SQL.
///
/// ```swift
/// var sql = SQLText("SELECT data FROM item WHERE class = ?")
/// if account != nil { sql.append(" AND account = ?") }
/// ```
package struct SQLText: Hashable, Sendable {
    private(set) var text: String

    /// Starts with a piece of the source.
    package init(_ piece: StaticString) { text = piece.description }

    /// Takes a text that was composed of pieces of a source by somebody else's rules: those of the Kit's statements, or
    /// a statement that a person typed to see their own data. Never a text with a value in it.
    package init(composed text: String) { self.text = text }

    /// Adds a piece of the source.
    package mutating func append(_ piece: StaticString) { text += piece.description }

    /// Adds another composed text.
    package mutating func append(_ other: SQLText) { text += other.text }

    /// Adds `count` placeholders with commas between them: `?, ?, ?`.
    package mutating func append(placeholders count: Int) {
        text += repeatElement("?", count: count).joined(separator: ", ")
    }

    /// The two, one after the other.
    package static func + (left: SQLText, right: StaticString) -> SQLText {
        var sum = left
        sum.append(right)
        return sum
    }
}
