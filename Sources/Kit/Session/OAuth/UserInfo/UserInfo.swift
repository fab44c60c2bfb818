internal import PavisePrimitives

/// The claims of the UserInfo endpoint about the person who is signed in (OpenID Connect Core §5.3.2), as far as the
/// session's scopes allow.
///
/// They are the authority's statements and personal data: nothing of them is written to a log. An e-mail address
/// without ``isEmailVerified`` may belong to anybody; only ``subject`` together with the issuer identifies a person.
public struct UserInfo: Sendable {
    /// The user's identifier at the authority: that of the session's id_token.
    public let subject: String
    private let document: JSONValue

    /// Takes an answer whose subject was compared.
    init(subject: String, document: JSONValue) {
        self.subject = subject
        self.document = document
    }

    /// The whole name (`name`).
    public var name: String? { text("name") }
    /// The e-mail address (`email`).
    public var email: String? { text("email") }
    /// Whether the authority has seen that the address is the person's (`email_verified`).
    public var isEmailVerified: Bool { flag("email_verified") ?? false }

    /// A claim that is a text, by its name in OpenID Connect Core §5.1; `nil` when it is missing or something else.
    public func text(_ claim: String) -> String? { document[claim]?.string }

    /// A claim that is true or false.
    public func flag(_ claim: String) -> Bool? { document[claim]?.bool }
}

extension UserInfo: CustomStringConvertible, CustomReflectable {
    /// No claim.
    public var description: String { "«claims about a person»" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why the claims of the UserInfo endpoint could not be fetched or were refused. No case holds a claim or a token.
public enum UserInfoFailure: Error, Hashable, Sendable {
    /// The connection signs in with something else than tokens.
    case wrongMethod
    /// The metadata could not be had.
    case authority(SignInFailure)
    /// The session gave no access token, or the request failed.
    case session(SessionFailure)
    /// The metadata names no endpoint for it.
    case notOffered
    /// The metadata is that of another authority than the session's, or names an endpoint at one: it gets no token.
    case otherAuthority
    /// The session has no id_token's word on who signed in: ask for the scope `openid`, and sign in again.
    case withoutIdentity
    /// The server's status is another one than 200. 401 and 403: the session's scopes do not allow it.
    case status(Int)
    /// The answer is no JSON object of at most 64 KiB without doubled members.
    case notClaims
    /// The answer is a signed or encrypted token, which is not read. Register the client without
    /// `userinfo_signed_response_alg` and `userinfo_encrypted_response_alg`.
    case signed
    /// The answer speaks of another user, or of nobody. Nothing of it may be used (OpenID Connect Core §5.3.2).
    case otherSubject
}

extension UserInfoFailure: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        switch self {
        case .wrongMethod: "This connection has no tokens, so no authority tells who it belongs to."
        case .authority(.discovery(.transport(let failure))) where DegradedReason(failure) == .trust:
            "The authority's certificate is refused. Nothing was sent."
        case .authority(.discovery(.otherServers)):
            "The authority names servers that nobody agreed to. Nothing was sent there. Connect the account again."
        case .authority: "The authority's metadata cannot be had. Try again later."
        case .session(let failure): failure.description
        case .notOffered: "The authority tells nothing about its users. Use the id_token's subject."
        case .otherAuthority: "The metadata is not that of the session's authority. No token was sent."
        case .withoutIdentity: "Nobody was identified at the sign-in. Sign in again with the scope openid."
        case .status(let status):
            "The authority answered \(status). Ask for the scopes profile or email, and sign in again."
        case .notClaims: "The answer cannot be read. Try again later."
        case .signed: "The answer is a signed token, which is not read. Register the client for plain JSON."
        case .otherSubject: "The authority answered for another user. Nothing of the answer was used."
        }
    }
}
