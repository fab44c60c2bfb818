/// Tags of requirements in comments, as in `// REQ:BSI-eRp-ePA:O.Auth_14#3`: where the maker says that a row is met. They
/// become references of the maker, and prove nothing.
enum RequirementTag {
    /// `tag:ROW:LINE`, a hundred of a file at most.
    static func facts(_ bytes: [UInt8], _ lines: LineTable) -> [String] {
        ByteSearch.places(of: "REQ:", in: bytes).prefix(100).compactMap { place in
            let text = bytes[(place + 4)...].prefix(120).prefix { $0 > 32 && $0 < 127 }
            let last = String(decoding: text, as: UTF8.self).split(separator: ":").last ?? ""
            let row = last.prefix { $0 != "#" && $0 != "," && $0 != ")" }
            let parts = row.split(separator: "_", omittingEmptySubsequences: false)
            guard row.hasPrefix("O."), parts.count == 2, parts[0].dropFirst(2).allSatisfy(\.isLetter),
                !parts[1].isEmpty, parts[1].allSatisfy(\.isNumber)
            else { return nil }
            return "tag:\(row):\(lines.line(place))"
        }
    }
}
