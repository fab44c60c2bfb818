/// Scheme, host and port: the unit that credentials, approvals and pins belong to (RFC 6454).
public struct Origin: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Whether the connection is protected by TLS.
    public enum Scheme: String, Hashable, Sendable, Codable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https

        /// 80 or 443.
        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// `http` or `https`.
    public let scheme: Scheme
    /// The host in the one spelling that all rules compare: a name in lower-case ASCII without a dot at its end, or an
    /// address, of version 6 without brackets and as RFC 5952 §4 writes it.
    public let host: String
    /// The port, also when it is the default one.
    public let port: UInt16

    /// An origin from parts that were already checked.
    package init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    private enum CodingKeys: String, CodingKey { case scheme, host, port }

    /// Reads what the encoder wrote. A host that an older version kept in another spelling gets the one of today.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let host = try values.decode(String.self, forKey: .host)
        self.init(
            scheme: try values.decode(Scheme.self, forKey: .scheme), host: CanonicalHost.of(host) ?? host,
            port: try values.decode(UInt16.self, forKey: .port))
    }

    /// `https://host` or `https://host:port`; the port is left out when it is the default one.
    public var description: String {
        var text = ""
        write(to: &text, room: 0)
        return text
    }

    // Put together by hand and in one piece of memory: it is made for each request, and interpolating an enumeration
    // looks its name up by reflection.
    func write(to text: inout String, room: Int) {
        text.reserveCapacity(host.utf8.count + 16 + room)
        text += scheme.rawValue
        text += "://"
        let isBracketed = host.utf8.contains(UInt8(ascii: ":"))
        if isBracketed { text += "[" }
        text += host
        if isBracketed { text += "]" }
        guard port != scheme.defaultPort else { return }
        text += ":"
        text += String(port)
    }
}
