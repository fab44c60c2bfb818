internal import PaviseJWT
internal import PavisePrimitives
internal import SecurityFramework

/// What an id_token must say before anybody is signed in (OpenID Connect Core §3.1.3.7). A pure decision.
struct IDTokenRules: Sendable {
    let issuer: String
    let clientID: String
    /// The nonce that was sent; `nil` when none was.
    let nonce: String?
    /// The access token that came with it.
    let accessToken: SharedSecretBytes
    /// The longest time since the person showed who they are, in seconds, when that was asked for.
    let maximumAge: Int64?

    /// The longest id_token that is read, in bytes.
    static let limit = 16_384

    /// Checks a verified token (oauth J5) and gives the subject.
    ///
    /// - Parameter seconds: Now, in seconds since 1970.
    func subject(of token: VerifiedToken, at seconds: Int64) throws(IDTokenProblem) -> String {
        let rules = TokenRules(issuer: issuer, audience: clientID)
        do throws(TokenProblem) { try rules.check(token, at: seconds) } catch { throw IDTokenProblem(error) }
        guard let claims = token.claims else { throw .malformed }
        try checkParty(claims)
        try checkAge(claims, at: seconds, leeway: rules.expiryLeeway)
        if let nonce {
            guard let stated = claims.string("nonce"), ConstantTime.equal(stated, nonce) else { throw .nonce }
        }
        if let stated = claims.value["at_hash"] {
            guard stated.string == Self.hash(of: accessToken, token.algorithm) else { throw .accessTokenHash }
        }
        guard let subject = claims.string("sub"), (1...255).contains(subject.utf8.count) else { throw .subject }
        return subject
    }

    // Several audiences need a party that is us; a party that is somebody else is never right.
    private func checkParty(_ claims: TokenClaims) throws(IDTokenProblem) {
        let isOnly = claims.strings("aud")?.count == 1
        guard let party = claims.value["azp"] else {
            guard isOnly else { throw .audience }
            return
        }
        guard party.string == clientID else { throw .audience }
    }

    private func checkAge(_ claims: TokenClaims, at seconds: Int64, leeway: Int64) throws(IDTokenProblem) {
        guard let maximumAge else { return }
        guard let shown = claims.moment("auth_time") else { throw .authenticationAge }
        let (age, overflow) = seconds.subtractingReportingOverflow(shown)
        guard !overflow, age <= maximumAge.addingReportingOverflow(leeway).partialValue else {
            throw .authenticationAge
        }
    }

    // The left half of the access token's hash (OpenID Connect Core §3.1.3.6); the hash is that of the signature.
    private static func hash(of token: SharedSecretBytes, _ algorithm: TokenAlgorithm) -> String {
        let digest = token.withCopy { bytes in MessageDigest.of(bytes, algorithm.digest) }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }
}
