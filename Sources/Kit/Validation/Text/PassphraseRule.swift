internal import Foundation
public import PavisePrimitives

/// What an app takes as a passphrase in place of a PIN: length and a list of those that are tried first (NIST SP
/// 800-63B-4 §3.1.1.2), in a form that is the same on every keyboard.
///
/// What is typed is brought to NFKC (UAX #15), and decimal digits of every script are the same digits. Blanks and
/// capitals count, and nothing is cut. Input of ASCII alone, which is in this form already, never becomes a `String`;
/// other input does while it is brought there, and that text cannot be wiped.
///
/// ```swift
/// let rule = PassphraseRule.standard
/// let text = try rule.text(in: typed)       // for a try
/// try rule.checkNew(text)                   // for a passphrase that is being chosen
/// ```
public struct PassphraseRule: Hashable, Sendable {
    /// The fewest characters, each code point as one.
    public let least: Int
    /// The person's name, the product's, the address: none of them may be most of the passphrase.
    public let words: [String]

    /// The smallest and the greatest minimum that a product may choose.
    public static let possible = 8...64
    /// The most characters that are taken.
    public static let most = 256
    /// The longest input that is looked at, in bytes.
    public static let limit = 1024
    /// Eight characters: the device's element is the other factor. Without hardware for it, 15 are better.
    public static let standard = PassphraseRule(checked: 8)

    /// A rule for at least this many characters.
    ///
    /// - Returns: `nil` when the number is not within ``possible``.
    public init?(least: Int, words: [String] = []) {
        guard Self.possible.contains(least) else { return nil }
        self.init(checked: least, words: words)
    }

    private init(checked least: Int, words: [String] = []) {
        self.least = least
        self.words = words
    }

    /// `typed` in the form that counts. The length is judged only against what is possible at all: a passphrase may be
    /// older than the rule.
    ///
    /// - Parameter typed: UTF-8, at most ``limit`` bytes.
    public func text(in typed: borrowing SecretBytes) throws(PassphraseProblem) -> SecretBytes {
        guard typed.count > 0 else { throw .tooShort(least: least) }
        guard typed.count <= Self.limit else { throw .tooLong }
        let isPlain = typed.withBytes { bytes in bytes.indices.allSatisfy { (0x20..<0x7F).contains(bytes[$0]) } }
        if isPlain {
            guard typed.count <= Self.most else { throw .tooLong }
            return typed.duplicate()
        }
        var bytes = typed.withBytes { span in Array(span) }
        defer { Wipe.bytes(&bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unreadable }
        let scalars = text.precomposedStringWithCompatibilityMapping.unicodeScalars.map(Self.plainDigit)
        guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .unreadable }
        guard !scalars.isEmpty, scalars.count <= Self.most else { throw .tooLong }
        var form = Array(String(String.UnicodeScalarView(scalars)).utf8)
        defer { Wipe.bytes(&form) }
        return SecretBytes(copying: form)
    }

    /// Judges a passphrase that is being chosen.
    ///
    /// - Parameter text: What ``text(in:)`` gave.
    public func checkNew(_ text: borrowing SecretBytes) throws(PassphraseProblem) {
        var bytes = text.withBytes { span in Array(span) }
        defer { Wipe.bytes(&bytes) }
        guard let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars else { throw .unreadable }
        guard scalars.count >= least else { throw .tooShort(least: least) }
        // What a later Unicode says of an unassigned character may be another form.
        guard !scalars.contains(where: { $0.properties.generalCategory == .unassigned }) else { throw .unreadable }
        guard scalars.contains(where: \.properties.isAlphabetic) else { throw .noLetter }
        do throws(PasswordProblem) {
            try PasswordPolicy(isSecondFactorUsed: true, most: Self.most, words: words).check(text)
        } catch {
            throw .weak(error)
        }
    }

    private static func plainDigit(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
            (0...9).contains(value)
        else { return scalar }
        return Unicode.Scalar(0x30 + UInt8(value))
    }
}

/// Why a passphrase is not taken. Nothing in it tells the passphrase.
public enum PassphraseProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer characters than needed.
    case tooShort(least: Int)
    /// More than 256 characters, or 1024 bytes.
    case tooLong
    /// No UTF-8, a control character, or one that no version of Unicode here knows.
    case unreadable
    /// Digits and signs only: that is a PIN.
    case noLetter
    /// One of those that are tried first.
    case weak(PasswordProblem)
    /// The new passphrase is the old one.
    case sameAsBefore

    /// One sentence that says what to choose instead.
    public var description: String {
        switch self {
        case .tooShort(let least):
            "A passphrase has at least \(least) characters. Several words in a row are easy to keep in mind."
        case .tooLong: "A passphrase has at most \(PassphraseRule.most) characters."
        case .unreadable: "The passphrase holds a character that cannot be typed again everywhere."
        case .noLetter: "A passphrase has letters too. Use several words that do not belong together."
        case .weak(let problem): problem.description
        case .sameAsBefore: "That is the passphrase of before. Choose another one."
        }
    }
}
