public import PavisePrimitives

/// What is taken as a new password: length and a list of those that are tried first, as NIST SP 800-63B-4 §3.1.1.2
/// says. No rules of composition, and no end of validity: both make passwords worse.
///
/// ```swift
/// let policy = PasswordPolicy(
///     isSecondFactorUsed: false, blocklist: { leaked.contains($0) }, words: ["ada", "example"])
/// try policy.check(typed)
/// ```
public struct PasswordPolicy: Sendable {
    /// The fewest characters: 15 where the password is all there is, 8 beside a second factor.
    public let least: Int
    /// The most characters that are taken: at least 64 have to be. Nothing is ever cut.
    public let most: Int
    private let isListed: @Sendable (String) -> Bool
    private let words: [String]

    /// The longest input that is looked at, in bytes.
    public static let limit = 4096

    /// A policy.
    ///
    /// - Parameters:
    ///   - isSecondFactorUsed: Whether somebody who knows the password still lacks something.
    ///   - most: 64 or more characters.
    ///   - blocklist: Says whether a password, in lower case, is known to thieves; beside the small list of the kit.
    ///   - words: The person's name, the product's, the address: none of them may be most of the password.
    public init(
        isSecondFactorUsed: Bool = false, most: Int = 256,
        blocklist: @escaping @Sendable (String) -> Bool = { _ in false },
        words: [String] = []
    ) {
        least = isSecondFactorUsed ? 8 : 15
        self.most = max(64, most)
        isListed = blocklist
        self.words = words.map { $0.lowercased() }.filter { $0.utf8.count >= 3 }
    }

    /// Judges a password that is being chosen. Its characters are counted as a person counts them, each code point as
    /// one.
    ///
    /// The list needs a text, which cannot be wiped; it lives as long as this call.
    /// - Throws: ``PasswordProblem``, which says what to change.
    public func check(_ password: borrowing SecretBytes) throws(PasswordProblem) {
        guard password.count <= Self.limit else { throw .tooLong(most: most) }
        var bytes = password.withBytes { span in Array(span) }
        defer { Wipe.bytes(&bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unreadable }
        let count = text.unicodeScalars.count
        guard count >= least else { throw .tooShort(least: least) }
        guard count <= most else { throw .tooLong(most: most) }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .unreadable
        }
        try check(text.lowercased())
    }

    private func check(_ lower: String) throws(PasswordProblem) {
        if Self.isRepetition(lower) { throw .repetition }
        if Self.isRun(lower) { throw .run }
        if Self.known.contains(lower) || isListed(lower) { throw .known }
        // “password2024!!!!” is the listed word with an ornament.
        let core = String(lower.unicodeScalars.filter { $0.properties.isAlphabetic })
        if Self.known.contains(core), core.count * 2 >= lower.count { throw .known }
        for word in words where lower.contains(word) && word.count * 2 >= lower.count { throw .personal }
    }

    // A group of at most four characters again and again.
    private static func isRepetition(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return (1...4).contains { period in
            scalars.count >= period * 2 && (period..<scalars.count).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
    }

    private static func isRun(_ text: String) -> Bool {
        let values = text.unicodeScalars.map { Int64($0.value) }
        let steps = Set(zip(values.dropFirst(), values).map { $0 - $1 })
        return steps == [1] || steps == [-1]
    }

    // Only what passes the lengths at all matters; and the words that people add ornaments to.
    private static let known: Set<String> = [
        "password", "passwort", "passphrase", "motdepasse", "contraseña", "qwertyuiop", "qwertzuiop", "azertyuiop",
        "asdfghjkl", "iloveyou", "ichliebedich", "sunshine", "princess", "football", "baseball", "superman", "letmein",
        "trustno1", "welcome", "willkommen", "bienvenue", "administrator", "administrador", "changeme", "changeit",
        "correcthorsebatterystaple", "correct horse battery staple", "passwordpassword", "123456789012345",
        "qwertyuiopasdfghjkl", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv", "qazwsxedcrfvtgb", "thequickbrownfox",
        "iloveyouforever", "letmeinletmein", "opensesame", "whatsupdoc", "starwars", "pokemon123", "abc123456",
    ]
}

/// Why a password is not taken. Nothing in it tells the password.
public enum PasswordProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer characters than needed.
    case tooShort(least: Int)
    /// More characters than are taken.
    case tooLong(most: Int)
    /// No UTF-8, or a control character.
    case unreadable
    /// A few characters again and again.
    case repetition
    /// Characters in their order.
    case run
    /// On a list of passwords that are tried first.
    case known
    /// Mostly a name that others know.
    case personal

    /// One sentence that says what to choose instead.
    public var description: String {
        switch self {
        case .tooShort(let least): "Use at least \(least) characters. Several words in a row are easy to keep in mind."
        case .tooLong(let most): "Use at most \(most) characters."
        case .unreadable: "The password holds a character that cannot be typed again everywhere."
        case .repetition: "The password repeats a few characters. Use several words that do not belong together."
        case .run: "The password is characters in their order. Use several words that do not belong together."
        case .known: "Thieves try this password first. Use several words that do not belong together."
        case .personal: "The password is mostly a name that others know. Add words that have nothing to do with it."
        }
    }
}
