internal import PavisePrimitives

/// The networks of this machine's interfaces, which decide whether an address can be reached without a router.
public struct LocalLinks: Hashable, Sendable {
    private let prefixes: [ATSAddressRange]

    /// Links from their prefixes in CIDR notation, such as `192.168.1.0/24`; text that is no prefix is left out.
    ///
    /// Point-to-point links (tunnels) do not belong in the list: behind their other end lies a router.
    public init(prefixes: [String] = []) {
        self.prefixes = prefixes.compactMap { text in
            let parts = text.split(separator: "/")
            guard parts.count == 2, let bits = Int(parts[1]) else { return nil }
            return ATSAddressRange(network: String(parts[0]), prefix: bits)
        }
    }

    /// The links of this machine, asked now.
    public static var current: LocalLinks { LocalLinks(prefixes: NetworkInterfaces.connectedPrefixes()) }

    /// Whether no router lies between this machine and `origin`.
    ///
    /// Names: a bare name and one below `.local`. Addresses: loopback, link-local, and what lies in the prefix of a
    /// link.
    public func isDirect(_ origin: Origin) -> Bool {
        guard origin.isAddress else { return origin.isDirectByName }
        guard let address = ATSAddress(origin.host) else { return false }
        return Self.always.contains { $0.contains(address) } || prefixes.contains { $0.contains(address) }
    }

    private static let always = ["127/8", "169.254/16", "::1/128", "fe80::/10"].compactMap { ATSAddressRange($0) }
}

extension Origin {
    /// Whether the name or address alone says that no router lies between.
    public var isDirectByName: Bool {
        if host.hasPrefix("127.") && host.utf8.allSatisfy({ $0 == 0x2E || ($0 >= 0x30 && $0 <= 0x39) }) { return true }
        if host == "::1" || host.hasPrefix("fe80:") { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return !host.contains(":") && (!name.contains(".") || name.hasSuffix(".local"))
    }
}
