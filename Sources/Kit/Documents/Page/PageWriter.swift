/// Writes a page from the closed alphabet: ``PageElement``, a few attributes, and text in which everything but letters,
/// digits and ` .,:;-` is a numeric reference. Whatever its caller has misunderstood, what it writes has no other
/// element and no other attribute. Beside it grows a text for a terminal.
package struct PageWriter {
    package private(set) var html: [UInt8] = []
    private(set) var plain: [UInt8] = []
    package private(set) var omissions = DocumentOmissions()
    package private(set) var links: [DocumentLink] = []
    /// How many bytes and elements were looked at: the work, without a clock.
    package var steps = 0
    let limits: DocumentLimits
    private var stack: [PageElement] = []
    private var counts = [Int](repeating: 0, count: PageElement.allCases.count)
    /// Which elements are open, a bit for each.
    private var openBits: UInt64 = 0
    private let forms = PageElement.forms
    private var beyond = 0
    private var pictureBytes = 0
    private var repeatedBytes = 0
    private var wantsSpace = false
    private var lineEnds = 2
    private var items: [Int] = []

    package init(_ limits: DocumentLimits) { self.limits = limits }

    /// Whether no more is taken.
    var isFull: Bool { html.count >= limits.page }

    mutating func omit(_ kind: DocumentOmission, _ count: Int = 1) { omissions.add(kind, count) }

    // MARK: Elements

    mutating func open(_ element: PageElement, _ kind: PageClass? = nil, colspan: Int = 1, rowspan: Int = 1) {
        guard !isFull else { return }
        let form = forms[Int(element.rawValue)]
        if form.ended & openBits != 0 { endImplied(form.ended, form.within) }
        guard stack.count < limits.depth else {
            if beyond == 0 { omit(.tooDeep) }
            beyond += 1
            return
        }
        steps += 1
        if element.isBlock, element != .td, element != .th { breakLine() }
        stack.append(element)
        counts[Int(element.rawValue)] += 1
        openBits |= element.bit
        html += form.start
        if let kind { append(" class=\"\(kind.rawValue)\"") }
        if colspan > 1, colspan <= 1000 { append(" colspan=\"\(colspan)\"") }
        if rowspan > 1, rowspan <= 1000 { append(" rowspan=\"\(rowspan)\"") }
        html.append(0x3E)
        openPlain(element)
    }

    /// Ends the innermost one of this kind, and what is open in it; nothing where none is open.
    mutating func close(_ element: PageElement) {
        steps += 1
        if beyond > 0 {
            beyond -= 1
            return
        }
        guard isOpen(element) else { return }
        while let last = stack.last {
            end()
            if last == element { return }
        }
    }

    func isOpen(_ element: PageElement) -> Bool { openBits & element.bit != 0 }

    /// Ends everything that is open.
    mutating func closeAll() {
        beyond = 0
        while !stack.isEmpty { end() }
    }

    // MARK: Repetitions

    /// Where the content of an element begins.
    struct ContentStart: Sendable {
        fileprivate var html = 0
        fileprivate var plain = 0
        fileprivate var depth = 0

        init() {}
    }

    /// Here, right behind the start of an element.
    var contentStart: ContentStart {
        var start = ContentStart()
        (start.html, start.plain, start.depth) = (html.count, plain.count, stack.count)
        return start
    }

    /// Whether something can be read at the beginning of what was written since.
    func hasText(since start: ContentStart) -> Bool {
        plain.dropFirst(start.plain).prefix(65_536).contains { $0 != 0x20 && $0 != 0x7C && $0 != 0x0A }
    }

    /// Writes a cell or row that was just ended more times, as a document says that keeps equal ones once. At most
    /// 1,000 times and, of all of a document, 4 MiB; more are told.
    mutating func again(_ element: PageElement, from start: ContentStart, times: Int) {
        let form = forms[Int(element.rawValue)]
        // What is nested too deeply, or ended something else, has not its form.
        guard times > 0, stack.count == start.depth - 1, html.suffix(form.end.count).elementsEqual(form.end) else {
            return
        }
        let size = form.start.count + 1 + (html.count - start.html) + (plain.count - start.plain)
        let most = min(times, 1_000, (Self.mostRepeated - repeatedBytes) / size)
        if most < times { omit(.rest) }
        guard most > 0 else { return }
        repeatedBytes += most * size
        steps += most * size
        let content = Array(html.dropFirst(start.html))
        let text = Array(plain.dropFirst(start.plain))
        for _ in 0..<most {
            guard !isFull else { return }
            html += form.start
            html.append(0x3E)
            html += content
            plain += text
        }
    }

    private static let mostRepeated = 4 << 20

    private mutating func endImplied(_ ended: UInt64, _ within: UInt64) {
        // As far as to the element that shields it: at most the depth.
        var place = stack.endIndex
        var lowest: Int?
        while place > 0 {
            place -= 1
            steps += 1
            let bit = stack[place].bit
            if within & bit != 0 { break }
            if ended & bit != 0 { lowest = place }
        }
        guard let lowest else { return }
        while stack.count > lowest { end() }
    }

    private mutating func end() {
        guard let element = stack.popLast() else { return }
        steps += 1
        counts[Int(element.rawValue)] -= 1
        if counts[Int(element.rawValue)] == 0 { openBits &= ~element.bit }
        html += forms[Int(element.rawValue)].end
        switch element {
        case .ul, .ol: _ = items.popLast()
        case .td, .th:
            plain += [0x20, 0x7C, 0x20]
            lineEnds = 0
            wantsSpace = false
            return
        default: break
        }
        if element.isBlock { breakLine() }
    }

    /// A line end inside a paragraph.
    mutating func lineBreak() {
        append("<br>")
        breakLine()
    }

    /// A line across.
    mutating func rule() {
        if isOpen(.p) { close(.p) }
        append("<hr>")
        breakLine()
        plain += Array("--------\n".utf8)
        lineEnds = 1
    }

    // MARK: Text

    mutating func text(_ text: String) { for scalar in text.unicodeScalars { append(scalar.value) } }

    /// One character; spaces are joined outside of `pre`.
    mutating func append(_ scalar: UInt32) {
        guard !isFull else { return }
        steps += 1
        switch scalar {
        case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
            guard isOpen(.pre) else {
                wantsSpace = true
                return
            }
            guard scalar != 0x0D else { return }
            if scalar == 0x0A {
                append("&#10;")
                plain.append(10)
                lineEnds = 1
            } else {
                append(" ")
                plain.append(0x20)
                lineEnds = 0
            }
        case _ where Self.isControl(scalar): omit(.controlCharacter)
        default:
            if wantsSpace { space() }
            encode(scalar)
            lineEnds = 0
            UTF8Text.append(scalar, to: &plain)
        }
    }

    /// Control and direction characters, what takes no room, and what is no character.
    private static func isControl(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE0FFF, 0xD800...0xDFFF, 0x110000...:
            true
        default: false
        }
    }

    private mutating func space() {
        wantsSpace = false
        html.append(0x20)
        if lineEnds == 0 { plain.append(0x20) }
    }

    private mutating func encode(_ scalar: UInt32) {
        switch scalar {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2C, 0x3A, 0x3B, 0x2D: html.append(UInt8(scalar))
        default:
            html.append(0x26)
            html.append(0x23)
            var divisor: UInt32 = 1
            while scalar / divisor >= 10 { divisor *= 10 }
            while divisor > 0 {
                html.append(0x30 + UInt8(scalar / divisor % 10))
                divisor /= 10
            }
            html.append(0x3B)
        }
    }

    // MARK: Links and pictures

    /// Writes the number of a link behind its text.
    mutating func link(to address: some Sequence<UInt8>) {
        guard let address = DocumentLink.address(address) else {
            omit(.otherLink)
            return
        }
        guard links.count < limits.links else { return omit(.rest) }
        let number = links.count + 1
        links.append(DocumentLink(number: number, address: address))
        open(.sup, .link)
        text("[\(number)]")
        close(.sup)
    }

    /// Writes a picture that the document holds. Its own bytes say what it is.
    mutating func picture(_ bytes: ArraySlice<UInt8>, alt: String = "") {
        guard let picture = Picture(bytes) else { return omit(.unknownPicture) }
        guard bytes.count <= limits.picture, pictureBytes + bytes.count <= limits.pictures,
            picture.width > 0, picture.height > 0, picture.width <= limits.pixels / picture.height
        else { return omit(.largePicture) }
        guard !isFull else { return }
        pictureBytes += bytes.count
        steps += bytes.count
        append("<img alt=\"")
        for scalar in alt.unicodeScalars.prefix(200) { appendToName(scalar.value) }
        append("\" src=\"data:\(picture.kind.type);base64,")
        PictureCoding.append(bytes, to: &html)
        append("\">")
        plain += Array("[picture]".utf8)
        lineEnds = 0
    }

    /// A character of a picture's name: a screen reader reads it, and a reader that shows no pictures shows it.
    private mutating func appendToName(_ scalar: UInt32) {
        switch scalar {
        case 0x20, 0x09, 0x0A, 0x0D, 0x0C: html.append(0x20)
        case _ where Self.isControl(scalar): omit(.controlCharacter)
        default: encode(scalar)
        }
    }

    // MARK: The plain text

    private mutating func openPlain(_ element: PageElement) {
        switch element {
        case .ul: items.append(-1)
        case .ol: items.append(0)
        case .li:
            for _ in 1..<min(max(items.count, 1), 8) { plain += [0x20, 0x20] }
            if let last = items.last, last >= 0 {
                items[items.count - 1] = last + 1
                plain += Array("\(last + 1). ".utf8)
            } else {
                plain += [0x2D, 0x20]
            }
        case .h1, .h2, .h3, .h4, .h5, .h6: plain += Array("# ".utf8)
        default: break
        }
    }

    private mutating func breakLine() {
        // A cell is one line.
        wantsSpace = openBits & (PageElement.td.bit | PageElement.th.bit) != 0
        guard lineEnds == 0, !wantsSpace else { return }
        plain.append(10)
        lineEnds = 1
    }

    private mutating func append(_ text: String) { html += text.utf8 }
}
