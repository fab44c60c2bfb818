/// What a text of a setting has to look like: one that the authority could not live with is none of its values.
struct AuthorityValueForm: Sendable {
    /// For people.
    let words: String
    /// Whether a text has the form.
    let isRight: @Sendable (String) -> Bool

    /// `/realms/one`, or nothing.
    static let issuerPath = AuthorityValueForm(words: "nothing, or a path such as /realms/one") { text in
        text.isEmpty
            || text.hasPrefix("/") && !text.hasSuffix("/") && !text.contains("//") && consists(text, of: "-._~/")
    }
    /// What stands in the certificate and leads to loopback.
    static let host = one(of: ["127.0.0.1", "localhost"])
    /// RFC 6749 appendix A.1, A.2.
    static let printable = AuthorityValueForm(words: "letters, digits and signs") { text in
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
    /// `alice.example`.
    static let hostName = AuthorityValueForm(words: "a host name") { text in
        !text.isEmpty && !text.hasPrefix(".") && consists(text, of: "-.")
    }
    /// An address with its scheme.
    static let address = AuthorityValueForm(words: "addresses") { isAddress($0) }
    /// RFC 8707 §2.
    static let resource = AuthorityValueForm(words: "addresses without “#”") { isAddress($0) && !$0.contains("#") }
    /// RFC 6749 §3.3.
    static let scope = AuthorityValueForm(words: "names of scopes") { isScope($0) }
    /// Several, with a blank between.
    static let scopes = AuthorityValueForm(words: "names of scopes with a blank between") { text in
        text.split(separator: " ", omittingEmptySubsequences: false).allSatisfy { isScope(String($0)) }
    }
    /// RFC 6749 appendix A.13; it stands in tokens, addresses and fields.
    static let word = AuthorityValueForm(words: "letters, digits, “-”, “.” and “_”") { text in
        !text.isEmpty && consists(text, of: "-._")
    }
    /// RFC 7636 §4.2.
    static let challengeMethod = one(of: ["S256", "plain"])
    /// What the authority checks.
    static let authentication = one(of: ["client_secret_basic", "client_secret_post"])

    private static func one(of values: [String]) -> AuthorityValueForm {
        AuthorityValueForm(words: values.joined(separator: " or ")) { values.contains($0) }
    }

    private static func isScope(_ text: String) -> Bool {
        !text.isEmpty && !text.contains("\"") && !text.contains("\\")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let mark = text.firstIndex(of: ":"), mark != text.startIndex else { return false }
        let scheme = String(text[..<mark])
        return consists(scheme, of: "+-.") && scheme.first?.isLetter == true
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.index(after: mark) != text.endIndex
    }

    // Beside letters and digits of ASCII.
    private static func consists(_ text: String, of more: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || more.contains($0) }
    }
}
