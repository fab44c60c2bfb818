/// One cookie as a client keeps it (RFC 6265 §5.3), bound to the origin that set it.
public struct Cookie: Hashable, Sendable {
    /// The name; it may be empty.
    public let name: String
    /// The value as it came.
    public let value: String
    /// The path that requests must be below.
    public let path: String
    /// Seconds since 1970; `nil` lives as long as the jar.
    public let expires: Int64?
    /// Whether it travels with https only.
    public let isSecure: Bool

    /// The most bytes of a name and its value together.
    static let sizeLimit = 4096

    /// Reads a `Set-Cookie` field of an answer from `url` (RFC 6265 §5.2, and the name prefixes of RFC 6265bis §4.1.3).
    /// It lives for 400 days at most, whatever the field says (RFC 6265bis §5.6).
    ///
    /// - Returns: `nil` for a cookie that must not be stored: too large, with a control character, for another host or
    ///   for a whole domain, `Secure` without https, or against the promise of its name's prefix.
    public init?(_ text: String, from url: WebURL, at seconds: Int64) {
        guard text.utf8.count <= Self.sizeLimit * 2, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let (name, value) = Self.pair(parts[0]), name.utf8.count + value.utf8.count <= Self.sizeLimit else {
            return nil
        }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst().prefix(20) {
            let pair = Self.pair(part) ?? (Self.trimmed(part), "")
            attributes[pair.0.lowercased()] = pair.1
        }
        if let domain = attributes["domain"]?.lowercased(), !domain.isEmpty {
            let name = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
            guard CanonicalHost.of(name) == url.origin.host else { return nil }
        }
        self.name = name
        self.value = value
        isSecure = attributes["secure"] != nil
        let wanted = attributes["path"] ?? ""
        path = wanted.hasPrefix("/") ? wanted : Self.folder(of: url.path)
        expires = Self.end(attributes, seconds)
        guard !isSecure || url.origin.scheme == .https else { return nil }
        // Servers read the prefixes in either case, and a value without a name as if it were one (RFC 6265bis §5.7).
        let promise = (name.isEmpty ? value : name).prefix(9).lowercased()
        let isForHost = promise.hasPrefix("__host-")
        guard isForHost || promise == "__secure-" else { return }
        guard isSecure, !name.isEmpty else { return nil }
        if isForHost && (wanted != "/" || attributes["domain"]?.isEmpty == false) { return nil }
    }

    /// Whether it goes along with a request for `path` (RFC 6265 §5.1.4).
    func fits(_ wanted: String) -> Bool {
        wanted == path || (wanted.hasPrefix(path) && (path.hasSuffix("/") || wanted.dropFirst(path.count).first == "/"))
    }

    private static func end(_ attributes: [String: String], _ seconds: Int64) -> Int64? {
        // What is no number is as if it were not there (RFC 6265 §5.2.2), and Expires counts.
        if let age = attributes["max-age"], isNumber(age.utf8.first == 0x2D ? age.dropFirst() : age[...]) {
            guard let age = Int64(age) else { return age.utf8.first == 0x2D ? 0 : nil }
            return age <= 0 ? 0 : seconds + min(age, 400 * 86_400)
        }
        return attributes["expires"].flatMap(HTTPDate.seconds).map { min($0, seconds + 400 * 86_400) }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func pair(_ text: Substring) -> (String, String)? {
        guard let mark = text.firstIndex(of: "=") else { return nil }
        return (trimmed(text[..<mark]), trimmed(text[text.index(after: mark)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }

    private static func folder(of path: String) -> String {
        guard let last = path.lastIndex(of: "/"), last != path.startIndex else { return "/" }
        return String(path[..<last])
    }
}
