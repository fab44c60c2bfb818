/// An element of a body that a WebDAV client sent, with namespaces (Namespaces in XML 1.0). A parser of the lab's own,
/// so that the server does not share one with the code that it tests.
struct DAVElement {
    var namespace = ""
    var name = ""
    var children: [DAVElement] = []
    /// What stands between its tags, with namespaces that it brings itself.
    var inner = ""

    func first(_ name: String) -> DAVElement? { children.first { $0.namespace == "DAV:" && $0.name == name } }

    /// Reads a document; `nil` for what is none, and for one with an entity of its own.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= 1 << 20, String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var parser = DAVParser(rest: bytes[...])
        guard let root = parser.document() else { return nil }
        self = root
    }

    fileprivate init() {}
}

private struct DAVParser {
    var rest: ArraySlice<UInt8>
    private static let depthLimit = 64
    private static let blanks = Set(" \t\r\n".utf8)

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    mutating func document() -> DAVElement? {
        if starts("\u{FEFF}") { rest = rest.dropFirst(3) }
        guard skipMisc(), starts("<"), let root = element(["xml": "http://www.w3.org/XML/1998/namespace"], depth: 0),
            skipMisc(), rest.isEmpty
        else { return nil }
        return root
    }

    private func starts(_ text: String) -> Bool { rest.starts(with: text.utf8) }

    private mutating func take(through end: String) -> Bool {
        guard let mark = rest.firstRange(of: Array(end.utf8)) else { return false }
        rest = rest[mark.upperBound...]
        return true
    }

    // Declarations, comments and blanks; a document type is refused.
    private mutating func skipMisc() -> Bool {
        while true {
            rest = rest.drop { Self.blanks.contains($0) }
            if starts("<?") {
                guard take(through: "?>") else { return false }
            } else if starts("<!--") {
                guard take(through: "-->") else { return false }
            } else {
                return !starts("<!")
            }
        }
    }

    private mutating func word() -> String? {
        let word = rest.prefix { !Self.blanks.contains($0) && !"=/>\"'<&".utf8.contains($0) }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    private mutating func element(_ outer: [String: String], depth: Int) -> DAVElement? {
        guard depth < Self.depthLimit, starts("<") else { return nil }
        rest = rest.dropFirst()
        guard let tag = word() else { return nil }
        var spaces = outer
        while true {
            rest = rest.drop { Self.blanks.contains($0) }
            if starts("/>") || starts(">") { break }
            guard let name = word(), let value = value() else { return nil }
            if name == "xmlns" {
                spaces[""] = value
            } else if name.hasPrefix("xmlns:") {
                // A prefix cannot be taken back.
                guard !value.isEmpty else { return nil }
                spaces[String(name.dropFirst(6))] = value
            }
        }
        var found = DAVElement()
        guard let (namespace, name) = resolve(tag, spaces) else { return nil }
        (found.namespace, found.name) = (namespace, name)
        if starts("/>") {
            rest = rest.dropFirst(2)
            return found
        }
        rest = rest.dropFirst()
        guard content(&found, spaces, depth) else { return nil }
        guard word() == tag else { return nil }
        rest = rest.drop { Self.blanks.contains($0) }
        guard starts(">") else { return nil }
        rest = rest.dropFirst()
        return found
    }

    private func resolve(_ tag: String, _ spaces: [String: String]) -> (String, String)? {
        let parts = tag.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 1: return (spaces[""] ?? "", tag)
        case 2:
            guard let space = spaces[parts[0]], !parts[1].isEmpty else { return nil }
            return (space, parts[1])
        default: return nil
        }
    }

    private mutating func value() -> String? {
        rest = rest.drop { Self.blanks.contains($0) }
        guard starts("=") else { return nil }
        rest = rest.dropFirst().drop { Self.blanks.contains($0) }
        guard let quote = rest.first, "\"'".utf8.contains(quote) else { return nil }
        rest = rest.dropFirst()
        let raw = rest.prefix { $0 != quote }
        guard raw.endIndex < rest.endIndex, !raw.contains(UInt8(ascii: "<")) else { return nil }
        rest = rest[raw.endIndex...].dropFirst()
        return Self.plain(raw)
    }

    // Up to and with `</`.
    private mutating func content(_ found: inout DAVElement, _ spaces: [String: String], _ depth: Int) -> Bool {
        while !rest.isEmpty {
            if starts("</") {
                rest = rest.dropFirst(2)
                return true
            }
            if starts("<!--") {
                guard take(through: "-->") else { return false }
            } else if starts("<![CDATA[") {
                rest = rest.dropFirst(9)
                guard let mark = rest.firstRange(of: Array("]]>".utf8)) else { return false }
                found.inner += DAVText.escape(String(decoding: rest[..<mark.lowerBound], as: UTF8.self))
                rest = rest[mark.upperBound...]
            } else if starts("<?") {
                guard take(through: "?>") else { return false }
            } else if starts("<") {
                guard let child = element(spaces, depth: depth + 1) else { return false }
                found.children.append(child)
                found.inner += DAVText.element(child.namespace, child.name, child.inner)
            } else {
                let raw = rest.prefix { $0 != UInt8(ascii: "<") }
                guard let text = Self.plain(raw) else { return false }
                found.inner += DAVText.escape(text)
                rest = rest[raw.endIndex...]
            }
        }
        return false
    }

    // The five entities of XML itself, and characters by number.
    private static func plain(_ raw: ArraySlice<UInt8>) -> String? {
        var (out, left) = ("", raw)
        while let mark = left.firstIndex(of: UInt8(ascii: "&")) {
            out += String(decoding: left[..<mark], as: UTF8.self)
            guard let end = left[mark...].firstIndex(of: UInt8(ascii: ";")), end - mark <= 10 else { return nil }
            let name = String(decoding: left[(mark + 1)..<end], as: UTF8.self)
            guard let character = entity(name) else { return nil }
            out.append(character)
            left = left[(end + 1)...]
        }
        return out + String(decoding: left, as: UTF8.self)
    }

    private static func entity(_ name: String) -> Character? {
        let known: [String: Character] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let character = known[name] { return character }
        guard name.hasPrefix("#") else { return nil }
        let isHex = name.hasPrefix("#x")
        guard let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
            number >= 0x20 || [9, 10, 13].contains(number)
        else { return nil }
        return Unicode.Scalar(number).map(Character.init)
    }
}

extension DAVText {
    /// An element that brings its namespace.
    static func element(_ namespace: String, _ name: String, _ inner: String) -> String {
        if namespace == "DAV:" { return inner.isEmpty ? "<D:\(name)/>" : "<D:\(name)>\(inner)</D:\(name)>" }
        guard !namespace.isEmpty else { return "<\(name) xmlns=\"\">\(inner)</\(name)>" }
        let space = escape(namespace).split(separator: "\"").joined(separator: "&quot;")
        return "<n:\(name) xmlns:n=\"\(space)\">\(inner)</n:\(name)>"
    }
}
