internal import PavisePrimitives

/// Commands that `security -i` reads from standard input, one on a line: the way of scripts to keep a password out of
/// the list of processes.
enum SecurityLine {
    /// The longest input that is taken, in bytes.
    static let limit = 1 << 20

    /// The words of a line. Blanks part them; quotes of both kinds and a backslash keep them together.
    static func words(_ line: some StringProtocol) throws(SecurityFailure) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for letter in line {
            switch letter {
            case _ where isEscaped:
                word = (word ?? "") + String(letter)
                isEscaped = false
            case "\\" where quote != "'":
                isEscaped = true
            case _ where letter == quote:
                quote = nil
            case "\"" where quote == nil, "'" where quote == nil:
                quote = letter
                word = word ?? ""
            case _ where quote == nil && letter.isWhitespace:
                if let done = word { words.append(done) }
                word = nil
            default:
                word = (word ?? "") + String(letter)
            }
        }
        guard quote == nil, !isEscaped else { throw .usage("a quote or a backslash at the end of a line is open") }
        return words + (word.map { [$0] } ?? [])
    }

    /// All of standard input; `nil` when it cannot be read, is no text, or is too long.
    @Sendable static func standardInput() -> String? {
        // One more than is taken, so that a longer one is noticed, and one without an end read no further.
        guard let input = try? Terminal.readSecretInput(limit: limit + 1), input.count <= limit else { return nil }
        return input.withCopy { bytes in String(validating: bytes, as: UTF8.self) }
    }
}
