/// Why a code is among those that are tried first.
public enum WeakPIN: Hashable, Sendable, CustomStringConvertible {
    /// One digit again and again.
    case oneDigit
    /// Digits in their order, up or down, also across the zero.
    case run
    /// A group that comes again (1212, 123123), or each digit twice (1122).
    case repetition
    /// A day, a day with its year, or a year.
    case date
    /// On the list of the most used codes.
    case common

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .oneDigit: "This PIN is one digit again and again."
        case .run: "The digits of this PIN stand in their order."
        case .repetition: "This PIN repeats itself."
        case .date: "This PIN looks like a date."
        case .common: "This is one of the PINs that most people choose."
        }
    }

    /// Judges ASCII digits; `nil` when nothing speaks against them.
    package init?(of digits: Span<UInt8>) {
        guard digits.count > 1 else { return nil }
        let steps = Self.steps(digits)
        if steps == 0 {
            self = .oneDigit
        } else if steps == 1 || steps == 9 {
            self = .run
        } else if Self.repeats(digits) {
            self = .repetition
        } else if Self.isDate(digits) {
            self = .date
        } else if Self.used.contains(where: { Self.equal($0, digits) }) {
            self = .common
        } else {
            return nil
        }
    }

    // The step from each digit to the next, modulo ten, when it is always the same one.
    private static func steps(_ digits: Span<UInt8>) -> Int? {
        func step(_ index: Int) -> Int { (Int(digits[index + 1]) - Int(digits[index]) + 10) % 10 }
        let first = step(0)
        return (1..<digits.count - 1).allSatisfy { step($0) == first } ? first : nil
    }

    private static func repeats(_ digits: Span<UInt8>) -> Bool {
        let count = digits.count
        for period in 2..<max(2, count / 2 + 1) where count % period == 0 {
            if (period..<count).allSatisfy({ digits[$0] == digits[$0 - period] }) { return true }
        }
        return count % 2 == 0 && stride(from: 0, to: count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
    }

    // DDMM, MMDD, a year; with six digits DDMMYY and its two other orders; with eight the same with four for the year.
    private static func isDate(_ digits: Span<UInt8>) -> Bool {
        func pair(_ index: Int) -> Int { Int(digits[index] - 0x30) * 10 + Int(digits[index + 1] - 0x30) }
        func isDay(_ day: Int, _ month: Int) -> Bool {
            (1...31).contains(pair(day)) && (1...12).contains(pair(month))
        }
        func isYear(_ index: Int) -> Bool { (1920...2039).contains(pair(index) * 100 + pair(index + 2)) }
        switch digits.count {
        case 4: return isDay(0, 2) || isDay(2, 0) || isYear(0)
        case 6: return isDay(0, 2) || isDay(2, 0) || isDay(4, 2)
        case 8:
            return isYear(4) && (isDay(0, 2) || isDay(2, 0)) || isYear(0) && (isDay(4, 6) || isDay(6, 4))
        default: return false
        }
    }

    private static func equal(_ code: String, _ digits: Span<UInt8>) -> Bool {
        let bytes = code.utf8
        guard bytes.count == digits.count else { return false }
        return zip(bytes, 0...).allSatisfy { $0 == digits[$1] }
    }

    // What the rules above do not see: columns and crosses of a keypad, even and odd digits, mirrored codes, words on a
    // keypad.
    private static let used = [
        "2580", "0852", "1397", "1379", "3179", "7931", "2468", "8642", "1357", "7531", "1470", "0741", "3690", "0963",
        "1478", "3698", "1590", "1337", "4200", "4711", "5683", "2001", "1221", "2112", "1331", "7007", "0007", "9000",
        "7000", "8000", "5000", "6000", "4000", "3000", "6969", "5150", "1236", "1258", "2589", "7410",
        "159753", "147258", "258147", "147852", "789456", "456789", "123654", "321654", "123987", "147369", "258369",
        "159357", "951753", "741852", "852456", "246810", "135790", "123321", "520520", "142536", "102030", "112358",
        "142857", "314159", "271828", "696969", "007007", "012345", "123459", "131313", "789123", "159951", "123457",
        "14725836", "12344321", "31415926", "11235813", "12345679", "87654321", "14789632", "13579246",
    ]
}
