/// The rules of the Public Suffix List (publicsuffix.org), its first section alone.
///
/// The second section holds names of companies that give names to others. Certificates with a wildcard right above one of
/// these (`*.github.io`) are in wide use, and Apple's systems take them.
package struct PublicSuffixList: Sendable {
    private var names: Set<String> = []
    private var parents: Set<String> = []
    private var exceptions: Set<String> = []

    /// The largest file that is read, in bytes.
    package static let maximumSize = 4 << 20
    private static let maximumRules = 50_000

    /// How many rules there are.
    package var count: Int { names.count + parents.count + exceptions.count }

    /// Reads a list; `nil` for what is not UTF-8, has no first section from begin to end, or has too many rules.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var isInside = false
        var isWhole = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("//") {
                if line.contains("===BEGIN ICANN DOMAINS===") { isInside = true }
                if line.contains("===END ICANN DOMAINS===") { isWhole = isInside }
                if isWhole { break }
                continue
            }
            guard isInside, let rule = line.split(whereSeparator: \.isWhitespace).first else { continue }
            add(rule)
            guard count <= Self.maximumRules else { return nil }
        }
        guard isWhole, count > 0 else { return nil }
    }

    // A rule that cannot be a name is left out: nothing could match it.
    private mutating func add(_ rule: Substring) {
        guard rule.utf8.count <= 255 else { return }
        if rule.hasPrefix("!") {
            if let name = Self.name(rule.dropFirst()) { exceptions.insert(name) }
        } else if rule.hasPrefix("*.") {
            if let name = Self.name(rule.dropFirst(2)) { parents.insert(name) }
        } else if let name = Self.name(rule) {
            names.insert(name)
        }
    }

    // As certificates hold it: other scripts as RFC 5890's A-labels.
    private static func name(_ text: Substring) -> String? {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.utf8.allSatisfy { $0 < 0x80 } ? label.lowercased() : Punycode.encode(label.lowercased())
        }
        let known = labels.compactMap { $0 }
        return known.count == labels.count ? known.joined(separator: ".") : nil
    }

    /// Whether the labels together, in lower case, are a public suffix. A name that no rule knows is not one.
    package func contains(_ labels: ArraySlice<String>) -> Bool {
        let name = labels.joined(separator: ".")
        guard !exceptions.contains(name) else { return false }
        return names.contains(name) || parents.contains(labels.dropFirst().joined(separator: "."))
    }
}
