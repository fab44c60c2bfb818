extension ATSAddress {
    /// The usual text: IPv4 in decimal, IPv6 as RFC 5952 says.
    var text: String {
        guard isVersion6 else {
            return (0..<4).map { String(high >> UInt64(56 - 8 * $0) & 255) }.joined(separator: ".")
        }
        let groups = (0..<8).map { (index: Int) -> UInt64 in
            (index < 4 ? high : low) >> UInt64(48 - 16 * (index % 4)) & 0xFFFF
        }
        let gap = Self.longestGap(groups)
        guard gap.count > 1 else { return groups.map { String($0, radix: 16) }.joined(separator: ":") }
        let head = groups[..<gap.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
        let tail = groups[gap.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
        return head + "::" + tail
    }

    private static func longestGap(_ groups: [UInt64]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > best.count { best = start..<index }
            start = index + 1
        }
        return best
    }
}
