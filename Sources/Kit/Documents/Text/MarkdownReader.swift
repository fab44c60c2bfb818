/// Markdown as most texts use it (CommonMark): headings, paragraphs, lists, quotations, code, rules, emphasis and
/// links. Raw HTML in it is text. Each line is read once, each character a fixed number of times.
struct MarkdownReader {
    private let bytes: [UInt8]
    private var isFenced = false
    private var list: PageElement?
    private var isBold = false
    private var isItalic = false

    init(_ bytes: [UInt8]) { self.bytes = UTF8Text.normalized(bytes) }

    mutating func write(to writer: inout PageWriter) {
        var start = 0
        while start < bytes.count {
            guard !writer.isFull else { return writer.omit(.rest) }
            var end = start
            while end < bytes.count, bytes[end] != 10 { end += 1 }
            line(bytes[start..<end], &writer)
            start = end + 1
        }
        writer.closeAll()
    }

    private mutating func line(_ line: ArraySlice<UInt8>, _ writer: inout PageWriter) {
        var line = line
        if line.last == 13 { line.removeLast() }
        let text = line.drop { $0 == 0x20 || $0 == 0x09 }
        if text.starts(with: [0x60, 0x60, 0x60]) || text.starts(with: [0x7E, 0x7E, 0x7E]) {
            endParagraph(&writer)
            endList(&writer)
            if isFenced { writer.close(.pre) } else { writer.open(.pre) }
            isFenced.toggle()
            return
        }
        guard !isFenced else {
            PlainReader.append(line, to: &writer)
            return writer.append(10)
        }
        guard !text.isEmpty else {
            endParagraph(&writer)
            writer.close(.blockquote)
            return
        }
        let isIndented = line.startIndex != text.startIndex
        if let level = heading(text) {
            endParagraph(&writer)
            endList(&writer)
            let element = [PageElement.h1, .h2, .h3, .h4, .h5, .h6][level - 1]
            writer.open(element)
            inline(text.dropFirst(level).drop { $0 == 0x20 }, &writer)
            return writer.close(element)
        }
        if text.count >= 3, let first = text.first, [0x2D, 0x2A, 0x5F].contains(first),
            text.allSatisfy({ $0 == first || $0 == 0x20 })
        {
            endParagraph(&writer)
            endList(&writer)
            return writer.rule()
        }
        if text.first == 0x3E {
            endParagraph(&writer)
            endList(&writer)
            if !writer.isOpen(.blockquote) { writer.open(.blockquote, .quoted) }
            writer.open(.p)
            inline(text.dropFirst().drop { $0 == 0x20 }, &writer)
            return writer.close(.p)
        }
        if let (element, rest) = item(text) {
            endParagraph(&writer)
            if list != element {
                endList(&writer)
                list = element
                writer.open(element)
            }
            writer.open(.li)
            return inline(rest, &writer)
        }
        if list != nil, isIndented {
            writer.append(0x20)
            return inline(text, &writer)
        }
        endList(&writer)
        if writer.isOpen(.p) { writer.append(0x20) } else { writer.open(.p) }
        inline(text, &writer)
    }

    private func heading(_ text: ArraySlice<UInt8>) -> Int? {
        let level = text.prefix(7).prefix { $0 == 0x23 }.count
        guard (1...6).contains(level), text.dropFirst(level).first ?? 0x20 == 0x20 else { return nil }
        return level
    }

    private func item(_ text: ArraySlice<UInt8>) -> (PageElement, ArraySlice<UInt8>)? {
        guard let first = text.first else { return nil }
        if [0x2D, 0x2A, 0x2B].contains(first), text.dropFirst().first == 0x20 { return (.ul, text.dropFirst(2)) }
        let digits = text.prefix(9).prefix { (0x30...0x39).contains($0) }.count
        guard digits > 0, let dot = text.dropFirst(digits).first, dot == 0x2E || dot == 0x29,
            text.dropFirst(digits + 1).first == 0x20
        else { return nil }
        return (.ol, text.dropFirst(digits + 2))
    }

    private mutating func endParagraph(_ writer: inout PageWriter) {
        if isItalic { writer.close(.em) }
        if isBold { writer.close(.strong) }
        (isBold, isItalic) = (false, false)
        writer.close(.p)
    }

    private mutating func endList(_ writer: inout PageWriter) {
        guard let list else { return }
        writer.close(list)
        self.list = nil
    }

