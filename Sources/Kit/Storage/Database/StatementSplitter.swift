/// Cuts what a person typed into statements, at each semicolon that stands in no text, comment, parenthesis or trigger.
package struct StatementSplitter: Sendable {
    private var pending = ""

    package init() {}

    /// Takes more of the text, and gives the statements that are whole.
    package mutating func take(_ text: String) -> [String] {
        pending += text
        let (whole, rest) = StatementShape.statements(in: pending)
        pending = rest
        return whole
    }

    /// What was typed and not ended with a semicolon: a statement of its own; `nil` where nothing is.
    package mutating func finish() -> String? {
        defer { pending = "" }
        return StatementShape.isBlank(pending) ? nil : pending
    }

    /// Whether a statement has begun.
    package var isInside: Bool { !StatementShape.isBlank(pending) }
}
