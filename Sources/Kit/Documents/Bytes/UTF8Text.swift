/// Bytes of a document as valid UTF-8.
enum UTF8Text {
    /// UTF-16 where a byte order mark says so, UTF-8 where it is, else Windows-1252.
    static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return Array(String(decoding: bytes.dropFirst(3), as: UTF8.self).utf8)
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
                let (one, two) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                return isLittle ? two << 8 | one : one << 8 | two
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        return fromLatin(bytes)
    }

    /// Windows-1252 as UTF-8.
    static func fromLatin(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                result.append(byte)
                continue
            }
            let value = byte < 0xA0 ? high[Int(byte - 0x80)] : UInt32(byte)
            if let scalar = Unicode.Scalar(value) { result += Array(String(Character(scalar)).utf8) }
        }
        return result
    }

    /// What a number from 0x80 to 0x9F names in HTML (13.2.5.80): Windows-1252's character. Others are what they are.
    static func fromLatin(_ number: UInt32) -> UInt32 {
        (0x80...0x9F).contains(number) ? high[Int(number - 0x80)] : number
    }

    private static let high: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0xFFFD,
        0x17D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A,
        0x153, 0xFFFD, 0x17E, 0x178,
    ]

    /// Appends one character; nothing for what is none.
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        switch scalar {
        case 0..<0x80: bytes.append(UInt8(scalar))
        case 0x80..<0x800:
            bytes.append(0xC0 | UInt8(scalar >> 6))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        case 0xD800..<0xE000, 0x110000...: break
        case 0x800..<0x10000:
            bytes.append(0xE0 | UInt8(scalar >> 12))
            bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        default:
            bytes.append(0xF0 | UInt8(scalar >> 18))
            bytes.append(0x80 | UInt8(scalar >> 12 & 0x3F))
            bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        }
    }

    /// One character of UTF-8 that begins at `place`, and where the next begins.
    static func scalar(_ bytes: [UInt8], _ place: Int, _ end: Int) -> (UInt32, Int) {
        let first = bytes[place]
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard count > 1, place + count <= end else { return (first < 0x80 ? UInt32(first) : 0xFFFD, place + 1) }
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for byte in bytes[(place + 1)..<(place + count)] {
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, place + 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (value, place + count)
    }
}
