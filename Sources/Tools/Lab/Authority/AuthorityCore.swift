internal import PaviseCrypto
internal import PavisePrimitives

/// Answers requests from the state. Shared by the server's threads and the ``LabAuthority`` in a test's hands.
final class AuthorityCore: Sendable {
    let state: Monitor<AuthorityState>
    let clock: TimeSource
    let attester: AttesterKey
    let records = RecordServer()
    let files = DAVServer(root: "/api/dav")
    let pushService = PushServer()

    init(configuration: AuthorityConfiguration, clock: TimeSource, keys: SigningKeys, attester: AttesterKey) {
        self.attester = attester
        state = Monitor(AuthorityState(configuration: configuration, keys: keys, since: clock.wallSeconds))
        self.clock = clock
    }

    func answer(_ request: LabRequest) -> LabResponse {
        guard !state.value.isUnreachable else { return .hangUp }
        let issuerPath = state.value.configuration.issuerPath
        guard let endpoint = AuthorityEndpoint.find(request.path, issuerPath: issuerPath) else {
            return .text("not found", status: 404)
        }
        let fault = state.change { state in
            if endpoint == .token { state.ledger.counters.tokenRequests += 1 }
            if endpoint == .jwks { state.ledger.counters.keyRequests += 1 }
            return state.nextFault(at: endpoint)
        }
        settle()
        if let instead = fault?.insteadOfWork { return instead }
        let result = work(endpoint, request)
        let isJudged = result.fields.contains { $0.name == "Cache-Control" }
        let response = (isJudged ? result : result.with("Cache-Control", "no-store"))
            .with("Date", IMFFixdate.text(clock.wallSeconds))
        return fault?.after(response) ?? response
    }

    private func work(_ endpoint: AuthorityEndpoint, _ request: LabRequest) -> LabResponse {
        switch endpoint {
        case .metadata, .discovery: .json(state.value.metadata(endpoint))
        case .jwks: .json(keyDocument)
        case .authorize: authorize(request)
        case .token: withNonce(token(request))
        case .par: push(request)
        case .device: device(request)
        case .verify: verify(request)
        case .register: registration(request)
        case .revoke: revoke(request)
        case .logout: logOut(request)
        case .challenge: challenge(request)
        case .attestation: attest(request)
        case .userinfo: withNonce(userInformation(request))
        case .api: withNonce(resource(request))
        case .basic: basicResource(request)
        }
    }

    /// Brings sessions and signing keys to where they stand now.
    @discardableResult
    func settle() -> AuthorityState {
        let now = clock.wallSeconds
        return state.change { state in
            state.ledger.endPassed(state.configuration.limits, at: now)
            // A key that cannot be made is made at the next request; the present one goes on meanwhile.
            if let rotation = state.configuration.keyRotation {
                try? state.keys.advance(rotation, to: now - state.since)
            }
            try? state.keys.turn(
                to: state.configuration.keyTurn, keepsOld: !state.configuration.withdrawsKeys)
            return state
        }
    }

    private var keyDocument: String {
        let now = state.value
        return now.keys.document(withIDs: now.configuration.namesKeys)
    }

    // MARK: Sign-in

    func approve(_ address: String, as user: String) throws(LabFailure) -> String {
        let now = state.value
        guard address.hasPrefix(now.address(.authorize) + "?") else {
            throw .request("the address is not of the authorization endpoint")
        }
        let parameters = LabForm.decode(String(address.dropFirst(now.address(.authorize).count + 1)))
        do {
            return signIn(try question(parameters, isFinal: true), as: user)
        } catch {
            throw .request(error.reason)
        }
    }

    private func signIn(_ question: AuthorizationQuestion, as user: String) -> String {
        let now = clock.wallSeconds
        return state.change { state in
            let configuration = state.configuration
            let code = TokenText.fresh("code", configuration.canary)
            let grant = AuthorityLedger.Grant(
                user: user, scope: configuration.grantedScope ?? question.scope, nonce: question.nonce,
                redirect: question.redirect,
                challenge: question.challenge, expires: now + configuration.codeLifetime, signedIn: now,
                client: question.client, proofKey: question.proofKey,
                session: configuration.namesSessions ? TokenText.fresh("session", "lab") : nil, level: question.level,
                resources: question.resources)
            state.ledger.codes[code] = (grant, nil)
            state.ledger.issued.append(IssuedToken(kind: .code, value: code))
            return question.callback(
                code: code, issuer: configuration.namesIssuer ? state.issuer : nil, fault: state.callbackFault)
        }
    }

    private func authorize(_ request: LabRequest) -> LabResponse {
        let configuration = state.value.configuration
        do throws(AuthorizationQuestion.Refusal) {
            _ = try question(request.queryParameters, isFinal: false)
            guard request.method == "POST" else { return .html(LoginPage.html) }
            guard let user = request.form("username"), let password = request.form("password"),
                configuration.isPassword(password, of: user)
            else { return .html(LoginPage.html, status: 401) }
            // Of two who send the form of one pushed request, one signs in.
            return .redirect(302, to: signIn(try question(request.queryParameters, isFinal: true), as: user))
        } catch {
            return .text("This request cannot be answered: \(error.reason).", status: 400)
        }
    }
}

/// The page a browser sees.
enum LoginPage {
    static let html = """
        <!doctype html><meta charset="utf-8"><title>Lab sign-in</title>
        <form method="post"><label>Name <input name="username" autofocus></label>
        <label>Password <input name="password" type="password"></label>
        <button type="submit">Sign in</button></form>
        """
}

/// The text of codes and opaque tokens: findable by its canary, unguessable by its tail.
enum TokenText {
    static func fresh(_ kind: String, _ canary: String) -> String {
        let tail = (0..<3).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        return "\(canary)-\(kind)-\(tail)"
    }
}
