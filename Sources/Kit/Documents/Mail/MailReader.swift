/// An e-mail (RFC 5322, RFC 2045 to 2047): who, to whom, about what and when; then its texts, of several forms of one
/// the plain text; pictures in it; and the names of what is attached, which is not opened.
struct MailReader {
    private struct Part {
        var fields: [(name: String, value: String)] = []
        var body: ArraySlice<UInt8>

        func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    }
    private static let depth = 8
    private let limits: DocumentLimits
    private var parts = 0
    private var texts: [(isHTML: Bool, bytes: [UInt8])] = []
    // Second forms of texts that are shown.
    private var alternatives = 0
    private var pictures: [String: [UInt8]] = [:]
    private var attached: [String] = []

    init(_ limits: DocumentLimits) { self.limits = limits }

    /// Whether it begins as an e-mail does.
    static func fits(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(8192), as: UTF8.self).lowercased()
        let names = ["from:", "to:", "subject:", "date:", "received:", "mime-version:", "return-path:", "message-id:"]
        // RFC 5322 §2.3 has lines end with CR LF, which is one character.
        let lines = head.split(maxSplits: 60, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let found = lines.prefix { !$0.allSatisfy(\.isWhitespace) }.count { line in
            names.contains { line.hasPrefix($0) }
        }
        return found >= 2
    }

    mutating func write(_ bytes: [UInt8], to writer: inout PageWriter) {
        let mail = Self.split(bytes[...])
        writer.open(.table, .head)
        for name in ["from", "to", "cc", "subject", "date"] {
            let value = mail.field(name)
            guard !value.isEmpty else { continue }
            writer.open(.tr)
            writer.open(.th)
            writer.text(name)
            writer.close(.th)
            writer.open(.td)
            writer.text(Self.words(value))
            writer.close(.td)
            writer.close(.tr)
        }
        writer.close(.table)
        read(mail, 0, &writer)
        writer.omit(.alternative, alternatives)
        var named: Set<String> = []
        for text in texts {
            if text.isHTML {
                var reader = HTMLReader(UTF8Text.normalized(text.bytes)) { [pictures] in pictures[$0] }
                reader.write(to: &writer)
                writer.closeAll()
                named.formUnion(reader.namedPictures)
            } else {
                PlainReader.write(text.bytes, to: &writer)
            }
        }
        for (name, bytes) in pictures.sorted(by: { $0.key < $1.key }) where !named.contains(name) {
            attached.append("\(name), \(bytes.count)")
        }
        for name in attached {
            writer.omit(.attachment)
            writer.open(.p, .omitted)
            writer.text("[\(name)]")
            writer.close(.p)
        }
    }

    private mutating func read(_ part: Part, _ level: Int, _ writer: inout PageWriter) {
        parts += 1
        guard level < Self.depth, parts <= 256 else { return writer.omit(.tooDeep) }
        let type = part.field("content-type").isEmpty ? "text/plain" : part.field("content-type")
        let kind = type.prefix { $0 != ";" }.trimmed.lowercased()
        if kind.hasPrefix("multipart/"), let boundary = Self.parameter("boundary", of: type), !boundary.isEmpty {
            let first = texts.count
            for piece in Self.pieces(part.body, boundary, &writer) { read(Self.split(piece), level + 1, &writer) }
            if kind == "multipart/alternative" { choose(from: first) }
            return
        }
        let content = decoded(part)
        let isAttached = part.field("content-disposition").lowercased().hasPrefix("attachment")
        if kind.hasPrefix("image/"), !isAttached, let content {
            let id = part.field("content-id").trimmed.filter { $0 != "<" && $0 != ">" }
            if Picture(content[...]) != nil, !id.isEmpty, pictures[id] == nil { return pictures[id] = content }
        }
        guard kind == "text/plain" || kind == "text/html", !isAttached, let content else {
            let name =
                Self.parameter("filename", of: part.field("content-disposition")) ?? Self.parameter("name", of: type)
            attached.append("\(Self.words(name ?? kind)), \(content?.count ?? part.body.count)")
            return
        }
        texts.append((kind == "text/html", content))
    }

    // Of forms of one text (RFC 2046, 5.1.4) the sender's own plain one, if something stands in it, is the safest and
    // best known. Texts that are no forms of each other, as a letter in HTML and a list's footer, are all shown.
    private mutating func choose(from first: Int) {
        let forms = texts[first...]
        let plain = forms.filter { text in !text.isHTML && text.bytes.contains { $0 > 0x20 } }
        guard !plain.isEmpty else { return }
        alternatives += forms.count { $0.isHTML }
        texts.replaceSubrange(first..., with: plain)
    }

    // Content-Transfer-Encoding (RFC 2045, 6).
    private func decoded(_ part: Part) -> [UInt8]? {
        switch part.field("content-transfer-encoding").trimmed.lowercased() {
        case "base64": PictureCoding.decode(part.body, limit: limits.entry)
        case "quoted-printable": Self.quoted(part.body, isHeader: false)
        default: Array(part.body)
        }
    }

    // MARK: The form of a message

    private static func split(_ bytes: ArraySlice<UInt8>) -> Part {
        var part = Part(body: [])
        var start = bytes.startIndex
        while start < bytes.endIndex {
            var end = start
            while end < bytes.endIndex, bytes[end] != 10 { end += 1 }
            var line = bytes[start..<end]
            if line.last == 13 { line.removeLast() }
            start = min(end + 1, bytes.endIndex)
            if line.isEmpty { break }
            let text = String(decoding: line.prefix(4096), as: UTF8.self)
            if line.first == 0x20 || line.first == 0x09, !part.fields.isEmpty {
                let last = part.fields.count - 1
                if part.fields[last].value.utf8.count < 16_384 { part.fields[last].value += " " + text.trimmed }
            } else if let colon = text.firstIndex(of: ":"), part.fields.count < 512 {
                part.fields.append((String(text[..<colon]).lowercased(), text[text.index(after: colon)...].trimmed))
            }
        }
        part.body = bytes[start...]
        return part
    }

