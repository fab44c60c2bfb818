internal import Foundation

/// Labels of other scripts in their ASCII form (RFC 5890 §2.3.2.1, RFC 3492).
enum InternationalLabel {
    static let prefix = "xn--"

    /// Whether a label in lower case that begins with `xn--` stands for one label of letters, as RFC 5891 §4.2 and RFC
    /// 5892 §3 say: it decodes, holds a letter outside ASCII, and every letter is the one that comparing it with others
    /// gives.
    ///
    /// Not asked are the rules for whole labels of mixed direction (RFC 5893), which registries keep.
    static func isValid(_ label: Substring) -> Bool {
        // pavise:ignore LENGTH The text is ASCII, where both counts are the same.
        guard let scalars = decode(label.dropFirst(prefix.utf8.count)), scalars.contains(where: { !$0.isASCII }),
            let first = scalars.first, first != "-", scalars.last != "-", !isMark(first)
        else { return false }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let composed = String(text).precomposedStringWithCanonicalMapping
        return scalars.allSatisfy(isLetter) && composed.unicodeScalars.elementsEqual(scalars)
    }

    // RFC 5892 §2: the exceptions first, then what changes when it is folded, then letters, digits and marks.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if exceptions.contains(scalar) { return true }
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
        }
        guard !forbidden.contains(scalar), !scalar.properties.changesWhenNFKCCaseFolded,
            !scalar.properties.isDefaultIgnorableCodePoint
        else { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    // RFC 5892 §2.6, PVALID; and what §2.6 allows in a context that registries look at: the middle dots and the Hebrew
    // signs.
    private static let exceptions: Set<Unicode.Scalar> = [
        "\u{DF}", "\u{3C2}", "\u{6FD}", "\u{6FE}", "\u{F0B}", "\u{3007}", "\u{B7}", "\u{375}", "\u{5F3}", "\u{5F4}",
        "\u{30FB}",
    ]
    // RFC 5892 §2.6, DISALLOWED.
    private static let forbidden: Set<Unicode.Scalar> = [
        "\u{640}", "\u{7FA}", "\u{302E}", "\u{302F}", "\u{3031}", "\u{3032}", "\u{3033}", "\u{3034}", "\u{3035}",
        "\u{303B}",
    ]

    // RFC 3492 §6.2. At most 59 digits come in, so that no number leaves 64 bits before it is refused.
    private static func decode(_ text: Substring) -> [Unicode.Scalar]? {
        var scalars: [Unicode.Scalar] = []
        var rest = text.utf8[...]
        if let mark = rest.lastIndex(of: UInt8(ascii: "-")) {
            guard mark != rest.startIndex else { return nil }
            scalars = rest[..<mark].map { Unicode.Scalar($0) }
            rest = rest[rest.index(after: mark)...]
        }
        guard !rest.isEmpty else { return nil }
        var (value, index, bias) = (0x80, 0, 72)
        while !rest.isEmpty {
            let start = index
            var (weight, position) = (1, 36)
            while true {
                guard let digit = rest.popFirst().flatMap(digit), weight <= 1 << 40 else { return nil }
                index += digit * weight
                guard index <= 1 << 40 else { return nil }
                let threshold = min(max(position - bias, 1), 26)
                guard digit >= threshold else { break }
                weight *= 36 - threshold
                position += 36
            }
            let count = scalars.count + 1
            bias = adapted(index - start, count, isFirst: start == 0)
            value += index / count
            index %= count
            guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init), !scalar.isASCII else { return nil }
            scalars.insert(scalar, at: index)
            index += 1
        }
        return scalars
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    // §6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var bias = 0
        while rest > 455 {
            rest /= 35
            bias += 36
        }
        return bias + 36 * rest / (rest + 38)
    }
}
