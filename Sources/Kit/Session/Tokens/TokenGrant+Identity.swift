internal import PavisePrimitives

extension TokenGrant {
    /// Whether a refreshed grant may go on with `record`: a bearer token, and nobody else's (SR9, oauth J5).
    ///
    /// Only what a server states otherwise is a reason to refuse. A missing or unreadable id_token is none, because the
    /// old refresh token is spent already.
    package func suits(_ record: SessionRecord) -> Bool {
        guard tokenType == nil || isBearer else { return false }
        guard let identity = record.identity, let claims = idToken.flatMap({ Self.unverifiedClaims($0.text) }) else {
            return true
        }
        if let issuer = claims["iss"]?.string, issuer != identity.issuer { return false }
        if let subject = claims["sub"]?.string, subject != identity.subject { return false }
        return true
    }

    private static func unverifiedClaims(_ token: String) -> JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return try? JSONValue.parse(bytes)
    }
}
