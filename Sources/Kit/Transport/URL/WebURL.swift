/// An absolute `http` or `https` address that has exactly one reading.
///
/// Text becomes a `WebURL` only where every parser would agree on the host: ASCII, no user name or password, no blanks,
/// control characters or backslashes, a valid port, no dot segments to resolve in the host. The host gets the one
/// spelling that all rules compare, without a dot at its end, and is used in that spelling, so that the host that was
/// judged is the host that is contacted; path and query are used as they are (RFC 3986, RFC 9110 §4.2).
public struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no address that Pavise uses.
    ///
    /// Of the text only what is a scheme, a host or a port is kept: whoever leaves something out of an address may have
    /// put a password there, and problems reach logs.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no text.
        case empty
        /// More bytes than `limit`.
        case tooLong(limit: Int)
        /// A blank, a control character, a backslash or a letter outside ASCII.
        case forbiddenCharacter
        /// Another scheme than http and https, or none, which is empty here.
        case scheme(String)
        /// A user name or password before the host, or what may be one.
        case userInformation
        /// No host name and no address.
        case host(String)
        /// No number from 1 to 65535; empty for what has other characters than digits.
        case port(String)

        /// One sentence that says what to write instead.
        public var description: String {
            switch self {
            case .empty: "The address is empty. Write it like https://example.org/path."
            case .tooLong(let limit): "The address is longer than \(limit) bytes."
            case .forbiddenCharacter:
                """
                The address holds a blank, a control character, a backslash or a letter outside ASCII. \
                Percent-encode it, and write host names in their xn-- form.
                """
            case .scheme(""): "The address does not begin with a scheme. Write https://…"
            case .scheme(let text): "“\(text)” is no scheme Pavise uses. Write https://…"
            case .userInformation:
                "The address holds a user name or password. Leave it out; Pavise asks for credentials itself."
            case .host(""): "The address names no host. Write it like https://example.org/path."
            case .host(let text): "“\(text)” is no host name or address."
            case .port(""): "The address has no number for a port. Use 1 to 65535, or leave the colon out."
            case .port(let text): "“\(text)” is no port. Use 1 to 65535."
            }
        }
    }

    /// The scheme, host and port.
    public let origin: Origin
    /// The path, at least `/`.
    public let path: String
    /// What stands behind `?`, without it.
    public let query: String?
    /// What stands behind `#`, without it. It is never sent.
    public let fragment: String?
    /// The whole address, without the fragment: what is requested.
    public let description: String

    /// Reads `text`.
    ///
    /// - Throws: ``Problem``, which says what to write instead.
    public init(_ text: String) throws(Problem) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 8192 else { throw .tooLong(limit: 8192) }
        guard text.utf8.allSatisfy(Self.isAllowed) else { throw .forbiddenCharacter }
        guard let mark = text.firstRange(of: "://") else { throw .scheme("") }
        let name = text[..<mark.lowerBound].lowercased()
        guard let scheme = Origin.Scheme(rawValue: name) else { throw .scheme(Self.isShortWord(name) ? name : "") }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        do throws(Problem) { origin = try Self.origin(scheme, String(rest[..<end])) } catch {
            // A password with a slash, a question mark or a number sign cuts the authority: what stands before that is
            // a part of it.
            throw rest[end...].utf8.contains(UInt8(ascii: "@")) ? .userInformation : error
        }

        var tail = rest[end...]
        if let hash = tail.firstIndex(of: "#") {
            fragment = String(tail[tail.index(after: hash)...])
            tail = tail[..<hash]
        } else {
            fragment = nil
        }
        if let mark = tail.firstIndex(of: "?") {
            query = String(tail[tail.index(after: mark)...])
            tail = tail[..<mark]
        } else {
            query = nil
        }
        path = tail.isEmpty ? "/" : String(tail)
        description = Self.text(origin, path, query)
    }

    /// The root of `origin`.
    package init(of origin: Origin) { self.init(origin: origin, path: "/", query: nil) }

    private init(origin: Origin, path: String, query: String?) {
        self.origin = origin
        self.path = path
        self.query = query
        fragment = nil
        description = Self.text(origin, path, query)
    }

    /// The same path and query at another origin.
    func moved(to origin: Origin) -> WebURL { WebURL(origin: origin, path: path, query: query) }

    private static func text(_ origin: Origin, _ path: String, _ query: String?) -> String {
        var text = ""
        origin.write(to: &text, room: path.utf8.count + (query?.utf8.count ?? 0) + 1)
        text += path
        guard let query else { return text }
        text += "?"
        text += query
        return text
    }

    /// The same origin with another path and query, both already percent-encoded.
    public func replacing(path: String, query: String? = nil) throws(Problem) -> WebURL {
        try WebURL("\(origin)" + (path.hasPrefix("/") ? path : "/" + path) + (query.map { "?\($0)" } ?? ""))
    }

    /// The address with `pairs` appended to its query, percent-encoded as form data (RFC 6749 appendix B).
    public func appending(query pairs: [(String, String)]) -> WebURL {
        let more = FormEncoding.encode(pairs)
        let joined = query.map { $0.isEmpty ? more : "\($0)&\(more)" } ?? more
        return WebURL(origin: origin, path: path, query: joined)
    }

    // Visible ASCII without what parsers read in different ways (RFC 3986 appendix C, WHATWG URL).
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    // A scheme that somebody may have meant (RFC 3986 §3.1), for example `ftp`, and nothing as long as a token.
    private static func isShortWord(_ name: String) -> Bool {
        (1...12).contains(name.utf8.count) && name.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private static func origin(_ scheme: Origin.Scheme, _ authority: String) throws(Problem) -> Origin {
        guard !authority.contains("@") else { throw .userInformation }
        guard !authority.contains("%") else { throw .host(authority) }
        let host: String
        let port: Substring?
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { throw .host(authority) }
            let address = String(authority[authority.index(after: authority.startIndex)..<close])
            guard let canonical = CanonicalHost.version6(address) else { throw .host(authority) }
            host = canonical
            let rest = authority[authority.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .host(authority) }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { throw .host(authority) }
            guard let canonical = CanonicalHost.name(String(parts[0])) else { throw .host(authority) }
            host = canonical
            port = parts.count == 2 ? parts[1] : nil
        }
        guard let port else { return Origin(scheme: scheme, host: host, port: scheme.defaultPort) }
        guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { throw .port("") }
        guard let number = UInt16(port), number > 0 else { throw .port(String(port.prefix(5))) }
        return Origin(scheme: scheme, host: host, port: number)
    }
}
