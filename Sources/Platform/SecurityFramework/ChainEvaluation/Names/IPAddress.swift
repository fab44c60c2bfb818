/// An address of version 4 or 6 as bytes.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`; `nil` for any other text, zone identifiers included.
    package init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The usual text; version 6 without shortening.
    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }.joined(separator: ":")
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part == "0" || !part.hasPrefix("0") else {
                return nil
            }
            return UInt8(part)
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0], mayEndInVersion4: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        guard let tail = groups(halves[1], mayEndInVersion4: true), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring, mayEndInVersion4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInVersion4, index == parts.count - 1, part.contains(".") {
                guard let four = version4(part) else { return nil }
                bytes += four
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), part.utf8.count == part.count,
                let value = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(value >> 8), UInt8(value & 255)]
        }
        return bytes
    }
}
