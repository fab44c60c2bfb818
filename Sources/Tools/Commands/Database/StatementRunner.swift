internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// Runs statements that a person typed, each as one step.
struct StatementRunner {
    let database: ProtectedDatabase
    let isWriting: Bool
    let mayTouchAll: Bool

    /// What a statement answered, as a table and as an object.
    func report(of statement: String) throws -> Report {
        let answer =
            if isWriting {
                try database.write { try $0.answer(typed: statement, mayTouchAll: mayTouchAll) }
            } else {
                try database.read { try $0.answer(typed: statement, mayTouchAll: false) }
            }
        let rows = answer.rows.map { row in JSONValue.array(row.map(\.json)) }
        var report = Report(
            data: .fields([
                "columns": .array(answer.columns.map { .string($0) }), "rows": .array(rows),
                "changes": .integer(isWriting ? answer.changes : 0),
            ]))
        guard !answer.columns.isEmpty else {
            report.add(.success("Done; \(answer.changes.counting("row")) changed."))
            return report
        }
        let table = [answer.columns.map { Printable.text($0) }] + answer.rows.map { $0.map(\.words) }
        report.add(answer.rows.isEmpty ? .line("No rows.") : .table(table))
        return report
    }
}

extension SQLValue {
    /// For a table that a person reads.
    var words: String {
        switch self {
        case .null: ""
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): Printable.text(text)
        case .blob(let bytes): "x'\(Hex.encode(bytes))'"
        }
    }

    /// For a program. Bytes are an object with their digits, so that they are told from text.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        // JSON has no infinity.
        case .real(let number): number.isFinite ? .number("\(number)") : .string("\(number)")
        case .text(let text): .string(text)
        case .blob(let bytes): .fields(["hex": .string(Hex.encode(bytes))])
        }
    }

    /// As a literal of SQL (sqlite.org/lang_expr.html).
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number) where number.isInfinite: number < 0 ? "-9e999" : "9e999"
        case .real(let number): "\(number)"
        // A text with U+0000 cannot stand in one literal.
        case .text(let text) where text.utf8.contains(0): "CAST(x'\(Hex.encode(Array(text.utf8)))' AS TEXT)"
        case .text(let text): Self.quoted(text, "'")
        case .blob(let bytes): "x'\(Hex.encode(bytes))'"
        }
    }

    /// `text` between two of `mark`, and each one inside of it twice. SQLite looks for the mark alone: a mark that a
    /// combining letter follows is another character here, and ends the text there.
    static func quoted(_ text: String, _ mark: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView([mark])
        for scalar in text.unicodeScalars {
            if scalar == mark { scalars.append(mark) }
            scalars.append(scalar)
        }
        scalars.append(mark)
        return String(scalars)
    }
}
