/// What the scan does at a byte. Letters and digits only make a run longer.
enum ByteClass {
    static let letter: UInt8 = 0
    /// Ends a word, not a run of base64: `+ / - _`.
    static let soft: UInt8 = 1
    /// Ends a word and a run.
    static let hard: UInt8 = 2
    /// The same, and something may stand before or behind it.
    static let at: UInt8 = 3
    static let label: UInt8 = 4
    static let space: UInt8 = 5
    /// The same, and the line may be encoded: `% \ &`.
    static let escape: UInt8 = 6

    static let table: [UInt8] = (0...255).map { (value: Int) -> UInt8 in
        let byte = UInt8(value)
        if isAlphanumeric(byte) { return letter }
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): return soft
        case UInt8(ascii: "@"): return at
        case UInt8(ascii: ":"), UInt8(ascii: "="): return label
        case UInt8(ascii: " "): return space
        case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"): return escape
        default: return hard
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt32? {
        if isDigit(byte) { return UInt32(byte - 0x30) }
        return isHex(byte) ? UInt32((byte | 0x20) - 0x61 + 10) : nil
    }

    /// Ends a value that is not in quotes.
    static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "|"), UInt8(ascii: "`"):
            true
        default: false
        }
    }
}
