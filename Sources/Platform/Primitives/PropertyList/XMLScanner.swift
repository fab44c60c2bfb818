/// Moves over the tags and the text of an XML property list and counts lines.
struct XMLScanner {
    /// A start tag.
    struct Tag {
        let name: String
        /// Whether it is `<name/>`.
        let isEmpty: Bool
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var isAtTag: Bool { starts("<") }
    var isAtClose: Bool { starts("</") }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    func malformed(_ what: String) -> PropertyListFailure { .malformed(what, line: line) }

    /// Skips blanks, comments, processing instructions and the document type.
    mutating func skipMisc() throws(PropertyListFailure) {
        while !isAtEnd {
            if Self.isBlank(bytes[position]) {
                advance(1)
            } else if starts("<!--") {
                advance(4)
                try skip(past: "-->", of: "comment")
            } else if starts("<?") {
                try skip(past: "?>", of: "instruction")
            } else if starts("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    /// Reads `<name …>` or `<name …/>`; attributes are passed over.
    mutating func openTag() throws(PropertyListFailure) -> Tag {
        guard isAtTag, !isAtClose else { throw malformed("a tag is missing") }
        let start = line
        advance(1)
        let name = name()
        guard !name.isEmpty else { throw malformed("a tag has no name") }
        var quote: UInt8?
        while !isAtEnd {
            let byte = bytes[position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let isEmpty = bytes[position - 1] == UInt8(ascii: "/")
                advance(1)
                return Tag(name: name, isEmpty: isEmpty, line: start)
            } else if byte == UInt8(ascii: "<") {
                break
            }
            advance(1)
        }
        throw malformed("a tag does not end")
    }

    /// Reads `</name>`.
    mutating func closeTag(_ wanted: String) throws(PropertyListFailure) {
        guard isAtClose else { throw malformed("</\(wanted)> is missing") }
        advance(2)
        guard name() == wanted else { throw malformed("</\(wanted)> is missing") }
        while !isAtEnd, Self.isBlank(bytes[position]) { advance(1) }
        guard starts(">") else { throw malformed("a tag does not end") }
        advance(1)
    }

    /// The text up to the next tag, with references, comments and CDATA sections resolved.
    mutating func text() throws(PropertyListFailure) -> String {
        var out: [UInt8] = []
        while !isAtEnd {
            if starts("<![CDATA[") {
                advance(9)
                let start = position
                try skip(past: "]]>", of: "CDATA section")
                out += bytes[start..<position - 3]
            } else if starts("<!--") {
                advance(4)
                try skip(past: "-->", of: "comment")
            } else if isAtTag {
                break
            } else if starts("&") {
                out += try reference()
            } else {
                out.append(bytes[position])
                advance(1)
            }
        }
        guard let text = String(validating: out, as: UTF8.self) else { throw malformed("text is not UTF-8") }
        return text
    }

    private mutating func reference() throws(PropertyListFailure) -> [UInt8] {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw malformed("“&” begins no reference")
        }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        advance(end + 1 - position)
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard name.hasPrefix("#"), digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let number = UInt32(digits, radix: isHex ? 16 : 10), number != 0, let scalar = Unicode.Scalar(number)
        else { throw .unsupported("the reference “&\(name.prefix(10));”", line: line) }
        return Array(String(scalar).utf8)
    }

    // An internal subset can declare entities: refused.
    private mutating func skipDocumentType() throws(PropertyListFailure) {
        while !isAtEnd, !starts(">") {
            guard !starts("[") else { throw .unsupported("a document type with declarations", line: line) }
            advance(1)
        }
        guard !isAtEnd else { throw malformed("the document type does not end") }
        advance(1)
    }

    private mutating func skip(past mark: String, of what: String) throws(PropertyListFailure) {
        while !isAtEnd {
            if starts(mark) {
                advance(mark.utf8.count)
                return
            }
            advance(1)
        }
        throw malformed("a \(what) does not end")
    }

    private mutating func name() -> String {
        let start = position
        while !isAtEnd, Self.isNameByte(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    private func starts(_ mark: String) -> Bool {
        var index = position
        for byte in mark.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == 0x0A { line += 1 }
            position += 1
        }
    }
}
