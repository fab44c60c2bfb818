/// Makes one entry one line: control and direction characters are written as `\u{…}` (CWE-117), broken UTF-8 as
/// U+FFFD.
package enum LineEncoding {
    /// The longest text of an entry in bytes; what is behind it is cut, and said so.
    package static let limit = 4096
    /// Stands where the rest was.
    package static let cutMark = Array("… (cut)".utf8)

    /// The beginning of a text, up to a limit and to the end of a character.
    package static func beginning(of bytes: [UInt8], upTo limit: Int = limit) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = limit
        while end > limit - 4, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
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
        let all = bytes[...]
        let bytes = all.span
        let count = bytes.count
        var index = 0
        while index < count {
            let byte = bytes[index]
            index &+= 1
            if byte >= 0x20, byte < 0x7F { continue }
            if byte < 0x80 { return true }
            guard index < count else { return false }
            let next = bytes[index]
            switch byte {
            case 0xC2: if next < 0xA0 || next == 0xAD { return true }
            case 0xE2: if next == 0x80 || next == 0x81 { return true }
            case 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xE0, 0xE1: return true
            default: if byte >= 0xEF { return true }
            }
        }
        return false
    }
}
