/// The texts that are open at a place of a source, and in which of their interpolations the place is.
struct OpenTexts {
    private struct Text {
        /// Number signs before the opening quote.
        let signs: Int
        let isOfLines: Bool
        /// Round brackets that are open in the interpolation; `nil` in the text itself.
        var brackets: Int?
    }
    private var open: [Text] = []

    var depth: Int { open.count }
    var isInText: Bool { open.last.map { $0.brackets == nil } ?? false }

    /// Reads one sign, comment or opening quote of code, and says where the next begins.
    mutating func code(_ span: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        switch span[index] {
        case UInt8(ascii: "("): if let brackets = open.last?.brackets { open[open.count - 1].brackets = brackets + 1 }
        case UInt8(ascii: ")"):
            if let brackets = open.last?.brackets { open[open.count - 1].brackets = brackets > 0 ? brackets - 1 : nil }
        case UInt8(ascii: "/"): return Self.comment(span, index) ?? index + 1
        case UInt8(ascii: "#"), UInt8(ascii: "\""):
            let signs = Self.count(UInt8(ascii: "#"), span, index)
            let quotes = Self.count(UInt8(ascii: "\""), span, index + signs)
            index += signs
            guard quotes > 0 else { return index }
            // Two quotes are a text without content.
            if quotes == 2 { return index + 2 }
            open.append(Text(signs: signs, isOfLines: quotes > 2))
            return index + (quotes > 2 ? 3 : 1)
        default: break
        }
        return index + 1
    }

    /// Reads one sign, escape or closing quote of a text, and says where the next begins.
    mutating func text(_ span: Span<UInt8>, _ start: Int) -> Int {
        guard let text = open.last else { return start + 1 }
        switch span[start] {
        case UInt8(ascii: "\\"):
            let signs = Self.count(UInt8(ascii: "#"), span, start + 1)
            let after = start + 1 + text.signs
            guard signs >= text.signs, after < span.count else { return start + 1 }
            if span[after] == UInt8(ascii: "(") { open[open.count - 1].brackets = 0 }
            // The end of a line ends a text of one line after a backslash too.
            return span[after] == 10 || span[after] == 13 ? after : after + 1
        case UInt8(ascii: "\""):
            let quotes = text.isOfLines ? 3 : 1
            guard Self.count(UInt8(ascii: "\""), span, start) >= quotes,
                Self.count(UInt8(ascii: "#"), span, start + quotes) >= text.signs
            else { return start + 1 }
            open.removeLast()
            return start + quotes + text.signs
        case 10, 13: if !text.isOfLines { open.removeLast() }
        default: break
        }
        return start + 1
    }

    /// The end of the comment that begins at `start`, if one does.
    private static func comment(_ span: Span<UInt8>, _ start: Int) -> Int? {
        var index = start + 1
        guard index < span.count else { return nil }
        if span[index] == UInt8(ascii: "/") {
            while index < span.count, span[index] != 10, span[index] != 13 { index += 1 }
            return index
        }
        guard span[index] == UInt8(ascii: "*") else { return nil }
        var depth = 1
        index += 1
        while depth > 0, index + 1 < span.count {
            switch (span[index], span[index + 1]) {
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): (depth, index) = (depth - 1, index + 2)
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): (depth, index) = (depth + 1, index + 2)
            default: index += 1
            }
        }
        return depth > 0 ? span.count : index
    }

    private static func count(_ byte: UInt8, _ span: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < span.count, span[index] == byte { index += 1 }
        return index - start
    }
}
