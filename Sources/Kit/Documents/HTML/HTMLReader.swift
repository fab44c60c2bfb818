/// Reads HTML once from its beginning to its end, and writes what it understands: it follows the tokenizer of HTML
/// (13.2.5) as far as a reader needs it, and builds no tree. Each byte is looked at a fixed number of times.
///
/// A mistake here can lose layout. It cannot make an element: ``PageWriter`` has none that could do harm.
struct HTMLReader {
    private let bytes: [UInt8]
    private let end: Int
    private var at = 0
    private var attributes = Attributes()
    private var dropped: (name: TagName, depth: Int)?
    /// Whether the file ends in a tag, a comment or raw text: all that stood behind its beginning is in it.
    private var isCut = false
    private var openLinks: [Range<Int>?] = []
    private let picture: (String) -> [UInt8]?
    /// The names of the pictures that came along and that the document names.
    private(set) var namedPictures: Set<String> = []

    private struct Attributes {
        var href: Range<Int>?
        var src: Range<Int>?
        var alt: Range<Int>?
        var colspan = 1
        var rowspan = 1
        var equivalent: Range<Int>?
        var remote = 0
        var handlers = 0
        var styles = 0
        /// `<svg/>`: a slash stands before the end, and in no value.
        var endsItself = false
    }

    /// - Parameter picture: Gives the bytes of a picture that came along, by its `cid:` (RFC 2392).
    init(_ bytes: [UInt8], picture: @escaping (String) -> [UInt8]? = { _ in nil }) {
        self.bytes = bytes
        end = bytes.count
        self.picture = picture
    }

    mutating func write(to writer: inout PageWriter) {
        while at < end {
            guard !writer.isFull else { return writer.omit(.rest) }
            let start = at
            while at < end, bytes[at] != 0x3C { at += 1 }
            if at > start, dropped == nil { text(start..<at, &writer) }
            writer.steps += at - start
            guard at < end else { break }
            let place = at
            markup(&writer)
            writer.steps += at - place
        }
        if isCut || dropped != nil { writer.omit(.rest) }
        while !openLinks.isEmpty { endLink(&writer) }
    }

    private mutating func markup(_ writer: inout PageWriter) {
        guard at + 1 < end else {
            at = end
            if dropped == nil { writer.append(0x3C) }
            return
        }
        switch bytes[at + 1] {
        case 0x61...0x7A, 0x41...0x5A: startTag(&writer)
        case 0x2F where at + 2 < end && isLetter(bytes[at + 2]): endTag(&writer)
        case 0x21 where has("<!--", at): comment()
        case 0x21, 0x2F, 0x3F:
            if has("<?xml-stylesheet", at) { writer.omit(.style) }
            skip(past: 0x3E)
        default:
            at += 1
            if dropped == nil { writer.append(0x3C) }
        }
    }

    // HTML, 13.2.5.43: “<!-->” and “<!--->” are whole comments.
    private mutating func comment() {
        at += 4
        if has(">", at) { return at += 1 }
        if has("->", at) { return at += 2 }
        var dashes = 0
        while at < end {
            let byte = bytes[at]
            at += 1
            if byte == 0x2D {
                dashes += 1
            } else if byte == 0x3E, dashes >= 2 {
                return
            } else if byte == 0x21, dashes >= 2, has(">", at) {
                at += 1
                return
            } else {
                dashes = 0
            }
        }
        isCut = true
    }

    // MARK: Tags

