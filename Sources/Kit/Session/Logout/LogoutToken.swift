package import PaviseJWT
package import PavisePrimitives
package import PaviseTransport
internal import PaviseVault

/// Why a logout token counts for nothing (OpenID Connect Back-Channel Logout 1.0 §2.6). Each is worth a log: somebody
/// may be trying to end other people's sessions.
package enum LogoutTokenProblem: Error, Hashable, Sendable {
    /// Its form, signature, issuer, audience or times.
    case token(IDTokenProblem)
    /// It is another kind of token: `typ` is not `logout+jwt`.
    case type
    /// It does not say that a session ended.
    case events
    /// It has a nonce, as an id_token has.
    case nonce
    /// It names nobody: neither a subject nor a session.
    case nobody
    /// It has no identifier of its own, or came before.
    case replayed
}

/// What is known of the session that a logout token may be about: from its id_token.
package struct KnownSession: Hashable, Sendable {
    package let issuer: String
    package let subject: String
    /// The authority's name for the session (`sid`), where it told one.
    package let sessionID: String?
    /// When the authority wrote the id_token, in seconds by its own clock.
    package let issued: Int64

    package init(issuer: String, subject: String, sessionID: String?, issued: Int64) {
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
        self.issued = issued
    }

    /// Reads the claims of an id_token that was verified when it came.
    package init?(idToken text: SharedSecretBytes) {
        guard let claims = TokenGrant.unverifiedClaims(text), let issuer = claims["iss"]?.string,
            let subject = claims["sub"]?.string, let issued = TokenClaims(claims)?.moment("iat")
        else { return nil }
        self.init(issuer: issuer, subject: subject, sessionID: claims["sid"]?.string, issued: issued)
    }
}

/// Judges logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.6), each once. A value: it has no clock and no
/// network.
package struct LogoutTokenRules: Sendable {
    /// The longest token that is read, in bytes.
    package static let limit = 16_384
    /// The `typ` of a logout token (§2.4).
    package static let type = "logout+jwt"
    /// The event that it has to tell (§2.4).
    static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The most identifiers that are remembered; with more, those that end first go.
    static let remembered = 1_000

    private let clientID: String
    private var seen: [String: Int64] = [:]

    /// Rules for the client `clientID`.
    package init(clientID: String) { self.clientID = clientID }

    /// Judges a token whose signature holds.
    ///
    /// - Parameters:
    ///   - seconds: Now, in seconds since 1970.
    ///   - session: The session that may be meant.
    /// - Returns: Whether it ends `session`; `false` for another one, and for one from before it.
    package mutating func ends(
        _ session: KnownSession, by token: VerifiedToken, at seconds: Int64
    ) throws(LogoutTokenProblem) -> Bool {
        do throws(TokenProblem) {
            try TokenRules(issuer: session.issuer, audience: clientID, type: Self.type).check(token, at: seconds)
        } catch {
            guard error != .type else { throw .type }
            throw .token(IDTokenProblem(error))
        }
        guard let claims = token.claims, let end = claims.moment("exp"), let issued = claims.moment("iat") else {
            throw .token(.malformed)
        }
        guard claims.value["events"]?[Self.event]?.members != nil else { throw .events }
        guard claims.value["nonce"] == nil else { throw .nonce }
        let (subject, sessionID) = (claims.string("sub"), claims.string("sid"))
        guard subject != nil || sessionID != nil else { throw .nobody }
        try remember(claims.string("jti"), until: end, at: seconds)
        if let subject, subject != session.subject { return false }
        // A session that the authority did not name is one of the subject's.
        if let sessionID, let own = session.sessionID, own != sessionID { return false }
        guard subject != nil || session.sessionID != nil else { return false }
        // Both by the authority's clock: one from before this sign-in is about a session before it.
        return issued >= session.issued
    }

    private mutating func remember(
        _ name: String?, until end: Int64, at seconds: Int64
    ) throws(LogoutTokenProblem) {
        guard let name, (1...255).contains(name.utf8.count), seen[name] == nil else { throw .replayed }
        // The leeway of an end is 60 s.
        seen = seen.filter { $0.value > seconds - 120 }
        if seen.count >= Self.remembered, let first = seen.min(by: { $0.value < $1.value }) { seen[first.key] = nil }
        seen[name] = end
    }
}

/// Checks the logout tokens that reach one session, with the keys that its authority publishes.
package actor LogoutVerifier {
    private let keys: IssuerKeys
    private let time: TimeSource
    private var rules: LogoutTokenRules

    /// - Parameters:
    ///   - client: Fetches the keys.
    package init(clientID: String, client: HTTPClient, time: TimeSource) {
        keys = IssuerKeys(through: client)
        self.time = time
        rules = LogoutTokenRules(clientID: clientID)
    }

    /// Whether `text` can be a logout token, before anything is fetched: what is none costs nobody a request.
    package static func check(_ text: String) throws(LogoutTokenProblem) { _ = try read(text) }

    /// Whether `text` ends `session`.
    ///
    /// - Parameters:
    ///   - endpoint: Where the authority's keys lie.
    ///   - algorithms: How the authority signs.
    package func ends(
        _ session: KnownSession, by text: String, keysAt endpoint: WebURL, accepting algorithms: Set<TokenAlgorithm>
    ) async throws(LogoutTokenProblem) -> Bool {
        let token = try Self.read(text)
        let verified: VerifiedToken
        do throws(IDTokenProblem) {
            verified = try await keys.verify(token, from: endpoint, accepting: algorithms, at: time)
        } catch {
            throw .token(error)
        }
        return try rules.ends(session, by: verified, at: time.wallSeconds)
    }

    private static func read(_ text: String) throws(LogoutTokenProblem) -> CompactToken {
        let token: CompactToken
        do throws(TokenProblem) { token = try CompactToken(text, limit: LogoutTokenRules.limit) } catch {
            throw .token(IDTokenProblem(error))
        }
        guard let type = token.type?.lowercased(), type.hasSuffix(LogoutTokenRules.type) else { throw .type }
        return token
    }
}

extension Session {
    /// How often a refresh of another process may come first.
    private static let endings = 8

    /// The authority says that the session is over: it ends here, durably, as ``ReloginReason/revoked``. A refresh of
    /// another process is of the same session: its tokens end, too.
    ///
    /// - Returns: `false` where there was none.
    /// - Throws: ``SessionFailure``: nothing durable has happened, and the same word counts again.
    package func endedElsewhere() async throws(SessionFailure) -> Bool {
        for count in 0..<Self.endings {
            try load()
            guard let record, record.ending == nil else { return count > 0 }
            switch await ending(.revoked) {
            case .ended: return true
            case .unwritten(let failure): throw .store(failure)
            case .overtaken: continue
            }
        }
        throw .sessionChanged
    }
}
