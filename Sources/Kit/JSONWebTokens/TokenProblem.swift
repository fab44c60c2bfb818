/// Why a token is not believed (RFC 7515 §5.2, RFC 7519 §7.2, RFC 8725).
public enum TokenProblem: Error, Hashable, Sendable {
    /// Longer than is read, in bytes.
    case tooLong(limit: Int)
    /// Not three strict base64url parts with a header of JSON within bounds.
    case malformed
    /// No algorithm of ours, `none` included; or another than the key's own.
    case algorithm
    /// A header that must be understood and is not (RFC 7515 §4.1.11, RFC 7797).
    case criticalHeader
    /// No key, or more than one, fits.
    case noSuchKey
    /// The signature is wrong.
    case signature
    /// The payload is no JSON object within bounds.
    case claims
    /// The `typ` header is another.
    case type
    /// `iss` is missing or another.
    case issuer
    /// `aud` is missing or does not hold the audience.
    case audience
    /// `exp` is missing or past.
    case expired
    /// `iat` is missing, or `iat` or `nbf` is ahead.
    case notYetValid
}

extension TokenProblem: CustomStringConvertible {
    /// What is wrong and what to do next.
    public var description: String {
        switch self {
        case .tooLong(let limit): "the token is longer than \(limit) bytes; ask for a smaller one"
        case .malformed: "this is no compact signed token; ask for another one"
        case .algorithm: "the token is not signed with the algorithm of its key; configure the issuer"
        case .criticalHeader: "the token asks for an extension that is not known; configure the issuer"
        case .noSuchKey: "none of the issuer's keys fits the token; fetch the keys again"
        case .signature: "the signature is wrong; do not use the token"
        case .claims: "the token's content is no JSON object; do not use it"
        case .type: "the token is of another type; ask for the right one"
        case .issuer: "the token is of another issuer; do not use it"
        case .audience: "the token is for somebody else; do not use it"
        case .expired: "the token has expired; ask for another one"
        case .notYetValid: "the token is not valid yet; check the clock"
        }
    }
}
