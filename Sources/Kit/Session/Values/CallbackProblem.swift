/// Why a callback did not complete a sign-in. In none of these cases is a token request made.
public enum CallbackProblem: Error, Hashable, Sendable {
    /// `state` is missing, doubled or another one: somebody else's callback (oauth A5).
    case otherState
    /// The attempt was completed or given up before (oauth A4).
    case alreadyUsed
    /// The query is no form data, or too long.
    case malformed
    /// The answer carries a token itself (oauth A1).
    case tokenInAnswer
    /// The server says that it names its issuer, and did not (RFC 9207 §2.4).
    case issuerMissing
    /// Another issuer, or more than one.
    case otherIssuer
    /// There is no code, or more than one.
    case codeMissing
    /// The server or the person refused; the server's error code, for example `access_denied`.
    case refused(code: String)
}
