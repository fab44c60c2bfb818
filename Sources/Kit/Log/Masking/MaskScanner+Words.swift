/// Words and runs: tokens, numbers, keys that are told by their own form.
extension MaskScanner {
    /// A word of letters and digits has ended.
    mutating func lookAtWord(_ start: Int, _ end: Int) {
        let first = bytes[start]
        if first == UInt8(ascii: "e"), bytes[start + 1] == UInt8(ascii: "y"), bytes[start + 2] == UInt8(ascii: "J") {
            return lookAtJWT(start, end)
        }
        if ByteClass.isDigit(first) { return lookAtCard(start, end) }
        if ByteClass.isUpper(first), ByteClass.isUpper(bytes[start + 1]), ByteClass.isDigit(bytes[start + 2]),
            ByteClass.isDigit(bytes[start + 3])
        {
            lookAtIBAN(start)
        }
    }

    private mutating func lookAtJWT(_ start: Int, _ end: Int) {
        var index = start
        var dots = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") { dots += 1 } else if !Self.isBase64URL(byte) { break }
            index += 1
        }
        while index > start, bytes[index - 1] == UInt8(ascii: ".") { index -= 1 }
        guard index - start >= (dots > 0 ? 10 : 20) else { return }
        add(.jwt, start, index)
    }

    // MARK: Numbers

    private mutating func lookAtCard(_ start: Int, _ end: Int) {
        let length = end - start
        guard length == 4 || (13...19).contains(length) else { return }
        switch byteBefore(start) {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "@"),
            UInt8(ascii: "#"), UInt8(ascii: "$"):
            return
        default: break
        }
        guard let number = number(from: start, limit: 19), (13...19).contains(number.digits.count),
            PaymentCard.isNumber(number.digits)
        else { return }
        add(.card, start, number.end)
    }

    /// Digits with single spaces or dashes between groups of four to six.
    private func number(from start: Int, limit: Int) -> (digits: [UInt8], end: Int)? {
        var digits: [UInt8] = []
        var index = start
        var end = start
        var group = 0
        while index < bytes.count, digits.count <= limit {
            let byte = bytes[index]
            if ByteClass.isDigit(byte) {
                digits.append(byte - 0x30)
                group += 1
                end = index + 1
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-"), group >= 4,
                ByteClass.isDigit(self.byte(index + 1))
            {
                group = 0
            } else {
                break
            }
            index += 1
        }
        let next = byte(end)
        let goesOn =
            ByteClass.isLetter(next) || next == UInt8(ascii: "_")
            || (next == UInt8(ascii: ".") && ByteClass.isDigit(byte(end + 1)))
        return digits.count <= limit && !goesOn ? (digits, end) : nil
    }

    private mutating func lookAtIBAN(_ start: Int) {
        guard !ByteClass.isAlphanumeric(byteBefore(start)) else { return }
        var characters: [UInt8] = []
        var index = start
        var end = start
        while index < bytes.count, characters.count < 34 {
            let byte = bytes[index]
            if ByteClass.isDigit(byte) || ByteClass.isUpper(byte) {
                characters.append(byte)
                end = index + 1
                // Text may go on behind the number: the longest prefix of a whole group that fits is the one.
            } else if byte != UInt8(ascii: " ") || characters.count % 4 != 0
                || !ByteClass.isAlphanumeric(self.byte(index + 1))
            {
                break
            }
            index += 1
        }
        guard !ByteClass.isAlphanumeric(byte(end)) else { return }
        while characters.count >= 15 {
            if IBAN.fits(characters) { return add(.iban, start, end) }
            // Without the last group, where the number is written in groups.
            repeat {
                characters.removeLast()
                end -= 1
            } while end > start && bytes[end - 1] != UInt8(ascii: " ") && !characters.isEmpty
            while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        }
    }

    mutating func lookAtPhone(_ index: Int) {
        let previous = byteBefore(index)
        guard (0x31...0x39).contains(byte(index + 1)), !ByteClass.isAlphanumeric(previous) else { return }
        var digits = 0
        var end = index + 1
        var place = index + 1
        while place < bytes.count, digits <= 15 {
            let byte = bytes[place]
            if ByteClass.isDigit(byte) {
                digits += 1
                end = place + 1
            } else {
                guard " -./()".utf8.contains(byte), place - end < 2 else { break }
            }
            place += 1
        }
        guard (8...15).contains(digits), !ByteClass.isAlphanumeric(byte(end)) else { return }
        add(.phone, index, end)
    }

    static func isBase64URL(_ byte: UInt8) -> Bool {
        ByteClass.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

/// Check digits of payment cards (ISO/IEC 7812-1, annex B) under the ranges that issuers have.
enum PaymentCard {
    static func isNumber(_ digits: [UInt8]) -> Bool { isIssued(digits) && luhn(digits) }

    private static func isIssued(_ digits: [UInt8]) -> Bool {
        let prefix = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        return switch digits.count {
        case 13: prefix / 1000 == 4
        case 14: [36, 38, 39].contains(prefix / 100) || (300...305).contains(prefix / 10)
        case 15: [34, 37].contains(prefix / 100)
        case 16:
            prefix / 1000 == 4 || (51...55).contains(prefix / 100) || (2221...2720).contains(prefix)
                || [35, 62].contains(prefix / 100) || isDiscover(prefix)
        case 17...19: prefix / 1000 == 4 && digits.count == 19 || isDiscover(prefix) || prefix / 100 == 62
        default: false
        }
    }

    private static func isDiscover(_ prefix: Int) -> Bool {
        prefix == 6011 || prefix / 100 == 65 || (644...649).contains(prefix / 10)
    }

    private static func luhn(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let value = Int(digit) * (place % 2 == 0 ? 1 : 2)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}

/// Check digits of account numbers (ISO 13616-1, ISO/IEC 7064 MOD 97-10).
enum IBAN {
    static func fits(_ characters: [UInt8]) -> Bool {
        guard (15...34).contains(characters.count) else { return false }
        var rest = 0
        for character in characters[4...] + characters[..<4] {
            if ByteClass.isDigit(character) {
                rest = (rest * 10 + Int(character - 0x30)) % 97
            } else {
                rest = (rest * 100 + Int(character - 0x41) + 10) % 97
            }
        }
        return rest == 1
    }
}
