internal import PavisePrimitives

/// An id_token (OpenID Connect Core §2): parsed strictly, verified with RS256 and nothing else.
struct IDToken: Sendable {
    /// What the claims must say.
    struct Expectation: Sendable {
        let issuer: String
        let clientID: String
        /// The nonce that was sent; `nil` when none was.
        let nonce: String?
        /// The access token that came with it.
        let accessToken: SharedSecret
        /// Seconds since 1970.
        let seconds: Int64
    }

    /// The longest token, in bytes.
    private static let limit = 16_384
    private static let expiryLeeway: Int64 = 60
    private static let issueLeeway: Int64 = 300

    let claims: JSONValue
    private let signature: JSONWebSignature

    /// Reads the compact form; the payload must be an object.
    init(_ text: String) throws(IDTokenProblem) {
        guard text.utf8.count <= Self.limit else { throw .malformed }
        signature = try JSONWebSignature(text)
        guard let claims = try? JSONValue.parse(signature.payload), claims.members != nil else { throw .malformed }
        self.claims = claims
    }

    /// Verifies the signature with the one key that fits.
    func verify(with keys: KeySet) throws(IDTokenProblem) { try signature.verify(with: keys) }

    /// Checks the claims (oauth J5) and gives the subject.
    func subject(meeting expected: Expectation) throws(IDTokenProblem) -> String {
        guard claims["iss"]?.string == expected.issuer else { throw .issuer }
        try checkAudience(expected.clientID)
        try checkTimes(expected.seconds)
        if let nonce = expected.nonce {
            guard let stated = claims["nonce"]?.string, ConstantTime.equal(stated, nonce) else { throw .nonce }
        }
        if let stated = claims["at_hash"] {
            guard stated.string == Self.hash(of: expected.accessToken) else { throw .accessTokenHash }
        }
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else { throw .subject }
        return subject
    }

    private func checkAudience(_ client: String) throws(IDTokenProblem) {
        let list: [String]
        switch claims["aud"] {
        case .some(.string(let one)): list = [one]
        case .some(.array(let many)): list = many.compactMap(\.string)
        default: throw .audience
        }
        guard list.contains(client) else { throw .audience }
        let party = claims["azp"]?.string
        guard list.count == 1 || party == client, party == nil || party == client else { throw .audience }
    }

    private func checkTimes(_ now: Int64) throws(IDTokenProblem) {
        guard let end = claims["exp"]?.integer, end > now - Self.expiryLeeway else { throw .expired }
        guard let issued = claims["iat"]?.integer, issued <= now + Self.issueLeeway else { throw .notYetValid }
        guard let start = claims["nbf"] else { return }
        guard let start = start.integer, start <= now + Self.issueLeeway else { throw .notYetValid }
    }

    // The left half of the access token's SHA-256 (OpenID Connect Core §3.1.3.6).
    private static func hash(of token: SharedSecret) -> String { Base64URL.encode(token.digest.prefix(16)) }
}
