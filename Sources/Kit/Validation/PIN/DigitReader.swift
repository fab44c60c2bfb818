/// Reads decimal digits of any script from UTF-8, one after the other, without a `String` that could not be wiped.
struct DigitReader {
    private var position = 0
    private let count: Int

    init(count: Int) { self.count = count }

    /// The next digit's value; 255 for anything that is no digit; `nil` at the end.
    mutating func next(_ bytes: Span<UInt8>) -> UInt8? {
        guard position < count else { return nil }
        guard let scalar = scalar(bytes), scalar.properties.numericType == .decimal,
            let value = scalar.properties.numericValue, (0...9).contains(value)
        else { return 255 }
        return UInt8(value)
    }

    // RFC 3629 §4: the shortest form only, no surrogates, nothing beyond U+10FFFF.
    private mutating func scalar(_ bytes: Span<UInt8>) -> Unicode.Scalar? {
        let first = UInt32(bytes[position])
        position += 1
        let more: Int
        var value: UInt32
        switch first {
        case 0..<0x80: return Unicode.Scalar(first)
        case 0xC2..<0xE0: (more, value) = (1, first & 0x1F)
        case 0xE0..<0xF0: (more, value) = (2, first & 0x0F)
        case 0xF0..<0xF5: (more, value) = (3, first & 0x07)
        default: return nil
        }
        for _ in 0..<more {
            guard position < count, bytes[position] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[position] & 0x3F)
            position += 1
        }
        guard value >= (more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000) else { return nil }
        return Unicode.Scalar(value)
    }
}
