/// A line with its encodings taken off, and where each byte of it came from.
///
/// Percent-encoding (RFC 3986 §2.1), escapes of JSON and of C (`\u0040`, `\x40`, `\/`), references of HTML (`&amp;`,
/// `&#64;`). Up to three layers: what an access log wrote of a URL inside a JSON document inside a form.
struct DecodedLine {
    var bytes: [UInt8]
    /// `origin[i]` is the place in the original where byte `i` began; the last entry is its length.
    var origin: [Int]

    /// - Returns: `nil` where nothing is encoded.
    init?(_ line: [UInt8]) {
        guard let first = Self.decode(line) else { return nil }
        (bytes, origin) = first
        for _ in 0..<2 {
            guard let next = Self.decode(bytes) else { break }
            origin = next.origin.map { [origin] in origin[$0] }
            bytes = next.bytes
        }
    }

    private static func decode(_ line: [UInt8]) -> (bytes: [UInt8], origin: [Int])? {
        var bytes: [UInt8] = []
        var origin: [Int] = []
        bytes.reserveCapacity(line.count)
        origin.reserveCapacity(line.count + 1)
        var index = 0
        var isChanged = false
        while index < line.count {
            let byte = line[index]
            var taken: (value: UInt32, length: Int)?
            switch byte {
            case UInt8(ascii: "%"): taken = hex(line, index + 1, 2).map { ($0, 3) }
            case UInt8(ascii: "\\"): taken = escape(line, index)
            case UInt8(ascii: "&"): taken = reference(line, index)
            default: break
            }
            guard let (value, length) = taken else {
                bytes.append(byte)
                origin.append(index)
                index += 1
                continue
            }
            isChanged = true
            // A percent-encoded byte is one byte of UTF-8; the others are whole characters.
            let coded = byte == UInt8(ascii: "%") ? [UInt8(value)] : utf8(value)
            bytes += coded
            for _ in coded { origin.append(index) }
            index += length
        }
        guard isChanged else { return nil }
        origin.append(line.count)
        return (bytes, origin)
    }

    private static func utf8(_ value: UInt32) -> [UInt8] {
        // Half of a surrogate pair is no character: what it stood for is lost, and no letter of what is looked for
        // is beyond them.
        guard let scalar = Unicode.Scalar(value) else { return [UInt8(ascii: "?")] }
        return Array(String(scalar).utf8)
    }

    private static func hex(_ line: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
        guard start + count <= line.count else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + count) {
            guard let digit = ByteClass.hexValue(line[index]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func escape(_ line: [UInt8], _ index: Int) -> (UInt32, Int)? {
        guard index + 1 < line.count else { return nil }
        switch line[index + 1] {
        case UInt8(ascii: "u"): return hex(line, index + 2, 4).map { ($0, 6) }
        case UInt8(ascii: "x"): return hex(line, index + 2, 2).map { ($0, 4) }
        case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"):
            return (UInt32(line[index + 1]), 2)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return (0x20, 2)
        default: return nil
        }
    }

    private static let names: [(name: StaticString, value: UInt32)] = [
        ("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22), ("apos;", 0x27), ("commat;", 0x40),
        ("colon;", 0x3A), ("equals;", 0x3D), ("plus;", 0x2B), ("sol;", 0x2F), ("period;", 0x2E), ("nbsp;", 0x20),
        ("lowbar;", 0x5F), ("num;", 0x23), ("quest;", 0x3F),
    ]

    private static func reference(_ line: [UInt8], _ index: Int) -> (UInt32, Int)? {
        guard index + 3 < line.count else { return nil }
        guard line[index + 1] == UInt8(ascii: "#") else {
            for (name, value) in names where matches(name, line, index + 1) {
                return (value, name.utf8CodeUnitCount + 1)
            }
            return nil
        }
        let isHex = line[index + 2] | 0x20 == UInt8(ascii: "x")
        var place = index + (isHex ? 3 : 2)
        let start = place
        // Zeros in front say nothing, and HTML allows any number of them. Each is read once.
        while place < line.count, line[place] == UInt8(ascii: "0") { place += 1 }
        let first = place
        var value: UInt32 = 0
        while place < line.count, place - first < 6, let digit = ByteClass.hexValue(line[place]), isHex || digit < 10 {
            value = value * (isHex ? 16 : 10) + digit
            place += 1
        }
        guard place > start else { return nil }
        if place < line.count, line[place] == UInt8(ascii: ";") { place += 1 }
        return (value, place - index)
    }

    private static func matches(_ name: StaticString, _ line: [UInt8], _ start: Int) -> Bool {
        guard start + name.utf8CodeUnitCount <= line.count else { return false }
        var index = start
        for wanted in name.description.utf8 {
            if line[index] != wanted { return false }
            index += 1
        }
        return true
    }
}
