/// Makes what came from outside harmless for a terminal.
///
/// A server, a certificate or a file may hold control sequences that move the cursor, hide text or type commands.
package enum Printable {
    /// `text` with every control and direction character replaced by U+FFFD, on one line.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    /// `bytes` for a terminal: line ends and tabs stay, other control characters become U+FFFD. So does a return
    /// without a line feed: what comes behind it is written over what stands there.
    package static func body(_ bytes: [UInt8]) -> [UInt8] {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        let shown = scalars.indices.map { index -> Unicode.Scalar in
            let isEnd = scalars[index] == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            let isLayout = scalars[index] == "\n" || scalars[index] == "\t" || isEnd
            return isHarmful(scalars[index]) && !isLayout ? "\u{FFFD}" : scalars[index]
        }
        return Array(String(String.UnicodeScalarView(shown)).utf8)
    }

    /// The text of JSON for a terminal or a program, of the same value: control and direction characters, which stand
    /// in texts alone, become escapes. Line feeds stay.
    package static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) && $0 != "\n" }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            guard isHarmful(scalar), scalar != "\n" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
