public import PaviseTransport

/// The authority that a session belongs to, as it was when the session began.
///
/// It is part of the session's record: whatever discovery says later, a refresh token goes to this token endpoint and
/// to no other (session SR20). Endpoints are used exactly as the server wrote them.
public struct TokenServer: Hashable, Sendable {
    /// The issuer identifier, compared as text and never normalised (RFC 8414 §3.3).
    public let issuer: String
    /// The client identifier, public.
    public let clientID: String
    /// Where codes and refresh tokens are exchanged (RFC 6749 §3.2).
    public let tokenEndpoint: WebURL
    /// Where tokens are revoked (RFC 7009), when the server can.
    public let revocationEndpoint: WebURL?
    /// The secret of a confidential client; `nil` for a public one.
    public internal(set) var authentication: ClientAuthentication?

    /// An authority from its parts.
    public init(
        issuer: String, clientID: String, tokenEndpoint: WebURL, revocationEndpoint: WebURL? = nil,
        authentication: ClientAuthentication? = nil
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.tokenEndpoint = tokenEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.authentication = authentication
    }
}
