/// Runs of base64's characters, and what is hidden in them.
extension MaskScanner {
    /// A run of letters, digits and `+ / - _` has ended.
    mutating func lookAtRun(_ start: Int, _ end: Int) {
        if policy.masksIdentifiers { lookAtIdentifier(start, end) }
        if end - start >= 20, isServiceKey(start, end) { return add(.apikey, start, end) }
        guard end - start >= 12, depth < 2 else { return }
        if lookInside(start, end) { return }
        // The last part of a path, or what stands behind a prefix.
        guard let slash = bytes[start..<end].lastIndex(of: UInt8(ascii: "/")), end - slash > 12 else { return }
        _ = lookInside(slash + 1, end)
    }

    // Prefixes of the services' own documentation; the rest is 16 and more characters with a digit among them.
    private func isServiceKey(_ start: Int, _ end: Int) -> Bool {
        let isKnown: Bool
        switch bytes[start] | 0x20 {
        case UInt8(ascii: "a"):
            isKnown =
                (end - start == 20 && (starts("AKIA", start) || starts("ASIA", start)))
                || (end - start == 39 && starts("AIza", start))
        case UInt8(ascii: "g"):
            isKnown =
                starts("ghp_", start) || starts("gho_", start) || starts("ghu_", start) || starts("ghs_", start)
                || starts("ghr_", start) || starts("github_pat_", start) || starts("glpat-", start)
        case UInt8(ascii: "x"):
            isKnown = starts("xoxb-", start) || starts("xoxp-", start) || starts("xoxa-", start)
        case UInt8(ascii: "s"): isKnown = starts("sk_live_", start) || starts("sk_test_", start)
        case UInt8(ascii: "r"): isKnown = starts("rk_live_", start)
        case UInt8(ascii: "n"): isKnown = starts("npm_", start)
        default: isKnown = false
        }
        return isKnown && bytes[start..<end].contains(where: ByteClass.isDigit)
    }

    private func starts(_ text: StaticString, _ start: Int) -> Bool {
        var index = start
        for wanted in text.description.utf8 {
            guard byte(index) == wanted else { return false }
            index += 1
        }
        return true
    }

    /// Decodes the run and looks into what comes out, where that is text.
    private mutating func lookInside(_ start: Int, _ end: Int) -> Bool {
        guard let text = Self.decoded(bytes, start, end) else { return false }
        var inner = MaskScanner(text, policy, depth: depth + 1)
        inner.scan()
        if let kind = inner.found.first?.kind {
            add(kind, start, padded(end))
            return true
        }
        guard depth == 0, let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon < text.count - 1,
            !text.contains(UInt8(ascii: " "))
        else { return false }
        add(.basic, start, padded(end))
        return true
    }

    func padded(_ end: Int) -> Int {
        var end = end
        while byte(end) == UInt8(ascii: "="), end < bytes.count { end += 1 }
        return end
    }

    /// The text behind base64 of either alphabet (RFC 4648); `nil` where a byte of it is no printable ASCII. At most
    /// 4096 bytes are read.
    static func decoded(_ bytes: [UInt8], _ start: Int, _ end: Int) -> [UInt8]? {
        let end = min(end, start + 4096)
        guard (end - start) % 4 != 1 else { return nil }
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for index in start..<end {
            guard let value = value(bytes[index]) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            guard (0x20...0x7E).contains(byte) || byte == 10 || byte == 13 || byte == 9 else { return nil }
            text.append(byte)
        }
        return text
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    // MARK: Identifiers

    private mutating func lookAtIdentifier(_ start: Int, _ end: Int) {
        let length = end - start
        if length == 36, isUUID(start) { return add(.uuid, start, end) }
        let run = bytes[start..<end]
        if run.allSatisfy(ByteClass.isHex), run.contains(where: ByteClass.isDigit) { return add(.hex, start, end) }
        guard length >= 40, !run.contains(UInt8(ascii: "/")), run.contains(where: ByteClass.isDigit),
            run.contains(where: ByteClass.isUpper), run.contains(where: { $0 &- 0x61 < 26 })
        else { return }
        add(.base64, start, padded(end))
    }

    private func isUUID(_ start: Int) -> Bool {
        (0..<36).allSatisfy { place in
            let byte = bytes[start + place]
            return [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : ByteClass.isHex(byte)
        }
    }

    /// An IPv6 address has the colon at `index` as its first one.
    mutating func lookAtIPv6(_ index: Int) {
        var start = index
        while start > 0, index - start < 4, ByteClass.isHex(bytes[start - 1]) { start -= 1 }
        guard !ByteClass.isAlphanumeric(byteBefore(start)), byteBefore(start) != UInt8(ascii: ":") else { return }
        var end = index
        while end < bytes.count, end - start < 46,
            ByteClass.isHex(bytes[end]) || bytes[end] == UInt8(ascii: ":") || bytes[end] == UInt8(ascii: ".")
        {
            end += 1
        }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        guard NetworkText.isIPv6(bytes[start..<end]) else { return }
        add(.ipv6, start, end)
    }

    /// An IPv4 address has the dot at `index` as its first one.
    mutating func lookAtIPv4(_ index: Int) {
        var start = index
        while start > 0, index - start < 3, ByteClass.isDigit(bytes[start - 1]) { start -= 1 }
        guard start < index, !ByteClass.isAlphanumeric(byteBefore(start)), byteBefore(start) != UInt8(ascii: ".") else {
            return
        }
        var end = index
        while end < bytes.count, end - start < 15, ByteClass.isDigit(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
            end += 1
        }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        guard !ByteClass.isAlphanumeric(byte(end)), NetworkText.isIPv4(bytes[start..<end]) else { return }
        add(.ipv4, start, end)
    }
}

/// Addresses as text.
enum NetworkText {
    static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(ByteClass.isDigit)
                    && (part.count == 1 || part.first != 0x30) && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
            }
    }

    // RFC 4291 §2.2. A time of day has no eight groups and no `::`.
    static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3 else { return false }
        var wanted = 8
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            wanted = 6
        }
        let isShort = zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: ":") }
        let filled = groups.filter { !$0.isEmpty }
        guard filled.allSatisfy({ $0.count <= 4 && $0.allSatisfy(ByteClass.isHex) }) else { return false }
        // `::` alone, and `a::`, stand in source code: an address has two groups at least.
        return isShort ? filled.count < wanted && filled.count >= 2 : filled.count == wanted && groups.count == wanted
    }
}