    // What opens and never ends is ended with the paragraph.
    private mutating func inline(_ text: ArraySlice<UInt8>, _ writer: inout PageWriter) {
        var at = text.startIndex
        var isCode = false
        var ends = LinkEnds(text)
        defer { writer.steps += ends.steps }
        let (lastStar, lastTick) = (text.lastIndex(of: 0x2A) ?? at, text.lastIndex(of: 0x60) ?? at)
        while at < text.endIndex {
            let byte = text[at]
            let next = at + 1 < text.endIndex ? text[at + 1] : 0
            switch byte {
            case 0x5C where Self.isPunctuation(next) && !isCode:
                writer.append(UInt32(next))
                at += 2
                continue
            case 0x60 where isCode || at < lastTick:
                if isCode { writer.close(.code) } else { writer.open(.code) }
                isCode.toggle()
            case 0x2A where !isCode:
                let after = at + (next == 0x2A ? 2 : 1)
                // CommonMark 6.2: a sign between blanks is text. One alone has to end in its line, or it is text, too.
                let isMark =
                    (next == 0x2A ? isBold : isItalic)
                    ? at > text.startIndex && text[at - 1] > 0x20
                    : after < text.endIndex && text[after] > 0x20 && (next == 0x2A || after < lastStar)
                guard isMark else {
                    for _ in at..<after { writer.append(0x2A) }
                    at = after
                    continue
                }
                if next == 0x2A {
                    if isBold { writer.close(.strong) } else { writer.open(.strong) }
                    isBold.toggle()
                    at += 1
                } else {
                    if isItalic { writer.close(.em) } else { writer.open(.em) }
                    isItalic.toggle()
                }
            case 0x21 where next == 0x5B && !isCode:
                if let link = link(text, at + 1, &ends) {
                    writer.omit(.remoteContent)
                    PlainReader.append(link.text, to: &writer)
                    at = link.end
                    continue
                }
                writer.append(0x21)
            case 0x5B where !isCode:
                if let link = link(text, at, &ends) {
                    writer.open(.span, .link)
                    PlainReader.append(link.text, to: &writer)
                    writer.close(.span)
                    writer.link(to: link.address)
                    at = link.end
                    continue
                }
                writer.append(0x5B)
            case 0..<0x80: writer.append(UInt32(byte))
            default:
                let piece = Array(text[at..<min(at + 4, text.endIndex)])
                let (scalar, count) = UTF8Text.scalar(piece, 0, piece.count)
                writer.append(scalar)
                at += count
                continue
            }
            at += 1
        }
        if isCode { writer.close(.code) }
    }

    // CommonMark 2.4: before anything else a backslash is one.
    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    // [text](address): both are looked for within 2,048 bytes.
    private func link(
        _ text: ArraySlice<UInt8>, _ at: Int, _ ends: inout LinkEnds
    ) -> (text: ArraySlice<UInt8>, address: ArraySlice<UInt8>, end: Int)? {
        let close = ends.bracket(from: at)
        guard close < at + 2048, close + 1 < text.endIndex, text[close + 1] == 0x28 else { return nil }
        let end = ends.parenthesis(from: close + 2)
        guard end < close + 2050, end < text.endIndex else { return nil }
        return (text[(at + 1)..<close], text[(close + 2)..<end].prefix { $0 != 0x20 }, end + 1)
    }
}

/// Where the signs of a line stand that may end a link. They are asked for from left to right, so that each byte is
/// looked at once for each sign, however many brackets are open.
private struct LinkEnds {
    private let text: ArraySlice<UInt8>
    private var nextBracket = -1
    private var nextParenthesis = -1
    /// How many bytes were looked at.
    private(set) var steps = 0

    init(_ text: ArraySlice<UInt8>) { self.text = text }

    /// The first `]` from `place` on; the end of the text where there is none.
    mutating func bracket(from place: Int) -> Int {
        if nextBracket < place { nextBracket = first(0x5D, place) }
        return nextBracket
    }

    /// The first `)` from `place` on; the end of the text where there is none.
    mutating func parenthesis(from place: Int) -> Int {
        if nextParenthesis < place { nextParenthesis = first(0x29, place) }
        return nextParenthesis
    }

    private mutating func first(_ sign: UInt8, _ place: Int) -> Int {
        let found = text[place...].firstIndex(of: sign) ?? text.endIndex
        steps += found - place
        return found
    }
}
