/// Names of hosts, as one reading of them all: ASCII letters, digits, hyphens and dots (RFC 1123 §2.1).
enum HostName {
    /// Labels of 1 to 63 bytes, 253 in all, no hyphen at an end of one. Lower case is expected.
    static func isUsable(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy {
                    $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
                }
        }
    }

    /// Whether some parsers would read an IPv4 address from it (WHATWG URL, "ends in a number").
    static func endsInNumber(_ text: String) -> Bool {
        let labels = text.split(separator: ".")
        guard let last = labels.last else { return false }
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }
}
