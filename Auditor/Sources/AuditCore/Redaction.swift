internal import SwiftSyntax

/// A finding's text repeats no literal and no comment of the source: of a text it says the length, of a number nothing.
///
/// Neither first characters nor a digest: two characters are half of a four-digit code, and a digest of a short secret
/// is found by trying.
package enum Redaction {
    /// The line of `tree` with this number, written anew from its tokens.
    static func excerpt(_ tree: SourceFileSyntax, line: Int, _ table: LineTable) -> String {
        let last = tree.endPosition.utf8Offset
        let start = AbsolutePosition(utf8Offset: min(table.start(ofLine: line, end: last), last))
        let end = AbsolutePosition(utf8Offset: min(table.start(ofLine: line + 1, end: last), last))
        var token = tree.token(at: start)
        var result = ""
        while let current = token, result.utf8.count < 300 {
            let place = current.positionAfterSkippingLeadingTrivia
            if place >= end, end > start { break }
            if current.endPositionBeforeTrailingTrivia > start {
                if !current.leadingTrivia.isEmpty, !result.isEmpty, result.last != " " { result += " " }
                result += masked(current)
                if !current.trailingTrivia.isEmpty { result += " " }
            }
            token = current.nextToken(viewMode: .sourceAccurate)
        }
        return String(result.drop { $0 == " " }.prefix(300))
    }

    private static func masked(_ token: TokenSyntax) -> String {
        switch token.tokenKind {
        case .stringSegment(let text): text.isEmpty ? "" : "…(\(text.count))"
        case .integerLiteral, .floatLiteral: "…"
        case .regexLiteralPattern(let text): "…(\(text.count))"
        case .shebang: "#!…"
        default: token.text
        }
    }
}
