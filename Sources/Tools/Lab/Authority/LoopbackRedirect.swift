/// A redirect address of a native app on loopback (RFC 8252 §7.3): plain http, one of two addresses, maybe a port, a
/// path.
struct LoopbackRedirect: Sendable {
    /// Scheme and address.
    let host: String
    /// `nil` where the address names none.
    let port: UInt16?
    /// What follows: a path, a query, or nothing.
    let path: String

    /// Reads an address.
    ///
    /// - Returns: `nil` for any other text. Between the address and the path stands a port or nothing: in
    ///   `http://127.0.0.1:80@other.example/` what looks like both is a name and a password for another host. Line
    ///   breaks, blanks and letters outside ASCII stand in no address.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "#\\".contains($0) }),
            let host = ["http://127.0.0.1", "http://[::1]"].first(where: { text.hasPrefix($0) })
        else { return nil }
        let rest = text.dropFirst(host.count)
        let path = rest.drop { $0 != "/" && $0 != "?" }
        let between = rest.prefix(rest.count - path.count)
        guard let port = Self.port(between) else { return nil }
        (self.host, self.port, self.path) = (host, port > 0 ? port : nil, String(path))
    }

    // 0 for no port; `nil` for what is none.
    private static func port(_ text: Substring) -> UInt16? {
        guard let mark = text.first else { return 0 }
        let digits = text.dropFirst()
        guard mark == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0
        else { return nil }
        return port
    }
}
