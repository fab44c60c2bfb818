public import PavisePrimitives

/// What an app takes as a PIN: a number of digits, and none of the codes that are tried first (app-lock AL4).
///
/// Digits of every script count: what a person types on an Arabic keyboard is the same PIN as on a Latin one. Nothing
/// else does: no blanks, no signs, no letters.
///
/// ```swift
/// let rule = PINRule.standard
/// let digits = try rule.digits(in: typed)     // for a try
/// try rule.checkNew(digits)                   // for a PIN that is being chosen
/// ```
public struct PINRule: Hashable, Sendable {
    /// How many digits a new PIN may have.
    public let length: ClosedRange<Int>

    /// The fewest and the most digits that any product may choose.
    public static let possible = 4...16
    /// 4 to 6 digits. Six are recommended: a guess is a hundred times less likely to be right.
    public static let standard = PINRule(checked: 4...6)

    /// A rule for this many digits.
    ///
    /// - Returns: `nil` when the range is not within ``possible``.
    public init?(length: ClosedRange<Int>) {
        guard Self.possible.contains(length.lowerBound), Self.possible.contains(length.upperBound) else { return nil }
        self.length = length
    }

    private init(checked length: ClosedRange<Int>) { self.length = length }

    /// The digits of `typed` as ASCII. The length is judged only against ``possible``: a PIN may be older than the
    /// rule.
    ///
    /// - Parameter typed: UTF-8, at most four bytes for each digit.
    public func digits(in typed: borrowing SecretBytes) throws(PINProblem) -> SecretBytes {
        // Every decimal digit has at most four bytes of UTF-8.
        guard typed.count <= 4 * Self.possible.upperBound else { throw .length(length) }
        var digits = [UInt8](repeating: 0, count: Self.possible.upperBound + 1)
        defer { Wipe.bytes(&digits) }
        var count = 0
        let isRead = typed.withBytes { bytes in
            var reader = DigitReader(count: bytes.count)
            while let digit = reader.next(bytes) {
                guard digit <= 9, count <= Self.possible.upperBound else { return false }
                digits[count] = 0x30 + digit
                count += 1
            }
            return true
        }
        guard isRead else { throw .notDigits }
        guard Self.possible.contains(count) else { throw .length(length) }
        return SecretBytes(count: count) { target in
            for index in 0..<count { target[index] = digits[index] }
        }
    }

    /// Judges a PIN that is being chosen.
    ///
    /// - Parameters:
    ///   - digits: What ``digits(in:)`` gave.
    ///   - old: The PIN that it replaces.
    public func checkNew(
        _ digits: borrowing SecretBytes, replacing old: borrowing SecretBytes
    ) throws(PINProblem) {
        guard !digits.matches(old) else { throw .sameAsBefore }
        try checkNew(digits)
    }

    /// Judges a first PIN.
    public func checkNew(_ digits: borrowing SecretBytes) throws(PINProblem) {
        guard length.contains(digits.count) else { throw .length(length) }
        let weakness = digits.withBytes { WeakPIN(of: $0) }
        if let weakness { throw .weak(weakness) }
    }
}

/// Why a PIN is not taken. Nothing in it tells the PIN.
public enum PINProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too short or too long.
    case length(ClosedRange<Int>)
    /// Something that is no digit.
    case notDigits
    /// One of the codes that are tried first.
    case weak(WeakPIN)
    /// The new PIN is the old one.
    case sameAsBefore

    /// One sentence that says what to choose instead.
    public var description: String {
        switch self {
        case .length(let range) where range.lowerBound == range.upperBound:
            "A PIN has \(range.lowerBound) digits."
        case .length(let range): "A PIN has \(range.lowerBound) to \(range.upperBound) digits."
        case .notDigits: "A PIN has digits only."
        case .weak(let weakness): "\(weakness.description) Choose digits that nobody tries first."
        case .sameAsBefore: "That is the PIN of before. Choose another one."
        }
    }
}
