/// `// pavise:ignore RULE reason` behind the code of a line, or on a line of its own before it.
/// Without a reason it has no effect.
final class Suppressions {
    private struct Entry {
        let line: Int
        let rule: String
        let reason: String?
        /// Nothing but the comment is on the line: it speaks of the next one too. Behind code it speaks of that alone.
        let standsAlone: Bool
        var isUsed = false
    }
    private var entries: [Entry] = []

    init(_ bytes: [UInt8], _ lines: LineTable) {
        for place in ByteSearch.places(of: "pavise:ignore ", in: bytes) {
            let line = lines.line(place)
            let text = bytes[(place + 14)..<lines.start(ofLine: line + 1, end: bytes.count)].prefix(400)
            let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
            let parts = words.split(separator: " ", maxSplits: 1)
            guard let rule = parts.first else { continue }
            // Behind blanks and a mark of the byte order.
            let before = bytes[lines.start(ofLine: line, end: place)..<place].drop {
                [32, 9, 0xEF, 0xBB, 0xBF].contains($0)
            }
            let standsAlone = ["//", "/*", "*"].contains { before.starts(with: $0.utf8) }
            // The end of a comment, blanks and signs are no reason.
            let isReasoned = parts.count == 2 && parts[1].contains { $0.isLetter || $0.isNumber }
            let reason = isReasoned ? String(parts[1]) : nil
            entries.append(Entry(line: line, rule: String(rule), reason: reason, standsAlone: standsAlone))
        }
    }

    /// Why a finding of the rule on the line is suppressed; `nil` where it is not.
    func reason(_ rule: String, _ line: Int) -> String? {
        let index = entries.firstIndex {
            $0.rule == rule && $0.reason != nil && ($0.line == line || $0.standsAlone && $0.line + 1 == line)
        }
        guard let index else { return nil }
        entries[index].isUsed = true
        return entries[index].reason
    }

    /// What suppresses nothing, after all findings were asked about.
    var idle: [String] {
        entries.filter { !$0.isUsed && Self.isName($0.rule) }.map { entry in
            let why =
                Catalogue.byID[entry.rule] == nil
                ? "there is no such rule" : entry.reason == nil ? "it gives no reason" : "nothing is found there"
            return "\(entry.line): \(entry.rule): \(why)"
        }
    }

    /// A text about suppressions names no rule: `pavise:ignore RULE`, `pavise:ignore …`.
    private static func isName(_ rule: String) -> Bool {
        rule != "RULE" && rule.utf8.count < 40
            && rule.utf8.allSatisfy { $0 &- 65 < 26 || $0 == UInt8(ascii: "-") }
    }
}
