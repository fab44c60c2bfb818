/// The parts of an address that every parser reads in the same way, or a refusal (RFC 3986, WHATWG URL).
struct LinkParts {
    let scheme: String
    let host: String
    /// Decoded segments, none of them empty.
    let path: [String]
    /// Decoded pairs, each name once.
    let query: [(name: String, value: String)]

    private static let longest = 2048
    private static let mostPairs = 32
    // They run, read, or name a place of this machine; plain http can be changed on its way.
    private static let forbidden: Set<String> = [
        "http", "file", "javascript", "vbscript", "data", "blob", "about", "ftp", "ws", "wss", "intent", "content",
        "jar",
        "view-source", "chrome", "filesystem", "ms-appx", "res",
    ]

    init(_ text: String) throws(DeepLinkProblem) {
        guard (1...Self.longest).contains(text.utf8.count) else { throw .length }
        guard text.utf8.allSatisfy(Self.isAllowed) else { throw .forbiddenCharacter }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
        guard let colon = text.firstIndex(of: ":") else { throw .scheme }
        scheme = try Self.scheme(text[..<colon])
        var rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//"), !rest.hasPrefix("///") else { throw .authority }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        host = try Self.host(String(rest[..<end]))
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        path = try Self.path(rest[end..<mark])
        query = try Self.query(mark == rest.endIndex ? "" : rest[rest.index(after: mark)...])
    }

    // Visible ASCII without what parsers read in different ways.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    // RFC 3986 §3.1, in any case of letters.
    private static func scheme(_ text: Substring) throws(DeepLinkProblem) -> String {
        let name = text.lowercased()
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
            default: false
            }
        }
        guard isName, let first = name.utf8.first, (0x61...0x7A).contains(first), name.utf8.count <= 64,
            !forbidden.contains(name)
        else { throw .scheme }
        return name
    }

    private static func host(_ authority: String) throws(DeepLinkProblem) -> String {
        guard !authority.isEmpty else { throw .authority }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
        guard !authority.hasPrefix("[") else { throw .host }
        guard !authority.utf8.contains(UInt8(ascii: ":")) else { throw .port }
        let name = authority.lowercased()
        guard HostName.isUsable(name), !name.hasSuffix("."), !HostName.endsInNumber(name) else { throw .host }
        return name
    }

    private static func path(_ text: Substring) throws(DeepLinkProblem) -> [String] {
        guard !text.isEmpty, text != "/" else { return [] }
        var segments: [String] = []
        for raw in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = decoded(raw), isHarmless(segment), segment != ".", segment != "..", !segment.isEmpty
            else {
                throw .path
            }
            segments.append(segment)
        }
        return segments
    }

    // What a decoded segment may not be: a step, a separator, or a control character that was hidden; nor hidden once
    // more.
    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "/", "\\", "%": false
            default:
                ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
        }
    }

    private static func query(_ text: Substring) throws(DeepLinkProblem) -> [(name: String, value: String)] {
        guard !text.isEmpty else { return [] }
        let pieces = text.split(separator: "&", omittingEmptySubsequences: false)
        guard pieces.count <= mostPairs else { throw .query }
        var names: Set<String> = []
        var pairs: [(name: String, value: String)] = []
        for piece in pieces {
            let mark = piece.firstIndex(of: "=") ?? piece.endIndex
            let after = mark == piece.endIndex ? "" : piece[piece.index(after: mark)...]
            guard let name = decoded(piece[..<mark]), let value = decoded(after), !name.isEmpty,
                names.insert(name).inserted,
                value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .query }
            pairs.append((name, value))
        }
        return pairs
    }

    // Percent signs once; a plus stays a plus, because only forms read it as a blank.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
