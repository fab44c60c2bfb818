/// Finds the semicolons that end statements, byte by byte: one that stands in no text, comment, parenthesis or trigger.
/// A trigger has semicolons inside: it ends with an `END` of its own between two of them, and not with that of a `CASE`
/// (sqlite3_complete's rule).
///
/// Each byte is looked at once, however many pieces a statement comes in.
struct StatementEnds: Sendable {
    /// What a byte ends.
    enum Ended: Hashable, Sendable {
        case statement
        /// A statement of spaces and comments alone.
        case blank
    }

    private enum Mode: Equatable {
        case plain
        case word
        case quoted(until: UInt8)
        case dash
        case slash
        case lineComment
        case blockComment
        case star
    }

    private enum Token: Equatable {
        case word(String)
        case other
    }

    private var mode = Mode.plain
    private var depth = 0
    private var word: [UInt8] = []
    // The first words, and what stands behind the last semicolon.
    private var words: [String] = []
    private var part: [Token] = []
    /// Whether anything but spaces and comments came since the last end.
    private(set) var hasBegun = false

    // Longer than every word that is looked for.
    private static let longestWord = 16

    /// Takes the next byte; `nil` where it ends nothing.
    mutating func take(_ byte: UInt8) -> Ended? {
        switch mode {
        case .plain: return takePlain(byte)
        case .word:
            guard !Self.isLetter(byte) else {
                if word.count < Self.longestWord { word.append(byte) }
                return nil
            }
            endWord()
            return takePlain(byte)
        case .quoted(let end):
            // A doubled quote ends one text and begins the next: the same for us.
            if byte == end { mode = .plain }
        case .dash:
            guard byte != UInt8(ascii: "-") else { return enter(.lineComment) }
            note(.other)
            return takePlain(byte)
        case .slash:
            guard byte != UInt8(ascii: "*") else { return enter(.blockComment) }
            note(.other)
            return takePlain(byte)
        case .lineComment: if byte == 0x0a { mode = .plain }
        case .blockComment: if byte == UInt8(ascii: "*") { mode = .star }
        case .star:
            if byte == UInt8(ascii: "/") { return enter(.plain) }
            if byte != UInt8(ascii: "*") { mode = .blockComment }
        }
        return nil
    }

    /// Whether something has begun that no semicolon has ended yet.
    var isInside: Bool { hasBegun || mode == .word || mode == .dash || mode == .slash }

    private mutating func takePlain(_ byte: UInt8) -> Ended? {
        mode = .plain
        switch byte {
        case 0x20, 0x09...0x0d: break
        case UInt8(ascii: "-"): mode = .dash
        case UInt8(ascii: "/"): mode = .slash
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            note(.other)
            mode = .quoted(until: byte)
        case UInt8(ascii: "["):
            note(.other)
            mode = .quoted(until: UInt8(ascii: "]"))
        case UInt8(ascii: "("):
            depth += 1
            note(.other)
        case UInt8(ascii: ")"):
            depth -= 1
            note(.other)
        case UInt8(ascii: ";"): return takeSemicolon()
        default:
            guard Self.isLetter(byte) else {
                note(.other)
                return nil
            }
            word = [byte]
            mode = .word
        }
        return nil
    }

    private mutating func enter(_ next: Mode) -> Ended? {
        mode = next
        return nil
    }

    private mutating func endWord() {
        let text = String(decoding: word, as: UTF8.self).uppercased()
        if words.count < 3 { words.append(text) }
        note(.word(text))
    }

    private mutating func note(_ token: Token) {
        hasBegun = true
        if part.count < 2 { part.append(token) }
    }

    private mutating func takeSemicolon() -> Ended? {
        guard depth <= 0, !isTrigger || part == [.word("END")] else {
            part = []
            return nil
        }
        let ended = hasBegun ? Ended.statement : .blank
        self = StatementEnds()
        return ended
    }

    // A table may be called trigger.
    private var isTrigger: Bool {
        guard words.first == "CREATE" else { return false }
        return words.dropFirst().first { $0 != "TEMP" && $0 != "TEMPORARY" } == "TRIGGER"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
            || byte == 0x5f || byte == 0x24 || byte >= 0x80
    }
}