    private mutating func startTag(_ writer: inout PageWriter) {
        at += 1
        let name = readName()
        guard readAttributes() else { return isCut = true }
        if let waited = dropped?.name {
            // In a drawing each element may end itself.
            if attributes.endsItself, Self.drawings.contains(waited) { return }
            if waited == name { dropped?.depth += 1 }
            // Raw text may hold what looks like the end.
            if case .raw? = TagRule.all[name] { skipRaw(name, &writer) }
            return
        }
        if attributes.handlers > 0 { writer.omit(.handler, attributes.handlers) }
        if attributes.styles > 0 { writer.omit(.style, attributes.styles) }
        if attributes.remote > 0 { writer.omit(.remoteContent, attributes.remote) }
        guard let rule = TagRule.all[name] else { return }
        switch rule {
        case .element(let element):
            writer.open(element, colspan: attributes.colspan, rowspan: attributes.rowspan)
        case .lineBreak: writer.lineBreak()
        case .line: writer.rule()
        case .picture: showPicture(&writer)
        case .link: openLink(&writer)
        case .open(let kind): if let kind { writer.omit(kind) }
        case .raw(let kind):
            if let kind, name != Self.style || !isOwnStyle { writer.omit(kind) }
            skipRaw(name, &writer)
        case .tree(let kind):
            writer.omit(kind)
            // The slash counts for elements that are none of HTML (13.2.6.5).
            if !attributes.endsItself || !Self.drawings.contains(name) { dropped = (name, 1) }
        case .void(let kind): writer.omit(kind)
        case .meta:
            if let value = attributes.equivalent, lowercased(value) == "refresh" { writer.omit(.refresh) }
        case .option: break
        }
    }

    private mutating func endTag(_ writer: inout PageWriter) {
        at += 2
        let name = readName()
        guard readAttributes() else { return isCut = true }
        if let (waited, depth) = dropped {
            guard waited == name else { return }
            dropped = depth > 1 ? (waited, depth - 1) : nil
            return
        }
        switch TagRule.all[name] {
        case .element(let element): writer.close(element)
        case .link: endLink(&writer)
        case .lineBreak: writer.lineBreak()
        default: break
        }
    }

    private mutating func readName() -> TagName {
        var name = TagName()
        while at < end, !isSpace(bytes[at]), bytes[at] != 0x2F, bytes[at] != 0x3E {
            name.append(bytes[at])
            at += 1
        }
        return name
    }

    /// Reads up to behind the `>`.
    ///
    /// - Returns: Whether there was one; a tag that the end of the file cuts is none.
    private mutating func readAttributes() -> Bool {
        attributes = Attributes()
        while at < end {
            var isSlash = false
            while at < end, isSpace(bytes[at]) || bytes[at] == 0x2F {
                isSlash = bytes[at] == 0x2F
                at += 1
            }
            guard at < end else { return false }
            if bytes[at] == 0x3E {
                attributes.endsItself = isSlash
                at += 1
                return true
            }
            var name = TagName()
            // An equals sign at the beginning belongs to the name (13.2.5.32).
            repeat {
                name.append(bytes[at])
                at += 1
            } while at < end && !isSpace(bytes[at]) && ![0x2F, 0x3E, 0x3D].contains(bytes[at])
            while at < end, isSpace(bytes[at]) { at += 1 }
            var value = at..<at
            if at < end, bytes[at] == 0x3D {
                at += 1
                while at < end, isSpace(bytes[at]) { at += 1 }
                guard at < end else { return false }
                value = readValue()
            }
            take(name, value)
        }
        return false
    }

    private mutating func readValue() -> Range<Int> {
        let quote = bytes[at]
        if quote == 0x22 || quote == 0x27 {
            at += 1
            let start = at
            while at < end, bytes[at] != quote { at += 1 }
            let value = start..<at
            if at < end { at += 1 }
            return value
        }
        let start = at
        while at < end, !isSpace(bytes[at]), bytes[at] != 0x3E { at += 1 }
        return start..<at
    }

    private static let href = TagName("href"), src = TagName("src"), alt = TagName("alt")
    private static let colspan = TagName("colspan"), rowspan = TagName("rowspan"), equivalent = TagName("http-equiv")
    private static let style = TagName("style")
    private static let drawings: Set = [TagName("svg"), TagName("math")]
    private static let remote: Set = [
        TagName("srcset"), TagName("background"), TagName("poster"), TagName("data"), TagName("ping"),
        TagName("lowsrc"),
        TagName("dynsrc"), TagName("imagesrcset"), TagName("xlink:href"),
    ]

    // The first of a name counts.
    private mutating func take(_ name: TagName, _ value: Range<Int>) {
        switch name {
        case Self.href: if attributes.href == nil { attributes.href = value }
        case Self.src: if attributes.src == nil { attributes.src = value }
        case Self.alt: if attributes.alt == nil { attributes.alt = value }
        case Self.colspan: attributes.colspan = number(value)
        case Self.rowspan: attributes.rowspan = number(value)
        case Self.equivalent: if attributes.equivalent == nil { attributes.equivalent = value }
        case Self.style: attributes.styles += 1
        case _ where name.isHandler: attributes.handlers += 1
        case _ where Self.remote.contains(name): attributes.remote += 1
        default: break
        }
    }

