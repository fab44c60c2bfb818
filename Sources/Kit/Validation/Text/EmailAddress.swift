/// An e-mail address, read once.
///
/// Two readings: ``init(_:)`` takes what people mean by an address (and what mail servers deliver to);
/// ``init(addrSpec:)`` takes every `addr-spec` of RFC 5322 §3.4.1 without comments and folding, with quoted local parts
/// and address literals. Nothing says that somebody reads mail there: send a message to know.
public struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    /// What stands before the `@`, as it was written; with its quotes, where it has some.
    public let localPart: String
    /// What stands behind the `@`, in lower case; an address literal with its brackets.
    public let domain: String

    /// The whole address.
    public var description: String { "\(localPart)@\(domain)" }

    /// Reads what people mean: letters, digits and the signs of RFC 5322 `atext`, dots between them, then a domain name
    /// with at least one dot. Blanks around it are left out, as a keyboard's completion adds them. Letters outside
    /// ASCII are refused in the local part; a domain is written in its `xn--` form.
    ///
    /// - Throws: ``EmailProblem``, which says what to change.
    public init(_ text: String) throws(EmailProblem) {
        let trimmed = text.unicodeScalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        let address = String(String.UnicodeScalarView(trimmed))
        (localPart, domain) = try Self.parts(address)
        try Self.checkDotAtom(localPart)
        guard domain.utf8.contains(UInt8(ascii: ".")) else { throw .domain(domain) }
        try Self.checkName(domain)
    }

    /// Reads an `addr-spec` of RFC 5322 §3.4.1.
    ///
    /// - Throws: ``EmailProblem``.
    public init(addrSpec text: String) throws(EmailProblem) {
        (localPart, domain) = try Self.parts(text)
        if localPart.hasPrefix("\"") { try Self.checkQuoted(localPart) } else { try Self.checkDotAtom(localPart) }
        if domain.hasPrefix("[") { try Self.checkLiteral(domain) } else { try Self.checkName(domain) }
    }

    // RFC 5321 §4.5.3.1: 64 bytes, 255 bytes; and 254 for the whole, because of the path's two brackets.
    private static func parts(_ text: String) throws(EmailProblem) -> (String, String) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 254 else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .forbiddenCharacter }
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { throw .missingAt }
        let local = String(text[..<at])
        let domain = String(text[text.index(after: at)...]).lowercased()
        guard !local.isEmpty else { throw .localPart }
        guard local.utf8.count <= 64 else { throw .tooLong }
        guard !domain.isEmpty else { throw .domain("") }
        return (local, domain)
    }

    private static func checkDotAtom(_ text: String) throws(EmailProblem) {
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        guard atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isAtomText) }) else { throw .localPart }
    }

    // RFC 5322 §3.2.3.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }

    // RFC 5322 §3.2.4: qtext and quoted pairs between two quotes.
    private static func checkQuoted(_ text: String) throws(EmailProblem) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.last == 0x22 else { throw .localPart }
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                throw .localPart
            }
        }
        guard !isEscaped else { throw .localPart }
    }

    // RFC 5321 §4.1.3: an IPv4 address, or one that says its kind. What stands in it is not looked up.
    private static func checkLiteral(_ text: String) throws(EmailProblem) {
        let content = text.utf8.dropFirst().dropLast()
        guard text.hasSuffix("]"), !content.isEmpty, content.allSatisfy({ $0 > 0x20 && !(0x5B...0x5D).contains($0) })
        else { throw .domain(text) }
    }

    private static func checkName(_ text: String) throws(EmailProblem) {
        guard HostName.isUsable(text), !text.hasSuffix("."), !HostName.endsInNumber(text) else { throw .domain(text) }
    }
}

/// Why a text is no e-mail address.
public enum EmailProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was typed.
    case empty
    /// Longer than mail servers take: 64 bytes before the `@`, 254 in all.
    case tooLong
    /// There is no `@`.
    case missingAt
    /// A control character, or a letter outside ASCII.
    case forbiddenCharacter
    /// What stands before the `@`.
    case localPart
    /// What stands behind the `@`.
    case domain(String)

    /// One sentence that says what to change.
    public var description: String {
        switch self {
        case .empty: "Type an e-mail address, for example ada@example.org."
        case .tooLong: "This is longer than an e-mail address can be."
        case .missingAt: "An e-mail address has an @ in it, for example ada@example.org."
        case .forbiddenCharacter: "An e-mail address has plain letters, digits and signs only."
        case .localPart: "What stands before the @ is not complete: look for two dots, a dot at its end, or a blank."
        case .domain(""): "What stands behind the @ is missing, for example example.org."
        case .domain: "What stands behind the @ is no domain, such as example.org."
        }
    }
}
