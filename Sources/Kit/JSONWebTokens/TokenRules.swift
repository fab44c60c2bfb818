internal import PavisePrimitives

/// What a verified token's claims must say (RFC 7519 §4.1, RFC 8725 §3). A pure decision: the caller brings the time.
public struct TokenRules: Hashable, Sendable {
    /// `iss`, compared as text.
    public var issuer: String
    /// Must stand in `aud`.
    public var audience: String
    /// The `typ` header that is demanded, for example `at+jwt` (RFC 9068 §2.1); `nil` demands none. Case and a prefix
    /// `application/` do not count (RFC 7515 §4.1.9).
    public var type: String?
    /// How many seconds an expired token is accepted longer.
    public var expiryLeeway: Int64 = 60
    /// How many seconds `iat` and `nbf` may be ahead.
    public var issueLeeway: Int64 = 300

    /// Rules with the usual leeways.
    public init(issuer: String, audience: String, type: String? = nil) {
        self.issuer = issuer
        self.audience = audience
        self.type = type
    }

    /// Checks type, issuer, audience and times.
    ///
    /// - Parameters:
    ///   - token: A token whose signature was verified.
    ///   - seconds: Now, in seconds since 1970.
    /// - Throws: ``TokenProblem``, the first that is wrong.
    public func check(_ token: VerifiedToken, at seconds: Int64) throws(TokenProblem) {
        guard let claims = token.claims else { throw .claims }
        if let type { guard Self.essence(token.type) == Self.essence(type) else { throw .type } }
        guard claims.string("iss") == issuer else { throw .issuer }
        guard claims.strings("aud")?.contains(audience) ?? false else { throw .audience }
        guard let end = claims.moment("exp"), isAfter(seconds, end, expiryLeeway) else { throw .expired }
        guard let issued = claims.moment("iat"), isReached(issued, seconds) else { throw .notYetValid }
        guard claims.value["nbf"] != nil else { return }
        guard let start = claims.moment("nbf"), isReached(start, seconds) else { throw .notYetValid }
    }

    // Times of strangers may be anything: nothing here overflows.
    private func isAfter(_ now: Int64, _ end: Int64, _ leeway: Int64) -> Bool {
        let (latest, overflow) = end.addingReportingOverflow(leeway)
        return overflow ? end > 0 : latest > now
    }

    private func isReached(_ start: Int64, _ now: Int64) -> Bool {
        let (latest, overflow) = now.addingReportingOverflow(issueLeeway)
        return overflow || start <= latest
    }

    private static func essence(_ type: String?) -> String? {
        guard let type = type?.lowercased() else { return nil }
        return type.hasPrefix("application/") ? String(type.dropFirst(12)) : type
    }
}
