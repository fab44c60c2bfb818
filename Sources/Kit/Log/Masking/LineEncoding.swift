/// Makes one entry one line: control and direction characters are written as `\u{…}` (CWE-117), broken UTF-8 as U+FFFD.
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
        guard bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 || $0 == 0xD8 || $0 == 0xEF })
        else { return bytes }
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
}
