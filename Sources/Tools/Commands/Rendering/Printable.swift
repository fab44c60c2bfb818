/// Makes what came from outside harmless for a terminal.
///
/// A server, a certificate or a file may hold control sequences that move the cursor, hide text or type commands.
package enum Printable {
    /// `text` with every control and direction character replaced by U+FFFD, on one line.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    /// `bytes` for a terminal: line ends and tabs stay, other control characters become U+FFFD.
    package static func body(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isLayout = scalar == "\n" || scalar == "\t" || scalar == "\r"
            return isHarmful(scalar) && !isLayout ? "\u{FFFD}" : scalar
        }
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
