internal import PaviseJWT

/// What is wrong with an id_token (OpenID Connect Core §3.1.3.7, RFC 8725).
public enum IDTokenProblem: Error, Hashable, Sendable {
    /// Asked for with `openid`, and not given.
    case missing
    /// Not three strict base64url parts of JSON within bounds.
    case malformed
    /// Any algorithm but the accepted ones (RS256 unless the app says otherwise), `none` included; or another than the
    /// key's own.
    case algorithm
    /// A header that must be understood and is not (RFC 7515 §4.1.11).
    case criticalHeader
    /// The authority's keys could not be had.
    case keysUnavailable
    /// The certificate of the server with the authority's keys was refused; nothing was sent. Also a security event.
    case keysUntrusted
    /// No key, or more than one, fits.
    case noSuchKey
    /// The key set names one key twice, mixes secrets with public keys, or is too long.
    case unusableKey
    /// The signature is wrong.
    case signature
    /// `iss` is another.
    case issuer
    /// `aud` does not hold the client, or holds others without naming it in `azp`.
    case audience
    /// `exp` is missing or more than 60 s ago.
    case expired
    /// `iat` is missing, or `iat` or `nbf` is more than 300 s ahead.
    case notYetValid
    /// `nonce` is missing or another.
    case nonce
    /// `sub` is missing, empty or too long.
    case subject
    /// `at_hash` belongs to another access token.
    case accessTokenHash
    /// `auth_time` is missing or too long ago, and a maximum age was asked for.
    case authenticationAge
}

extension IDTokenProblem {
    /// A token's problem in the words of an id_token.
    init(_ problem: TokenProblem) {
        self =
            switch problem {
            case .tooLong, .malformed, .claims, .type: .malformed
            case .algorithm: .algorithm
            case .criticalHeader: .criticalHeader
            case .noSuchKey: .noSuchKey
            case .signature: .signature
            case .issuer: .issuer
            case .audience: .audience
            case .expired: .expired
            case .notYetValid: .notYetValid
            }
    }
}
