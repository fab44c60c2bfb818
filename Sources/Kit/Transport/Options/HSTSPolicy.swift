/// The HSTS policy that one host sent in `Strict-Transport-Security` (RFC 6797 §6.1).
public struct HSTSPolicy: Hashable, Sendable {
    /// Seconds for which the host is to be reached by https only; 0 takes it back.
    public let maxAge: Int64
    /// Whether all names below the host are meant too.
    public let includesSubdomains: Bool

    /// Reads the field's value.
    ///
    /// - Returns: `nil`, as if the field were not there, when `max-age` is missing, a directive comes twice or the text
    ///   breaks the grammar. Unknown directives are skipped.
    public init?(_ text: String) {
        guard text.utf8.count <= 1024 else { return nil }
        var seen: Set<String> = []
        var age: Int64?
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(pair[0]).lowercased()
            if name.isEmpty && pair.count == 1 { continue }
            guard !name.isEmpty, seen.insert(name).inserted else { return nil }
            guard name == "max-age" else { continue }
            var digits = pair.count == 2 ? Self.trimmed(pair[1]) : ""
            if digits.hasPrefix("\"") && digits.hasSuffix("\"") && digits.count >= 2 {
                digits = String(digits.dropFirst().dropLast())
            }
            guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            age = Int64(digits) ?? .max
        }
        guard let age else { return nil }
        maxAge = min(age, 10 * 366 * 86_400)
        includesSubdomains = seen.contains("includesubdomains")
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
