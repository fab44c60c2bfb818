/// An IPv4 or IPv6 address as a number, for the address ranges of `NSExceptionDomains`.
public struct ATSAddress: Hashable, Sendable {
    /// Whether it has 128 bits.
    public let isVersion6: Bool
    let high: UInt64
    let low: UInt64

    init(isVersion6: Bool, high: UInt64, low: UInt64) {
        self.isVersion6 = isVersion6
        self.high = high
        self.low = low
    }

    /// Reads the text that `inet_pton` reads: `192.0.2.1`, `2001:db8::1`, `::ffff:192.0.2.1`. No zone, no brackets.
    public init?(_ text: String) {
        if let number = Self.version4(text.utf8) {
            self.init(isVersion6: false, high: UInt64(number) << 32, low: 0)
            return
        }
        guard text.utf8.contains(UInt8(ascii: ":")), let groups = Self.version6(text) else { return nil }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        self.init(isVersion6: true, high: halves[0], low: halves[1])
    }

    /// The bits of the address: 32 or 128.
    var bits: Int { isVersion6 ? 128 : 32 }

    /// The same with every bit behind the first `prefix` bits cleared.
    func masked(to prefix: Int) -> ATSAddress {
        let highMask: UInt64 = prefix >= 64 ? .max : prefix == 0 ? 0 : .max << UInt64(64 - prefix)
        let lowMask: UInt64 = prefix <= 64 ? 0 : prefix >= 128 ? .max : .max << UInt64(128 - prefix)
        return ATSAddress(isVersion6: isVersion6, high: high & highMask, low: low & lowMask)
    }

    // Four decimal numbers without leading zeros. Byte by byte and without parts: it is read for each decision about an
    // address.
    private static func version4(_ text: some Sequence<UInt8>) -> UInt32? {
        var number: UInt32 = 0
        var part: UInt32 = 0
        var dots = 0
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0, dots < 3 else { return nil }
                number = number << 8 | part
                dots += 1
                digits = 0
                part = 0
                continue
            }
            guard byte >= 0x30, byte <= 0x39, digits == 0 || part > 0 else { return nil }
            part = part * 10 + UInt32(byte - 0x30)
            digits += 1
            guard part < 256 else { return nil }
        }
        return dots == 3 && digits > 0 ? number << 8 | part : nil
    }

    private static func version6(_ text: String) -> [UInt16]? {
        guard text.utf8.count <= 45 else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (3...9).contains(parts.count) else { return nil }
        let isGap = { (index: Int) in parts[index].isEmpty && index > 0 && index < parts.count - 1 }
        // An empty part at either end is half of a leading or trailing “::”.
        guard !parts[0].isEmpty || isGap(1), !parts[parts.count - 1].isEmpty || isGap(parts.count - 2) else {
            return nil
        }
        var groups: [UInt16] = []
        var gap: Int?
        for (index, part) in parts.enumerated() {
            if part.isEmpty {
                guard isGap(index) else { continue }
                guard gap == nil else { return nil }
                gap = groups.count
            } else if index == parts.count - 1, part.contains(".") {
                guard let number = version4(part.utf8) else { return nil }
                groups += [UInt16(number >> 16), UInt16(number & 0xFFFF)]
            } else {
                guard part.utf8.count <= 4, part.utf8.allSatisfy(isHexDigit), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                groups.append(group)
            }
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