    // RFC 2046, 5.1: lines that begin with two dashes and the boundary.
    private static func pieces(
        _ body: ArraySlice<UInt8>, _ boundary: String, _ writer: inout PageWriter
    ) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var found: [ArraySlice<UInt8>] = []
        var begin: Int?
        var start = body.startIndex
        while start < body.endIndex {
            var end = start
            while end < body.endIndex, body[end] != 10 { end += 1 }
            writer.steps += end - start
            if body[start..<end].starts(with: mark) {
                if let begin { found.append(body[begin..<start]) }
                begin = min(end + 1, body.endIndex)
                if body[start..<end].dropFirst(mark.count).starts(with: [0x2D, 0x2D]) { return found }
            }
            start = end + 1
        }
        if let begin, begin < body.endIndex { found.append(body[begin...]) }
        return found
    }

    /// A parameter of a field, also where it comes in pieces (`name*0`, `name*1`) or in a script of its own (`name*`,
    /// `name*0*`): RFC 2231, 3 and 4.
    static func parameter(_ name: String, of field: String) -> String? {
        let all = parameters(of: field)
        var bytes = all["\(name)*"].map { unescaped($0, isFirst: true) } ?? []
        guard bytes.isEmpty else { return text(bytes) }
        var number = 0
        while true {
            if let piece = all["\(name)*\(number)*"] {
                bytes += unescaped(piece, isFirst: number == 0)
            } else if let piece = all["\(name)*\(number)"] {
                bytes += piece.utf8
            } else {
                break
            }
            number += 1
        }
        if bytes.isEmpty, let plain = all[name] { bytes = Array(plain.utf8) }
        return bytes.isEmpty ? nil : text(bytes)
    }

    /// The parameters of a field by their names, the first of each name: a value in quotation marks may hold what ends
    /// others (RFC 2045, 5.1; RFC 822, 3.3).
    private static func parameters(of field: String) -> [String: String] {
        var found: [String: String] = [:]
        var name: String?
        // Blanks around a value are none of it; those in quotation marks are.
        var (piece, blanks) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        var (isQuoted, isEscaped) = (false, false)
        func end() {
            if let name, found[name] == nil { found[name] = String(piece) }
            name = nil
            piece.removeAll()
            blanks.removeAll()
        }
        func add(_ scalar: Unicode.Scalar) {
            if !piece.isEmpty { piece.append(contentsOf: blanks) }
            blanks.removeAll()
            piece.append(scalar)
        }
        for scalar in field.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                add(scalar)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where name != nil: isQuoted.toggle()
            case " " where !isQuoted, "\t" where !isQuoted: blanks.append(scalar)
            case "=" where name == nil:
                name = String(piece).lowercased()
                piece.removeAll()
                blanks.removeAll()
            case ";" where !isQuoted: end()
            default: add(scalar)
            }
        }
        end()
        return found
    }

    // A script, a language and the text, with apostrophes between them, in the first piece.
    private static func unescaped(_ value: String, isFirst: Bool) -> [UInt8] {
        let fields = value.utf8.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        let bytes = Array(isFirst && fields.count == 3 ? fields[2] : value.utf8[...])
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == 0x25, at + 2 < bytes.count, let one = hex(bytes[at + 1]), let two = hex(bytes[at + 2]) {
                result.append(one << 4 | two)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: UTF8Text.normalized(bytes), as: UTF8.self) }

    private static func quoted(_ bytes: ArraySlice<UInt8>, isHeader: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            if byte == 0x3D, at + 2 < bytes.endIndex, let one = hex(bytes[at + 1]), let two = hex(bytes[at + 2]) {
                result.append(one << 4 | two)
                at += 3
            } else if byte == 0x3D, at + 1 < bytes.endIndex, bytes[at + 1] == 10 {
                at += 2
            } else if byte == 0x3D, at + 2 < bytes.endIndex, bytes[at + 1] == 13, bytes[at + 2] == 10 {
                at += 3
            } else {
                result.append(isHeader && byte == 0x5F ? 0x20 : byte)
                at += 1
            }
        }
        return result
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x57
        default: nil
        }
    }

    /// Encoded words (RFC 2047), where they are UTF-8 or of one byte a character.
    static func words(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var result = ""
        // The space between two encoded words is none of the text (RFC 2047, 6.2): a long word goes on in the next.
        var wasEncoded = false
        for (index, piece) in text.split(separator: " ").enumerated() {
            let fields = piece.split(separator: "?", omittingEmptySubsequences: false)
            let isEncoded = fields.count == 5 && fields[0] == "=" && fields[4] == "="
            if index > 0, !(wasEncoded && isEncoded) { result += " " }
            wasEncoded = isEncoded
            guard isEncoded else {
                result += piece
                continue
            }
            let bytes = Array(fields[3].utf8)
            let decoded =
                fields[2].lowercased() == "b"
                ? PictureCoding.decode(bytes, limit: 4096) ?? [] : quoted(bytes[...], isHeader: true)
            result += String(decoding: UTF8Text.normalized(decoded), as: UTF8.self)
        }
        return result
    }
}

extension StringProtocol {
    /// Without blanks around it.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
