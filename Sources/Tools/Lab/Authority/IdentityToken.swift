internal import PaviseCrypto
internal import PavisePrimitives

/// An id token (OpenID Connect Core §2), right or wrong in one chosen way.
struct IdentityToken: Sendable {
    var issuer: String
    var clientID: String
    var grant: AuthorityLedger.Grant
    var issuedAt: Int64
    /// How long it is good.
    var lifetime: Int64
    var isRefresh: Bool
    var namesKeys: Bool
    var audienceIsArray: Bool

    /// Seconds that it is good where nothing makes it shorter.
    static let usualLifetime: Int64 = 3600

    /// The token's text.
    func text(_ keys: SigningKeys, fault: IDTokenFault?) -> String? {
        guard let key = keys.current else { return nil }
        let claims = JSONValue.object(members(fault))
        switch fault {
        case .notAToken: return "not-a-token"
        case .algorithmNone: return unsigned(["alg": "none"], claims)
        case .algorithmNull: return unsigned(["alg": .null], claims)
        case .publicKeyAsHMACKey: return hmac(key, claims)
        case .badSignature:
            return SignedToken.make(header: header(key), claims: claims) { _ in [UInt8](repeating: 1, count: 256) }
        case .unknownKeyID: return signed(key, .fields(["alg": "RS256", "kid": "unknown"]), claims)
        case .foreignKey: return foreign(header(key), claims)
        case .embeddedKey: return embedded(claims)
        case .unknownCritical:
            return signed(key, .fields(["alg": "RS256", "kid": .string(key.id), "crit": ["lab"], "lab": 1]), claims)
        default: return signed(key, header(key), claims)
        }
    }

    private func header(_ key: SigningKeys.Named) -> JSONValue {
        .fields(["alg": "RS256", "typ": "JWT", "kid": namesKeys ? .string(key.id) : nil])
    }

    private func signed(_ key: SigningKeys.Named, _ header: JSONValue, _ claims: JSONValue) -> String {
        SignedToken.make(header: header, claims: claims) { (try? key.key.sign($0)) ?? [] }
    }

    private func unsigned(_ header: KeyValuePairs<String, JSONValue?>, _ claims: JSONValue) -> String {
        SignedToken.make(header: .fields(header), claims: claims) { _ in [] }
    }

    // RFC 8725 §2.1: the public key, which everybody knows, used as a shared secret.
    private func hmac(_ key: SigningKeys.Named, _ claims: JSONValue) -> String {
        let header = JSONValue.fields(["alg": "HS256", "kid": .string(key.id)])
        return SignedToken.make(header: header, claims: claims) { HMAC.sha256(key: key.key.spki.span, $0.span) }
    }

    private func foreign(_ header: JSONValue, _ claims: JSONValue) -> String? {
        guard let other = try? IssuingKey(generating: .rsa(bits: 2048)) else { return nil }
        return SignedToken.make(header: header, claims: claims) { (try? other.sign($0)) ?? [] }
    }

    // RFC 8725 §3.10: the attacker sends its own key along and hopes that it is used.
    private func embedded(_ claims: JSONValue) -> String? {
        guard let other = try? IssuingKey(generating: .rsa(bits: 2048)) else { return nil }
        let named = SigningKeys.Named(id: "attacker", key: other)
        let header = JSONValue.fields(["alg": "RS256", "kid": "attacker", "jwk": SigningKeys.jwk(named)])
        return signed(named, header, claims)
    }

    private func members(_ fault: IDTokenFault?) -> [JSONValue.Member] {
        let expires = fault == .expired ? issuedAt - 3600 : issuedAt + lifetime
        let issued = fault == .issuedInFuture ? issuedAt + 3600 : issuedAt
        let nonce = isRefresh ? nil : grant.nonce
        let claims: [(String, JSONValue?, missing: IDTokenFault)] = [
            ("iss", .string(fault == .wrongIssuer ? "https://attacker.example" : issuer), .missingIssuer),
            ("sub", .string(fault == .wrongSubject ? "mallory" : grant.user), .missingSubject),
            ("aud", audience(fault), .missingAudience),
            ("exp", .integer(expires), .missingExpiry),
            ("iat", .integer(issued), .missingIssuedAt),
            ("auth_time", .integer(grant.signedIn), .notAToken),
            ("sid", grant.session.map { .string($0) }, .notAToken),
            ("acr", grant.level.map { .string($0) }, .notAToken),
            ("nonce", nonce.map { .string(fault == .wrongNonce ? "other" : $0) }, .missingNonce),
        ]
        return claims.compactMap { name, value, missing in
            guard fault != missing, let value else { return nil }
            return JSONValue.Member(name, value)
        }
    }

    private func audience(_ fault: IDTokenFault?) -> JSONValue {
        switch fault {
        case .wrongAudience: "somebody-else"
        case .foreignSecondAudience: .array([.string(clientID), "somebody-else"])
        default: audienceIsArray ? .array([.string(clientID)]) : .string(clientID)
        }
    }
}