    // MARK: What is left out

    private mutating func skipRaw(_ name: TagName, _ writer: inout PageWriter) {
        let start = at
        defer { writer.steps += at - start }
        while at < end {
            guard bytes[at] == 0x3C, has("</", at) else {
                at += 1
                continue
            }
            var place = at + 2
            var found = TagName()
            while place < end, found.count <= 16, !isSpace(bytes[place]), bytes[place] != 0x2F, bytes[place] != 0x3E {
                found.append(bytes[place])
                place += 1
            }
            guard found == name else {
                at += 2
                continue
            }
            at = place
            _ = readAttributes()
            return
        }
        isCut = true
    }

    // The sheet of a page that is read again is not left out: each page has it.
    private var isOwnStyle: Bool { bytes[at...].starts(with: Self.ownStyle) }
    private static let ownStyle = Array("\(DocumentPage.style)</style>".utf8)

    private mutating func skip(past byte: UInt8) {
        while at < end, bytes[at] != byte { at += 1 }
        if at < end { at += 1 } else { isCut = true }
    }

    // MARK: Links and pictures

    private mutating func openLink(_ writer: inout PageWriter) {
        // A link in a link ends the one before.
        while !openLinks.isEmpty { endLink(&writer) }
        openLinks.append(attributes.href)
        writer.open(.span, .link)
    }

    private mutating func endLink(_ writer: inout PageWriter) {
        guard let last = openLinks.popLast() else { return }
        writer.close(.span)
        if let last { writer.link(to: decoded(last)) }
    }

    private mutating func showPicture(_ writer: inout PageWriter) {
        guard let source = attributes.src else { return writer.omit(.remoteContent) }
        let alt = attributes.alt.map { String(decoding: decoded($0.prefix(400)), as: UTF8.self) } ?? ""
        let lower = lowercased(source.prefix(5))
        if lower.hasPrefix("cid:") {
            let name = String(decoding: decoded(source.prefix(260)).dropFirst(4), as: UTF8.self)
            namedPictures.insert(name)
            guard let bytes = picture(name) else { return writer.omit(.unknownPicture) }
            return writer.picture(bytes[...], alt: alt)
        }
        guard lower == "data:" else { return writer.omit(.remoteContent) }
        let start = source.lowerBound
        guard let comma = bytes[start..<min(start + 200, source.upperBound)].firstIndex(of: 0x2C),
            let found = PictureCoding.decode(bytes[(comma + 1)..<source.upperBound], limit: writer.limits.picture)
        else { return writer.omit(.unknownPicture) }
        writer.steps += source.count
        writer.picture(found[...], alt: alt)
    }

    // MARK: Text

    private mutating func text(_ range: Range<Int>, _ writer: inout PageWriter) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == 0x26, let (scalar, next) = CharacterReferences.read(bytes, at: place, end: range.upperBound) {
                writer.append(UTF8Text.fromLatin(scalar))
                place = next
            } else if byte < 0x80 {
                writer.append(UInt32(byte))
                place += 1
            } else {
                let (scalar, next) = UTF8Text.scalar(bytes, place, range.upperBound)
                writer.append(scalar)
                place = next
            }
        }
    }

    /// The value of an attribute without references, and without what browsers skip in addresses.
    private func decoded(_ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        var place = range.lowerBound
        while place < range.upperBound, result.count < 4096 {
            if bytes[place] == 0x26,
                let (scalar, next) = CharacterReferences.read(
                    bytes, at: place, end: range.upperBound, isAttribute: true)
            {
                UTF8Text.append(UTF8Text.fromLatin(scalar), to: &result)
                place = next
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    private func number(_ range: Range<Int>) -> Int {
        Int(String(decoding: bytes[range.prefix(6)], as: UTF8.self)) ?? 1
    }

    private func lowercased(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.prefix(32)], as: UTF8.self).lowercased()
    }

    private func has(_ text: StaticString, _ place: Int) -> Bool {
        let wanted = text.description.utf8
        return place + wanted.count <= end && bytes[place..<place + wanted.count].elementsEqual(wanted)
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B) }
}
