/// A pull parser for listings of servers: bounded, without entities, document types and external references
/// (sync/SY18).
///
/// It knows elements with their namespaces (Namespaces in XML 1.0 §6) and text. Attributes beside `xmlns` are passed
/// over.
struct NamespacedXMLReader {
    /// Why a text is not read.
    enum Problem: Error, Hashable {
        case malformed(offset: Int)
        case documentType
        case reference
        case tooDeep
        case tooLarge
    }

    enum Event: Equatable {
        case start(namespace: String, name: String)
        case end
        case text(String)
        case finished
    }

    static let depthLimit = 32
    static let sizeLimit = 64 << 20

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var scopes: [[String: String]] = [[:]]
    private var isPendingEnd = false
    private var hasRoot = false

    init(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
        self.bytes = bytes
    }

    private var malformed: Problem { .malformed(offset: position) }

    mutating func next() throws(Problem) -> Event {
        if isPendingEnd {
            isPendingEnd = false
            close()
            return .end
        }
        while position < bytes.count {
            if starts("<!--") {
                try skip(past: "-->")
            } else if starts("<?") {
                try skip(past: "?>")
            } else if starts("<![CDATA[") || bytes[position] != UInt8(ascii: "<") {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy({ Self.isBlank($0) }) || text == "\u{FEFF}" else { throw malformed }
            } else if starts("<!") {
                throw .documentType
            } else if starts("</") {
                return try endTag()
            } else {
                return try startTag()
            }
        }
        guard open.isEmpty, hasRoot else { throw malformed }
        return .finished
    }

    private mutating func close() {
        _ = open.popLast()
        if scopes.count > 1 { scopes.removeLast() }
    }

    private mutating func startTag() throws(Problem) -> Event {
        guard open.count < Self.depthLimit else { throw .tooDeep }
        guard !(hasRoot && open.isEmpty) else { throw malformed }
        hasRoot = true
        position += 1
        let name = try name()
        var scope = scopes.last ?? [:]
        while true {
            let hadBlank = skipBlanks()
            if take(">") { break }
            if take("/>") {
                isPendingEnd = true
                break
            }
            guard hadBlank else { throw malformed }
            try attribute(&scope)
        }
        open.append(name)
        scopes.append(scope)
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return .start(namespace: scope[""] ?? "", name: name) }
        guard let namespace = scope[parts[0]] else { throw malformed }
        return .start(namespace: namespace, name: parts[1])
    }

    private mutating func attribute(_ scope: inout [String: String]) throws(Problem) {
        let name = try name()
        skipBlanks()
        guard take("=") else { throw malformed }
        skipBlanks()
        guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { throw malformed }
        let quote = bytes[position]
        position += 1
        guard let end = bytes[position...].firstIndex(of: quote) else { throw malformed }
        let value = try resolve(bytes[position..<end])
        position = end + 1
        if name == "xmlns" { scope[""] = value }
        if name.hasPrefix("xmlns:") { scope[String(name.dropFirst(6))] = value }
        guard scope.count <= 64 else { throw .tooLarge }
    }

    private mutating func endTag() throws(Problem) -> Event {
        position += 2
        let name = try name()
        skipBlanks()
        guard take(">"), open.last == name else { throw malformed }
        close()
        return .end
    }

    private mutating func text() throws(Problem) -> String {
        if take("<![CDATA[") {
            let start = position
            try skip(past: "]]>")
            return try string(bytes[start..<position - 3])
        }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return try resolve(bytes[position..<end])
    }

    // The five references that XML itself has, and characters by number; no others exist here.
    private func resolve(_ part: ArraySlice<UInt8>) throws(Problem) -> String {
        guard part.contains(UInt8(ascii: "&")) else { return try string(part) }
        var out: [UInt8] = []
        var rest = part
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            out += rest[..<mark]
            guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw .reference }
            out += try Self.reference(String(decoding: rest[(mark + 1)..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        return try string((out + rest)[...])
    }

    private static func reference(_ name: String) throws(Problem) -> [UInt8] {
        if let known = ["lt": 0x3C, "gt": 0x3E, "amp": 0x26, "quot": 0x22, "apos": 0x27][name] as UInt8? {
            return [known]
        }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard name.hasPrefix("#"), !digits.hasPrefix("+"), let number = UInt32(digits, radix: isHex ? 16 : 10),
            number != 0,
            let scalar = Unicode.Scalar(number)
        else { throw .reference }
        return Array(String(Character(scalar)).utf8)
    }

    private func string(_ part: ArraySlice<UInt8>) throws(Problem) -> String {
        guard let text = String(validating: part, as: UTF8.self) else { throw malformed }
        return text
    }

    private mutating func name() throws(Problem) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start, position - start <= 256 else { throw malformed }
        return try string(bytes[start..<position])
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x3A)
            || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = position
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
        return position > start
    }

    private func starts(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

    private mutating func take(_ mark: String) -> Bool {
        guard starts(mark) else { return false }
        position += mark.utf8.count
        return true
    }

    private mutating func skip(past mark: String) throws(Problem) {
        while position < bytes.count {
            if take(mark) { return }
            position += 1
        }
        throw malformed
    }
}
