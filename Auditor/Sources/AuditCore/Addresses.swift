/// Judges addresses by their texts.
enum Addresses {
    private static let local = [
        "localhost", "127.", "10.", "192.168.", "172.16.", "0.0.0.0", "169.254.", "example.com", "www.example.com",
        "example.org",
        // The system opens these in its own app.
        "maps.apple.com",
    ]
    private static let staging: Set<Substring> = ["staging", "stage", "dev", "test", "uat", "qa"]

    /// Plain http that leaves the device and its network; `.local` is the network's own (RFC 6762). The examples of documents do not count.
    static func isPlain(_ address: String) -> Bool {
        guard address.hasPrefix("http://") else { return false }
        let host = address.dropFirst(7).prefix { $0 != "/" && $0 != ":" }
        return host.contains(".") && !host.hasSuffix(".local") && !local.contains { host.hasPrefix($0) }
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
