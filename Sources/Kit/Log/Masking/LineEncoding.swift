/// Makes one entry one line: control and direction characters are written as `\u{…}` (CWE-117), broken UTF-8 as
/// U+FFFD.
package enum LineEncoding {
    /// The longest text of an entry in bytes; what is behind it is cut, and said so.
    package static let limit = 4096
    private static let cut = Array("… (cut)".utf8)

    /// Cuts at ``limit``, at the beginning of a character.
    package static func bounded(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = limit
        while end > limit - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end]) + cut
    }

    /// Encodes; lines without anything to encode come back as they are.
    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        guard needsEncoding(bytes) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}".utf8
            default: result += String(scalar).utf8
            }
        }
        return result
    }

    // Where in UTF-8 the characters of the categories below begin. The signs around a mask (« and ») are the
    // most frequent bytes beyond ASCII, and none of them.
    private static func needsEncoding(_ bytes: [UInt8]) -> Bool {
        var before: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F { return true }
            switch before {
            case 0xC2 where byte < 0xA0 || byte == 0xAD: return true
            case 0xE2 where byte == 0x80 || byte == 0x81: return true
            case 0xD8...0xDC, 0xE0, 0xE1, 0xEF...0xFF: return true
            default: before = byte
            }
        }
        return false
    }
}
