/// Makes what a folder of anybody's holds harmless for a terminal: names of files, keys, reasons of suppressions.
///
/// Control sequences could move the cursor, hide a finding or fill the clipboard, and a line end could begin a line
/// that looks like one of the report's own (CWE-150, CWE-117).
package enum Printable {
    /// `text` with every control and direction character replaced by U+FFFD, on one line.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
