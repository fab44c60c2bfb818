/// Servers by name: a host, or every name exactly one label below a host, on one port.
///
/// ```swift
/// ServerPattern("cloud.example.org"),       // that host on port 443
/// ServerPattern("*.example.org:8443"),      // a.example.org and b.example.org, not example.org nor a.b.example.org
/// ```
public struct ServerPattern: Hashable, Sendable, CustomStringConvertible {
    /// The host, or what stands behind `*.`.
    public let host: String
    /// Whether one label more is meant.
    public let isWildcard: Bool
    /// The port.
    public let port: UInt16

    /// Reads a pattern.
    ///
    /// - Returns: `nil` when the rest is no host name, or a wildcard stands anywhere else or before an address.
    public init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        let rest = isWildcard ? String(text.dropFirst(2)) : text
        guard !rest.utf8.contains(where: Self.endsHost), let url = try? WebURL("https://\(rest)"),
            !(isWildcard && (url.origin.isAddress || !url.origin.host.contains(".")))
        else { return nil }
        host = url.origin.host
        port = url.origin.port
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether `origin` is meant; only https is.
    public func covers(_ origin: Origin) -> Bool {
        guard origin.scheme == .https, origin.port == port else { return false }
        guard isWildcard else { return origin.host == host }
        guard origin.host.hasSuffix(".\(host)") else { return false }
        let label = origin.host.dropLast(host.utf8.count + 1)
        return !label.isEmpty && !label.contains(".")
    }

    /// The pattern, its host in the spelling of ``Origin/host``.
    public var description: String {
        (isWildcard ? "*." : "") + (host.contains(":") ? "[\(host)]" : host) + (port == 443 ? "" : ":\(port)")
    }
}
