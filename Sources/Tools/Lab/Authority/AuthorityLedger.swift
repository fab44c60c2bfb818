/// What the authority knows: codes, families of tokens, counts. A value: it has no clock and no network.
struct AuthorityLedger: Sendable {
    /// What a person granted to a client.
    struct Grant: Hashable, Sendable {
        var user: String
        var scope: String
        var nonce: String?
        var redirect: String
        var challenge: String?
        var expires: Int64
        var signedIn: Int64
        /// The client that it was granted to.
        var client: String
        /// The thumbprint that the authorization request named (`dpop_jkt`, RFC 9449 §10): the code is for this key
        /// alone.
        var proofKey: String?
        /// The authority's name for the session (`sid`).
        var session: String?
        /// The level that was asked for, and that this authority always gives (`acr`).
        var level: String?
        /// The servers that the sign-in named (RFC 8707 §2.1): its tokens are for these alone.
        var resources: [String] = []
    }

    /// All tokens that descend from one sign-in.
    struct Family: Sendable {
        var grant: Grant
        /// The thumbprint of the key that its tokens are bound to.
        var thumbprint: String?
        /// The thumbprint of the certificate that its tokens are bound to (RFC 8705 §3.1).
        var certificate: String?
        /// When it was used last: the sign-in, a refresh, a call with one of its access tokens.
        var lastUse: Int64
        /// Why it is over; `nil` while it lives.
        var ending: Ending?
        var generation = 0

        var isOver: Bool { ending != nil }
    }

    /// Why a family is over.
    enum Ending: String, Hashable, Sendable {
        case revoked = "the session was revoked"
        case idle = "the session was not used for too long"
        case maximum = "the longest session time has passed"
    }

    /// One token.
    struct Token: Sendable {
        var family: Int
        var isRefresh: Bool
        var expires: Int64
        /// The servers that an access token is for (RFC 8707); none where nobody named one.
        var audience: [String] = []
        var isRevoked = false
        /// When a refresh token was replaced, and what the answer was.
        var spent: (at: Int64, answer: GrantedTokens)?
    }

    /// The content of a successful token answer.
    struct GrantedTokens: Sendable {
        var accessToken: String
        var refreshToken: String?
        var lifetime: Int64
        var scope: String
        var grant: Grant
        var issuedAt: Int64
        var isRefresh: Bool
    }

    /// Why a token request is refused (RFC 6749 §5.2).
    struct Refusal: Error, Hashable, Sendable {
        var code: String
        var reason: String
    }

    var codes: [String: (grant: Grant, family: Int?)] = [:]
    var devices: [String: Device] = [:]
    var families: [Family] = []
    var tokens: [String: Token] = [:]
    var issued: [IssuedToken] = []
    var counters = AuthorityCounters()

    /// Refuses a proof for the tokens of `token`'s family by another key than the one they are bound to.
    func checkBinding(of token: String, to thumbprint: String?) throws(Refusal) {
        guard let known = tokens[token], families[known.family].thumbprint != thumbprint else { return }
        throw Refusal(code: "invalid_grant", reason: "bound to another key")
    }

    /// Refuses a refresh token to another certificate than the one that its tokens are bound to.
    func checkCertificate(of token: String?, _ certificate: String?) throws(Refusal) {
        guard let known = token.flatMap({ tokens[$0] }), let bound = families[known.family].certificate,
            bound != certificate
        else { return }
        throw Refusal(code: "invalid_grant", reason: "bound to another certificate")
    }

    /// Refuses a code to another key than the one that its request named (RFC 9449 §10).
    func checkBinding(ofCode code: String, to thumbprint: String?) throws(Refusal) {
        guard let named = codes[code]?.grant.proofKey, named != thumbprint else { return }
        throw Refusal(code: "invalid_grant", reason: "the code is for another key")
    }

    /// The family of a refresh or access token that may be used now.
    func family(of token: String, isRefresh: Bool, at now: Int64) -> Family? {
        guard let known = tokens[token], known.isRefresh == isRefresh, !known.isRevoked, known.expires > now else {
            return nil
        }
        let family = families[known.family]
        return family.isOver ? nil : family
    }

    /// Whether `token` was issued and can no longer be used because somebody took it back.
    func isRevoked(_ token: String) -> Bool {
        guard let known = tokens[token] else { return false }
        return known.isRevoked || families[known.family].ending == .revoked
    }

    /// Revokes as RFC 7009 §2.1: a refresh token takes its whole family along, also one that was spent; an access token
    /// does where `endsSession` says so.
    ///
    /// - Throws: ``Refusal`` for the token of another client; nothing was revoked.
    mutating func revoke(_ token: String, by client: String, endsSession: Bool) throws(Refusal) {
        guard let known = tokens[token] else {
            counters.revocations += 1
            return
        }
        guard families[known.family].grant.client == client else {
            throw Refusal(code: "unauthorized_client", reason: "the token of another client")
        }
        counters.revocations += 1
        tokens[token]?.isRevoked = true
        if known.isRefresh || endsSession { endFamily(known.family) }
    }

    /// Ends whatever a client was given, as its deletion does (RFC 7592 §2.3).
    mutating func endAll(of client: String) {
        for number in families.indices where families[number].grant.client == client { endFamily(number) }
        codes = codes.filter { $0.value.grant.client != client }
        devices = devices.filter { $0.value.client != client }
    }

    /// Ends a family; counted once.
    mutating func endFamily(_ number: Int) {
        guard !families[number].isOver else { return }
        families[number].ending = .revoked
        counters.revokedFamilies += 1
    }
}
