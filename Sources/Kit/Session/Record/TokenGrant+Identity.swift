internal import PavisePrimitives

extension TokenGrant {
    /// Whether a refreshed grant may go on with `record`: a bearer token, and nobody else's (SR9, oauth J5).
    ///
    /// Only what a server states otherwise is a reason to refuse. A missing or unreadable id_token is none, because the
    /// old refresh token is spent already.
    package func suits(_ record: SessionRecord) -> Bool {
        guard tokenType == nil || hasRightType else { return false }
        guard let identity = record.identity, let claims = idToken.flatMap(Self.unverifiedClaims) else {
            return true
        }
        if let issuer = claims["iss"]?.string, issuer != identity.issuer { return false }
        if let subject = claims["sub"]?.string, subject != identity.subject { return false }
        return true
    }

    // A text of the whole token could not be wiped.
    static func unverifiedClaims(_ token: SharedSecretBytes) -> JSONValue? {
        let part: String? = token.withBytes { span in
            let dots = span.indices.filter { span[$0] == UInt8(ascii: ".") }
            guard dots.count == 2 else { return nil }
            return String(decoding: (dots[0] + 1..<dots[1]).map { span[$0] }, as: UTF8.self)
        }
        guard let part, let bytes = Base64URL.decode(part) else { return nil }
        return try? JSONValue.parse(bytes)
    }
}
