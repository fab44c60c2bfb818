/// Base64url as RFC 4648 §5 and RFC 7515 §2 say: no padding, no other alphabet, no spare bits.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values = table(of: alphabet)

    /// The text of `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Base64.encode(bytes, alphabet: alphabet, padding: false)
    }

    /// The bytes of `text`, or `nil` for any text that ``encode(_:)`` does not give.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: Array(text.utf8)[...]) }

    /// The same for the bytes of a text.
    package static func decode(utf8 text: ArraySlice<UInt8>) -> [UInt8]? { Base64.decode(text, values: values) }

    fileprivate static func table(of alphabet: [UInt8]) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, letter) in alphabet.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }
}

/// Base64 as RFC 4648 §4 says, with padding.
package enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values = Base64URL.table(of: alphabet)

    /// The text of `bytes`, padded.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        encode(bytes, alphabet: alphabet, padding: true)
    }

    /// The bytes of `text`, or `nil` for any text that ``encode(_:)`` does not give.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: Array(text.utf8)[...]) }

    /// The same for the bytes of a text.
    package static func decode(utf8 text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var body = text
        for _ in 0..<2 where body.last == UInt8(ascii: "=") { body.removeLast() }
        return decode(body, values: values)
    }

    fileprivate static func encode(_ bytes: some Sequence<UInt8>, alphabet: [UInt8], padding: Bool) -> String {
        var letters: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                letters.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { letters.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
        while padding && letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return String(decoding: letters, as: UTF8.self)
    }

    fileprivate static func decode(_ text: ArraySlice<UInt8>, values: [UInt8]) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var next = text.startIndex
        // Four letters are three bytes; the rest one by one.
        while text.endIndex - next >= 4 {
            let four = (
                values[Int(text[next])], values[Int(text[next + 1])], values[Int(text[next + 2])],
                values[Int(text[next + 3])]
            )
            guard four.0 | four.1 | four.2 | four.3 < 64 else { return nil }
            bytes.append(four.0 << 2 | four.1 >> 4)
            bytes.append(four.1 << 4 | four.2 >> 2)
            bytes.append(four.2 << 6 | four.3)
            next += 4
        }
        var buffer: UInt32 = 0
        var bits = 0
        for letter in text[next...] {
            let value = values[Int(letter)]
            guard value != 255 else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        // Bits that belong to no byte must be zero: one sequence of bytes has one text.
        guard buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}

/// Lower-case hexadecimal text.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var letters: [UInt8] = []
        for byte in bytes {
            letters.append(digits[Int(byte >> 4)])
            letters.append(digits[Int(byte & 15)])
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The bytes of `text`; upper and lower case are read, anything else gives `nil`.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for letter in text.utf8 {
            guard let digit = value(of: letter) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Unicode.Scalar {
    /// How one line of a stranger's words shows what itself is not seen and moves other text (control and format
    /// characters, separators of lines and paragraphs): `\u{202e}`. `nil` for what is shown as it is.
    package var shownAsNumber: String? {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(value, radix: 16))}"
        default: nil
        }
    }
}
