/// Cuts what a person typed into statements, at each semicolon that stands in no text, comment, parenthesis or trigger.
package struct StatementSplitter: Sendable {
    private var pending: [UInt8] = []
    private var ends = StatementEnds()

    package init() {}

    /// Takes more of the text, and gives the statements that are whole.
    package mutating func take(_ text: String) -> [String] {
        var whole: [String] = []
        for byte in text.utf8 {
            pending.append(byte)
            guard let ended = ends.take(byte) else { continue }
            if ended == .statement { whole.append(String(decoding: pending, as: UTF8.self)) }
            pending = []
        }
        return whole
    }

    /// What was typed and not ended with a semicolon: a statement of its own; `nil` where nothing is.
    package mutating func finish() -> String? {
        defer { self = StatementSplitter() }
        return isInside ? String(decoding: pending, as: UTF8.self) : nil
    }

    /// Whether a statement has begun.
    package var isInside: Bool { ends.isInside }
}
