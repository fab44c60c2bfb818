/// Why a client was not registered. Nothing was stored.
public enum RegistrationProblem: Error, Hashable, Sendable {
    /// The authority has no endpoint for it.
    case notOffered
    /// The authority refused; its error code (RFC 7591 §3.2.2).
    case refused(code: String)
    /// The answer registers other redirect addresses than were sent: codes could go elsewhere.
    case otherRedirects
    /// The answer's client identifier is missing, or no visible ASCII of 1 to 256 characters.
    case unusableClient
    /// The answer wants an authentication of the client that was not asked for, or its secret is none.
    case unusableAuthentication
    /// What came is no answer: HTML, a redirect, too large, doubled members, another status.
    case unusableAnswer
    /// No answer came. `trust`: the authority's certificate was refused and nothing was sent, which is also a security
    /// event.
    case unavailable(DegradedReason)
}
