/// What a mask stands for. Its name is what a line shows in the value's place: `«email»`.
public enum MaskKind: String, Hashable, Sendable, CaseIterable {
    /// A JSON Web Token (RFC 7519), whole or the beginning of one.
    case jwt
    /// The credential behind `Bearer` (RFC 6750).
    case bearer
    /// The credential behind `DPoP` (RFC 9449).
    case dpop
    /// `user:password` in base64, with or without the word `Basic` (RFC 7617).
    case basic
    /// The value of a header field that carries a credential: `Authorization`, `Proxy-Authorization`.
    case authorization
    /// The value of `Cookie`, `Set-Cookie` or a session identifier.
    case cookie
    /// The value of a parameter of a URL: `access_token`, `code`, `sig` and so on.
    case query
    /// The value of a name that ends in `token`.
    case token
    /// The value of a name that ends in `password`, `passphrase`, `passcode`; of `pwd` and `pin`.
    case password
    /// The value of a name that ends in `secret`, `apikey`, `privatekey`, `assertion`, `verifier`.
    case secret
    /// User name and password before a server's name in a URL.
    case userinfo
    /// A PEM block (RFC 7468), to its end or to the end of the text.
    case pem
    /// A key in the form of a known service: AWS, GitHub, GitLab, Google, Slack, Stripe, npm.
    case apikey
    /// An e-mail address.
    case email
    /// A telephone number in international form: `+` and 8 to 15 digits (ITU-T E.164).
    case phone
    /// An account number (ISO 13616) whose check digits fit.
    case iban
    /// A payment card's number (ISO/IEC 7812) of a known issuer whose check digit fits.
    case card
    /// An IPv4 address in four numbers. Asked for by ``MaskPolicy/strict`` only.
    case ipv4
    /// An IPv6 address (RFC 4291). Asked for by ``MaskPolicy/strict`` only.
    case ipv6
    /// A UUID (RFC 9562). Asked for by ``MaskPolicy/strict`` only.
    case uuid
    /// 14 and more hexadecimal digits. Asked for by ``MaskPolicy/strict`` only.
    case hex
    /// 40 and more characters of base64 with letters of both cases and digits. Asked for by ``MaskPolicy/strict``
    /// only.
    case base64

    /// Kinds that say little about a person by themselves and that ordinary lines are full of.
    package var isIdentifier: Bool {
        switch self {
        case .ipv4, .ipv6, .uuid, .hex, .base64: true
        default: false
        }
    }
}

/// Which kinds are masked.
public struct MaskPolicy: Hashable, Sendable {
    /// The kinds.
    public let kinds: Set<MaskKind>
    let masksIdentifiers: Bool

    /// The kinds that are always masked, and those of `more`.
    public init(adding more: Set<MaskKind> = []) {
        kinds = Set(MaskKind.allCases.filter { !$0.isIdentifier }).union(more)
        masksIdentifiers = kinds.contains { $0.isIdentifier }
    }

    /// Everything but identifiers: what every log of Pavise does.
    public static let standard = MaskPolicy()
    /// Addresses, UUIDs and other identifiers too: for a log that leaves the house.
    public static let strict = MaskPolicy(adding: Set(MaskKind.allCases))
}

/// A masked piece of a line.
package struct MaskedRange: Hashable, Sendable {
    /// What it was.
    package let kind: MaskKind
    /// Where it began, in bytes.
    package let start: Int
    /// Where it ended.
    package let end: Int
}
