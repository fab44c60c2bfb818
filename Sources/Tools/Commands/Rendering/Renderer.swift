internal import PavisePrimitives

/// Prints reports, as text for people or as JSON for programs.
struct Renderer: Sendable {
    let asJSON: Bool
    let usesColour: Bool

    /// The report's text, with a line end at its end.
    func render(_ report: Report) -> String {
        guard !asJSON else { return Printable.json(report.data.prettyText) + "\n" }
        return report.parts.map { text($0) + "\n" }.joined()
    }

    private func text(_ part: Report.Part) -> String {
        switch part {
        case .line(let words): Printable.text(words)
        case .heading(let words): styled(Printable.text(words), "1")
        case .success(let words): styled(Printable.text(words), "32")
        case .failure(let words): styled(Printable.text(words), "31")
        case .fact(let fact):
            "  " + padded(fact.title + ":", 16) + " " + (fact.words.map(Printable.text) ?? Self.words(fact.value))
        case .table(let rows): table(rows)
        }
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Printable.text(text)
        case .array(let elements): elements.map(words).joined(separator: ", ")
        case .bool(let value): value ? "yes" : "no"
        default: Printable.text(value.text)
        }
    }

    private func table(_ rows: [[String]]) -> String {
        let cells = rows.map { $0.map(Printable.text) }
        let count = cells.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        let lines = cells.map { row in
            row.enumerated().map { $0.offset == row.count - 1 ? $0.element : padded($0.element, widths[$0.offset]) }
                .joined(separator: "  ")
        }
        guard let head = lines.first else { return "" }
        return ([styled(head, "1")] + lines.dropFirst()).joined(separator: "\n")
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func styled(_ text: String, _ code: String) -> String {
        usesColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
