/// The `Content-Range` of an answer in bytes (RFC 9110 §14.4).
public struct ContentRange: Hashable, Sendable {
    /// The first byte, from 0; `nil` in the answer to a range that cannot be served.
    public let first: Int?
    /// The last byte, inclusive.
    public let last: Int?
    /// The size of the whole; `nil` when the server does not know.
    public let total: Int?

    /// Reads `bytes 0-99/200`, `bytes 0-99/*` or `bytes */200`.
    ///
    /// - Returns: `nil` for any other text, and for a range that ends before it begins or behind the whole.
    public init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        total = parts[1] == "*" ? nil : Self.number(parts[1])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            (first, last) = (nil, nil)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        (self.first, self.last) = (first, last)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }
}
