internal import PaviseCrypto
internal import PavisePrimitives

extension AuthorityCore {
    /// The page that ends a session (OpenID Connect RP-Initiated Logout 1.0 §2): whoever shows an id_token of this
    /// authority is signed out without a question; everybody else gets a page that asks.
    func logOut(_ request: LabRequest) -> LabResponse {
        let now = state.value
        let value = { (name: String) in request.queryValue(name) ?? request.form(name) }
        guard let hint = value("id_token_hint"), let session = Self.session(in: hint, now) else {
            return .html("<!doctype html><meta charset=\"utf-8\"><title>Sign out?</title>")
        }
        guard value("client_id").map({ $0 == session.client }) ?? true else {
            return .text("other client", status: 400)
        }
        state.change { state in
            for number in state.ledger.families.indices
            where state.ledger.families[number].grant.session == session.name {
                state.ledger.endFamily(number)
            }
            state.ledger.counters.logouts += 1
        }
        guard let back = value("post_logout_redirect_uri") else { return .text("signed out") }
        guard now.configuration.redirects.contains(back) || LoopbackRedirect(back)?.port != nil else {
            return .text("post_logout_redirect_uri is not registered", status: 400)
        }
        let answer = value("state").map { "?" + LabForm.encode([("state", $0)]) } ?? ""
        return .redirect(302, to: back + answer)
    }

    // Only what this authority has signed; when it ended does not count (§2).
    private static func session(in hint: String, _ state: AuthorityState) -> (client: String, name: String)? {
        guard state.ledger.issued.contains(where: { $0.kind == .identity && $0.value == hint }) else { return nil }
        let parts = hint.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]), let claims = try? JSONValue.parse(bytes),
            let client = claims["aud"]?.string ?? claims["aud"]?.array?.first?.string, let name = claims["sid"]?.string
        else { return nil }
        return (client, name)
    }
}

/// What is wrong with a logout token, on purpose.
public enum LogoutTokenFault: Hashable, Sendable, CaseIterable {
    /// `iss` names another authority.
    case wrongIssuer
    /// `aud` names another client.
    case wrongAudience
    /// It ended an hour ago.
    case expired
    /// There is no `exp`.
    case missingExpiry
    /// There is no `iat`.
    case missingIssuedAt
    /// It was issued in an hour.
    case issuedInFuture
    /// There is no `jti`.
    case missingName
    /// There is no `events`.
    case missingEvents
    /// `events` tells something else.
    case otherEvent
    /// The event is no object.
    case eventIsText
    /// It has a nonce, as an id token has.
    case nonce
    /// It names neither a person nor a session.
    case nobody
    /// The header does not say what kind of token it is.
    case untyped
    /// The header says that it is an id token.
    case typedAsIDToken
    /// The signature does not fit.
    case badSignature
    /// The header says `alg: none`, and there is no signature.
    case algorithmNone
    /// Another key signed it, under the name of a published one.
    case foreignKey
}

extension LabAuthority {
    /// A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), as the authority sends it to an app's server;
    /// right, or wrong in one chosen way.
    ///
    /// - Parameters:
    ///   - user: The person; `nil` names none.
    ///   - session: Whether the newest session of the authority is named (`sid`).
    ///   - name: Its own name (`jti`).
    ///   - age: Seconds since it was issued.
    ///   - fault: What is wrong with it; `nil` for a good one.
    public func logoutToken(
        for user: String? = "alice", session: Bool = true, name: String, age: Int64 = 0, fault: LogoutTokenFault? = nil
    ) -> String {
        let now = core.settle()
        guard let key = now.keys.current else { return "" }
        let issued = core.clock.wallSeconds - age + (fault == .issuedInFuture ? 3600 : 0)
        core.promise(issued + 120 + age, by: now.keys)
        let sessionID = session ? now.ledger.families.last?.grant.session : nil
        let event: JSONValue = fault == .eventIsText ? "yes" : .object([])
        let events = JSONValue.object([
            .init(
                fault == .otherEvent
                    ? "http://schemas.openid.net/event/other" : "http://schemas.openid.net/event/backchannel-logout",
                event)
        ])
        let claims = JSONValue.fields([
            "iss": .string(fault == .wrongIssuer ? "https://attacker.example" : now.issuer),
            "aud": .string(fault == .wrongAudience ? "somebody-else" : now.configuration.clientID),
            "iat": fault == .missingIssuedAt ? nil : .integer(issued),
            "exp": fault == .missingExpiry ? nil : .integer(fault == .expired ? issued - 3600 : issued + 120 + age),
            "jti": fault == .missingName ? nil : .string(name), "events": fault == .missingEvents ? nil : events,
            "sub": fault == .nobody ? nil : user.map { .string($0) },
            "sid": fault == .nobody ? nil : sessionID.map { .string($0) },
            "nonce": fault == .nonce ? "nonce" : nil,
        ])
        let type: JSONValue? =
            switch fault {
            case .untyped: nil
            case .typedAsIDToken: "JWT"
            default: "logout+jwt"
            }
        let algorithm: JSONValue = fault == .algorithmNone ? "none" : "RS256"
        let header = JSONValue.fields(["alg": algorithm, "typ": type, "kid": .string(key.id)])
        return SignedToken.make(header: header, claims: claims) { input in
            switch fault {
            case .algorithmNone: []
            case .badSignature: [UInt8](repeating: 1, count: 256)
            case .foreignKey: (try? IssuingKey(generating: .rsa(bits: 2048)).sign(input)) ?? []
            default: (try? key.key.sign(input)) ?? []
            }
        }
    }
}
