public import PavisePrimitives

/// What a token endpoint granted (RFC 6749 §5.1).
public struct TokenGrant: Sendable {
    /// The access token. Never parsed: it belongs to the resource server.
    public let accessToken: SharedSecretBytes
    /// The refresh token; `nil` when the answer holds none.
    public let refreshToken: SharedSecretBytes?
    /// The id_token, unverified.
    package let idToken: SharedSecretBytes?
    /// The token type as it was written; `nil` when the answer holds none.
    package let tokenType: String?
    /// Whether the request proved possession of a key.
    package let isBound: Bool
    /// Seconds until the access token expires, counted from the receipt. 300 when the server does not say (session
    /// SR14).
    public let lifetime: Int64
    /// The scopes granted; `nil` means those that were asked for.
    public let scopes: [String]?

    /// A grant from its parts.
    package init(
        accessToken: SharedSecretBytes, refreshToken: SharedSecretBytes?, idToken: SharedSecretBytes? = nil,
        tokenType: String? = "Bearer", isBound: Bool = false, lifetime: Int64 = 300, scopes: [String]? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.tokenType = tokenType
        self.isBound = isBound
        self.lifetime = lifetime
        self.scopes = scopes
    }

    /// Whether the token type is the one that was asked for, in any case: Bearer (oauth T3), or DPoP after a proof. A
    /// bearer token in answer to a proof would be a downgrade (oauth D4).
    package var hasRightType: Bool { tokenType?.lowercased() == (isBound ? "dpop" : "bearer") }
}
