/// The named references that ordinary documents use (HTML, 13.5). Others stay as they are written.
enum CharacterReferences {
    static let named: [TagNameKey: UInt32] = {
        var table: [TagNameKey: UInt32] = [:]
        for (name, value) in list { table[TagNameKey(name.description.utf8)] = value }
        return table
    }()

    private static let list: [(StaticString, UInt32)] = [
        ("amp", 0x26), ("AMP", 0x26), ("lt", 0x3C), ("LT", 0x3C), ("gt", 0x3E), ("GT", 0x3E), ("quot", 0x22),
        ("QUOT", 0x22), ("apos", 0x27), ("nbsp", 0x20), ("Tab", 0x09), ("NewLine", 0x0A), ("colon", 0x3A),
        ("lpar", 0x28), ("rpar", 0x29), ("sol", 0x2F), ("num", 0x23), ("excl", 0x21), ("equals", 0x3D),
        ("auml", 0xE4), ("ouml", 0xF6), ("uuml", 0xFC), ("Auml", 0xC4), ("Ouml", 0xD6), ("Uuml", 0xDC),
        ("szlig", 0xDF), ("agrave", 0xE0), ("aacute", 0xE1), ("acirc", 0xE2), ("atilde", 0xE3), ("aring", 0xE5),
        ("aelig", 0xE6), ("ccedil", 0xE7), ("egrave", 0xE8), ("eacute", 0xE9), ("ecirc", 0xEA), ("euml", 0xEB),
        ("igrave", 0xEC), ("iacute", 0xED), ("icirc", 0xEE), ("iuml", 0xEF), ("ntilde", 0xF1), ("ograve", 0xF2),
        ("oacute", 0xF3), ("ocirc", 0xF4), ("otilde", 0xF5), ("oslash", 0xF8), ("ugrave", 0xF9), ("uacute", 0xFA),
        ("ucirc", 0xFB), ("Agrave", 0xC0), ("Eacute", 0xC9), ("Aring", 0xC5), ("Oslash", 0xD8), ("copy", 0xA9),
        ("reg", 0xAE), ("trade", 0x2122), ("sect", 0xA7), ("para", 0xB6), ("deg", 0xB0), ("plusmn", 0xB1),
        ("micro", 0xB5), ("middot", 0xB7), ("times", 0xD7), ("divide", 0xF7), ("frac12", 0xBD), ("frac14", 0xBC),
        ("laquo", 0xAB), ("raquo", 0xBB), ("ndash", 0x2013), ("mdash", 0x2014), ("lsquo", 0x2018), ("rsquo", 0x2019),
        ("sbquo", 0x201A), ("ldquo", 0x201C), ("rdquo", 0x201D), ("bdquo", 0x201E), ("bull", 0x2022),
        ("hellip", 0x2026), ("euro", 0x20AC), ("pound", 0xA3), ("yen", 0xA5), ("cent", 0xA2), ("larr", 0x2190),
        ("uarr", 0x2191), ("rarr", 0x2192), ("darr", 0x2193), ("le", 0x2264), ("ge", 0x2265), ("ne", 0x2260),
        ("infin", 0x221E), ("minus", 0x2212),
    ]

    /// Reads the reference that begins at `bytes[at]`, an `&`.
    ///
    /// Without a semicolon a name is none, unless it is one of the oldest; in an attribute none before an equals sign
    /// or a letter, since it is part of an address there (HTML, 13.2.5.73).
    ///
    /// - Returns: The character and where the text goes on; `nil` where it is none. At most 34 bytes are looked at.
    static func read(
        _ bytes: [UInt8], at: Int, end: Int, isAttribute: Bool = false
    ) -> (scalar: UInt32, next: Int)? {
        var next = at + 1
        guard next < end else { return nil }
        if bytes[next] == 0x23 { return number(bytes, next + 1, end) }
        var name = TagNameKey([])
        while next < end, name.count < 9, isAlphanumeric(bytes[next]) {
            name.append(bytes[next])
            next += 1
        }
        guard let scalar = named[name] else { return nil }
        if next < end, bytes[next] == 0x3B { return (scalar, next + 1) }
        guard isOldest(scalar), !isAttribute || next == end || (bytes[next] != 0x3D && !isAlphanumeric(bytes[next]))
        else { return nil }
        return (scalar, next)
    }

    // Of those in the list: the five signs of markup but the apostrophe, the space, and the letters of Latin 1.
    private static func isOldest(_ scalar: UInt32) -> Bool {
        [0x20, 0x22, 0x26, 0x3C, 0x3E].contains(scalar) || (0xA0...0xFF).contains(scalar)
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ end: Int) -> (scalar: UInt32, next: Int)? {
        var next = start
        let isHex = next < end && bytes[next] | 0x20 == 0x78
        if isHex { next += 1 }
        let first = next
        var value: UInt32 = 0
        while next < end, next - first < 32 {
            let byte = bytes[next]
            let digit: UInt32
            switch byte {
            case 0x30...0x39: digit = UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66:
                guard isHex else { return finish(value, first, next, bytes, end) }
                digit = UInt32(byte | 0x20) - 0x57
            default: return finish(value, first, next, bytes, end)
            }
            value = min(value * (isHex ? 16 : 10) + digit, 0x110000)
            next += 1
        }
        return finish(value, first, next, bytes, end)
    }

    private static func finish(
        _ value: UInt32, _ first: Int, _ next: Int, _ bytes: [UInt8], _ end: Int
    ) -> (scalar: UInt32, next: Int)? {
        guard next > first else { return nil }
        return (value == 0 ? 0xFFFD : value, next < end && bytes[next] == 0x3B ? next + 1 : next)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// Up to nine bytes with their case.
struct TagNameKey: Hashable, Sendable {
    private var low: UInt64 = 0
    private var last: UInt8 = 0
    private(set) var count = 0

    init(_ bytes: some Sequence<UInt8>) { for byte in bytes { append(byte) } }

    mutating func append(_ byte: UInt8) {
        if count < 8 { low |= UInt64(byte) << UInt64(8 * count) } else { last = byte }
        count += 1
    }
}
