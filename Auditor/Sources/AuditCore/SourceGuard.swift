/// Refuses sources that cost the parser exponential or quadratic time, before it sees them.
///
/// A real file of a weight over 6,874 has not been met; 16,384 parse in about half a second. The worker's time limit is
/// the guarantee, this keeps it rare.
package enum SourceGuard {
    /// - Returns: The reason for a refusal, `nil` when the file may be parsed.
    package static func refusal(_ bytes: [UInt8]) -> String? {
        if bytes.count > FileKind.limit(".swift") { return "TOO-LARGE" }
        if weight(bytes, 0..<0) > 16_384, weight(bytes, nil) > 16_384 { return "BRACKETS" }
        var conditions = 0
        for place in ByteSearch.places(of: "#", in: bytes) {
            if opens(bytes, place + 1) { conditions += 1 }
            if follows("endif", bytes, place + 1) { conditions = max(0, conditions - 1) }
            if conditions > 500 { return "CONDITIONS" }
        }
        return nestsInterpolations(bytes) ? "INTERPOLATIONS" : nil
    }

    /// Over 500 texts, each in an interpolation of the one before: the parser copies what is open for each word of them,
    /// 3.5 GB in two seconds for 20,000.
    ///
    /// Looks at files with so many interpolations alone. A regular expression with a lone quote and a bracket misleads it:
    /// one costs nothing, hundreds of them have the file told as not analysed.
    private static func nestsInterpolations(_ bytes: [UInt8]) -> Bool {
        let limit = 500
        let opened = ByteSearch.places(of: "\\", in: bytes).count { place in
            place + 1 < bytes.count && (bytes[place + 1] == UInt8(ascii: "(") || bytes[place + 1] == UInt8(ascii: "#"))
        }
        guard opened > limit else { return false }
        var open = OpenTexts()
        let span = bytes.span
        var index = 0
        while index < span.count {
            index = open.isInText ? open.text(span, index) : open.code(span, index)
            if open.depth > limit { return true }
        }
        return false
    }

    /// The sum of 2^depth over all opening brackets; with `nil` without those in plain texts and comments of one line.
    private static func weight(_ bytes: [UInt8], _ everything: Range<Int>?) -> Int {
        var (depth, weight, index) = (0, 0, 0)
        let span = bytes.span
        while index < span.count {
            switch span[index] {
            case UInt8(ascii: "["):
                depth += 1
                weight += depth > 14 ? 16_385 : 1 << depth
                if weight > 16_384 { return weight }
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: "\"") where everything == nil: index = plainText(bytes, index) ?? index
            case UInt8(ascii: "/") where everything == nil && index + 1 < span.count && span[index + 1] == span[index]:
                while index + 1 < span.count, span[index + 1] != 10, span[index + 1] != 13 { index += 1 }
            default: break
            }
            index += 1
        }
        return weight
    }

    /// The closing quote of a text of one line that holds no interpolation; `nil` for any other. A source that misleads
    /// this costs time, which the worker's limit ends.
    private static func plainText(_ bytes: [UInt8], _ start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count, bytes[index] != 10, bytes[index] != 13 {
            if bytes[index] == UInt8(ascii: "\"") { return index }
            if bytes[index] == UInt8(ascii: "\\") {
                if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "(") { return nil }
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// `if`, and nothing that makes a longer word of it: `#if(A)` and `#if!A` are conditions too.
    private static func opens(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard follows("if", bytes, start) else { return false }
        guard start + 2 < bytes.count else { return true }
        let next = bytes[start + 2]
        return next != 95 && next &- 48 > 9 && (next | 32) &- 97 > 25 && next < 128
    }

    private static func follows(_ word: StaticString, _ bytes: [UInt8], _ start: Int) -> Bool {
        let text = word.description.utf8
        return start + text.count <= bytes.count && zip(text, bytes[start...]).allSatisfy { $0 == $1 }
    }
}
