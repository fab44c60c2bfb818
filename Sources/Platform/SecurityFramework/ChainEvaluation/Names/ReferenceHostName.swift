/// Does a name in a certificate serve the host that was asked for? (RFC 6125 §6.4, narrowed as Apple's systems do.)
package enum ReferenceHostName {
    /// Whether `presented`, a dNSName, serves `reference`.
    ///
    /// A wildcard must be the whole left-most label, stands for exactly one label, and never sits right above a
    /// public suffix. One dot at the end of `reference` does not count; one at the end of `presented` does.
    ///
    /// - Parameter suffixes: Asked for only where a wildcard stands: to read the machine's list takes some hundredths
    ///   of a second.
    package static func matches(
        reference: String, presented: String, suffixes: @autoclosure () -> PublicSuffix = .current
    ) -> Bool {
        let reference = reference.hasSuffix(".") ? String(reference.dropLast()) : reference
        guard !reference.isEmpty, isWellFormed(presented) else { return false }
        let asked = labels(reference)
        let offered = labels(presented)
        guard asked.count == offered.count, asked.allSatisfy({ !$0.isEmpty }) else { return false }
        for (index, label) in offered.enumerated() {
            if label == "*" {
                guard index == 0, offered.count > 2, !suffixes().contains(offered.dropFirst()) else { return false }
            } else if label.contains("*") || label != asked[index] {
                return false
            }
        }
        return true
    }

    /// Whether the text can take part in a comparison at all.
    package static func isWellFormed(_ name: String) -> Bool {
        guard (1...255).contains(name.utf8.count), IPAddress(name) == nil else { return false }
        let labels = labels(name)
        guard labels.allSatisfy(isWellFormedLabel), let last = labels.last else { return false }
        return last.utf8.contains { isLetter($0) || $0 == UInt8(ascii: "*") }
    }

    /// The labels in lower case, left to right; empty ones are kept.
    static func labels(_ name: String) -> [String] {
        name.split(separator: ".", omittingEmptySubsequences: false).map { lowercased($0) }
    }

    private static func isWellFormedLabel(_ label: String) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || [0x2D, 0x5F, 0x2A].contains($0)
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }

    // ASCII only: other scripts have case rules that names in certificates do not follow.
    private static func lowercased(_ text: Substring) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
