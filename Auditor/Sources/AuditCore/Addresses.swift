/// Judges addresses by their texts.
enum Addresses {
    /// The examples of documents; the last one the system opens in its own app.
    private static let harmless: Set = ["example.com", "www.example.com", "example.org", "maps.apple.com"]
    private static let staging: Set<Substring> = ["staging", "stage", "dev", "test", "uat", "qa"]

    /// Plain http, however its scheme is written (RFC 3986 §3.1).
    static func isHTTP(_ address: String) -> Bool {
        address.utf8.count >= 7 && address.prefix(7).lowercased() == "http://"
    }

    /// Plain http that leaves the device and its network; `.local` is the network's own (RFC 6762). The examples of
    /// documents do not count.
    static func isPlain(_ address: String) -> Bool {
        guard isHTTP(address) else { return false }
        var authority = address.dropFirst(7).prefix { !["/", "?", "#", "\\"].contains($0) }
        // Before the last at sign stands who asks, and not whom.
        if let sign = authority.lastIndex(of: "@") { authority = authority[authority.index(after: sign)...] }
        if authority.hasPrefix("[") { return isGlobal(authority.dropFirst()) }
        let host = authority.prefix { $0 != ":" }.lowercased()
        guard host.contains("."), !harmless.contains(host) else { return false }
        return !host.hasSuffix(".local") && !host.hasSuffix(".localhost") && !isOfThisNetwork(host)
    }

    /// Numbers of the device itself, of its link and of private networks (RFC 1918, RFC 3927), as far as they are known:
    /// the rest may be put together.
    private static func isOfThisNetwork(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        let numbers = labels.compactMap { UInt8($0) }
        guard numbers.count == labels.count, let first = numbers.first else { return false }
        if [0, 10, 127].contains(first) { return true }
        guard numbers.count > 1 else { return false }
        return switch first {
        case 169: numbers[1] == 254
        case 172: (16...31).contains(numbers[1])
        case 192: numbers[1] == 168
        default: false
        }
    }

    /// An address of IPv6 that is neither this device's, nor of its link (fe80::/10) or of a private network (fc00::/7).
    private static func isGlobal(_ rest: Substring) -> Bool {
        guard let end = rest.firstIndex(of: "]") else { return false }
        let address = rest[..<end].lowercased()
        return !["::", "::1"].contains(address)
            && !["fc", "fd", "fe8", "fe9", "fea", "feb"].contains(where: address.hasPrefix)
    }

    /// A label of the host is what servers for tests are called.
    static func isStaging(_ address: String) -> Bool {
        guard let scheme = ["https://", "http://", "wss://"].first(where: address.hasPrefix) else { return false }
        // pavise:ignore LENGTH The schemes are ASCII, where both counts are the same.
        let host = address.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != ":" }
        return host.split(separator: ".").dropLast(2).contains { label in
            label.split(separator: "-").contains { staging.contains($0) }
        }
    }
}
