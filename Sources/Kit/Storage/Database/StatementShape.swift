/// What can be told of a statement from its text: whether it is one, and whether it would touch every row.
///
/// It reads tokens as SQLite does (sqlite.org/lang_expr.html, lang_comment.html): quoted texts and names, comments,
/// parentheses.
struct StatementShape: Equatable, Sendable {
    /// Whether there is a second statement. One trigger is one, with the statements inside of it.
    let isSeveral: Bool
    /// Whether it is an `UPDATE` or `DELETE` without a `WHERE` of its own.
    private(set) var isUnconditional = false
    /// Whether it begins or ends a transaction: those of Pavise begin and end with their call.
    private(set) var isTransaction = false
    /// Whether rows or a column go with it: `DELETE`, `DROP TABLE`, `ALTER TABLE … DROP`.
    private(set) var dropsData = false

    init(_ text: String) {
        // The first word, and of those outside of parentheses the first verb and whether there is a condition.
        var first: String?
        var verb: String?
        var hasCondition = false
        var second: String?
        var dropsColumn = false
        var depth = 0
        var scanner = Scanner(bytes: Array(text.utf8))
        while let lexeme = scanner.next() {
            switch lexeme {
            case .open: depth += 1
            case .close: depth -= 1
            case .word(let word):
                let word = word.uppercased()
                if first != nil, second == nil { second = word }
                if first == nil { first = word }
                guard depth == 0 else { break }
                if verb == nil, Self.verbs.contains(word) { verb = word }
                if word == "WHERE" { hasCondition = true }
                if verb == "ALTER", word == "DROP" { dropsColumn = true }
            case .semicolon, .other: break
            }
        }
        isSeveral = Self.count(in: text) > 1
        isTransaction = first.map(Self.transactionWords.contains) ?? false
        dropsData = verb == "DELETE" || (first == "DROP" && second == "TABLE") || dropsColumn
        isUnconditional = (verb == "UPDATE" || verb == "DELETE") && !hasCondition
    }

    private static let verbs: Set = [
        "UPDATE", "DELETE", "INSERT", "SELECT", "REPLACE", "VALUES", "CREATE", "DROP", "ALTER",
    ]
    private static let transactionWords: Set = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"]

    private static func count(in text: String) -> Int {
        var ends = StatementEnds()
        var count = 0
        for byte in text.utf8 where ends.take(byte) == .statement { count += 1 }
        return count + (ends.isInside ? 1 : 0)
    }

    private enum Token: Equatable {
        case word(String)
        case open
        case close
        case semicolon
        case other
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        mutating func next() -> Token? {
            skipSpace()
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(byte)
            case UInt8(ascii: "["): return quoted(UInt8(ascii: "]"))
            case UInt8(ascii: "("): return single(.open)
            case UInt8(ascii: ")"): return single(.close)
            case UInt8(ascii: ";"): return single(.semicolon)
            default: return Self.isLetter(byte) ? word() : single(.other)
            }
        }

        private mutating func single(_ lexeme: Token) -> Token {
            index += 1
            return lexeme
        }

        private mutating func quoted(_ end: UInt8) -> Token {
            index += 1
            // A doubled quote ends one text and begins the next: the same for us.
            while index < bytes.count, bytes[index] != end { index += 1 }
            index += 1
            return .other
        }

        private mutating func word() -> Token {
            let start = index
            while index < bytes.count, Self.isLetter(bytes[index]) { index += 1 }
            return .word(String(decoding: bytes[start..<index], as: UTF8.self))
        }

        private mutating func skipSpace() {
            while index < bytes.count {
                if starts(UInt8(ascii: "-"), UInt8(ascii: "-")) {
                    while index < bytes.count, bytes[index] != 0x0a { index += 1 }
                } else if starts(UInt8(ascii: "/"), UInt8(ascii: "*")) {
                    index += 2
                    while index < bytes.count, !starts(UInt8(ascii: "*"), UInt8(ascii: "/")) { index += 1 }
                    index += 2
                } else if bytes[index] == 0x20 || (0x09...0x0d).contains(bytes[index]) {
                    index += 1
                } else {
                    return
                }
            }
        }

        private func starts(_ first: UInt8, _ second: UInt8) -> Bool {
            index + 1 < bytes.count && bytes[index] == first && bytes[index + 1] == second
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
                || byte == 0x5f || byte == 0x24 || byte >= 0x80
        }
    }
}
