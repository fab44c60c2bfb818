public import PaviseJWT
public import PavisePrimitives
public import PaviseTransport
internal import PaviseVault

/// Signs a person in with an authorization code and PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252, RFC 9700).
///
/// ```swift
/// let signIn = SignIn(client: transport, browser: SystemBrowser())
/// let server = try await signIn.discover(issuer: "https://id.example.org")
/// ```
public struct SignIn: Sendable {
    /// What to ask for, and how strictly.
    public struct Request: Sendable {
        /// The client identifier.
        public var clientID: String
        /// The secret of a confidential client, for authorities that demand one. An app that many people have cannot
        /// keep one (RFC 8252 §8.5).
        public var clientSecret: SharedSecretBytes?
        /// The scopes to ask for; `openid` among them also asks for an id_token.
        public var scopes: [String]
        /// The only origin that will get the access token.
        public var resource: Origin
        /// The port of the loopback redirect; 0 takes a free one. A fixed port is weaker: for servers that compare it.
        public var port: UInt16 = 0
        /// Takes the answer that the system delivers to an app; `nil` listens on loopback.
        public var receiver: RedirectReceiver?
        /// How long the person may take, at most 10 minutes.
        public var patience: Duration = .seconds(300)
        /// Whether to refuse an authority that does not list S256 (oauth A3).
        public var demandsProofKey = false
        /// Whether to push the authorization request even where the authority does not demand it (RFC 9126).
        public var demandsPushedRequest = false
        /// The servers that the access token is for (RFC 8707): absolute addresses without a fragment.
        public var resourceIndicators: [WebURL] = []
        /// How an id_token may be signed. RS256 is what every authority can; name another only for one that cannot.
        public var tokenAlgorithms: Set<TokenAlgorithm> = [.rs256]
        /// The longest time since the person showed who they are (`max_age`); `nil` asks for none.
        public var maximumAge: Duration?
        /// The levels of authentication that will do, the best one first (`acr_values`).
        public var authenticationLevels: [String] = []
        /// The session that this sign-in goes on with: whoever signs out meanwhile stays signed out. `nil` begins one
        /// whatever is there.
        package var epoch: UInt64?
        /// Gets `nil` before the new session takes the place of the old one, and its verified id_token after that; a
        /// kill in between leaves none. Where the new session could not be written, it gets that of the old one back.
        package var keepIDToken: @Sendable (SharedSecretBytes?) -> Void = { _ in }
        /// The id_token of the session that is there.
        package var keptIDToken: @Sendable () -> SharedSecretBytes? = { nil }

        // Gives what undoes it, as long as the new session is not written.
        func beside(_ isBegun: Bool, _ idToken: SharedSecretBytes?) -> (@Sendable () -> Void)? {
            guard !isBegun else {
                keepIDToken(idToken)
                return nil
            }
            let old = keptIDToken()
            keepIDToken(nil)
            guard let old else { return nil }
            return { [keepIDToken] in keepIDToken(old) }
        }

        /// A request with the usual settings.
        public init(clientID: String, scopes: [String] = ["openid"], resource: Origin) {
            self.clientID = clientID
            self.scopes = scopes
            self.resource = resource
        }
    }

    /// What came of it.
    public struct Success: Sendable {
        /// The session, stored and ready.
        public let session: Session
        /// What else is to be known.
        public let warnings: [SignInWarning]
        /// The user's identifier at the authority (`sub`), when there is an id_token.
        public let subject: String?
        /// The id_token, verified.
        package let idToken: SharedSecretBytes?
    }

    let client: HTTPClient
    let binding: DPoPBinding?
    let browser: any Browser
    let environment: SessionEnvironment
    let policy: RefreshPolicy
    let keys: IssuerKeys

    /// The tokens' own requests: those of discovery and registration carry no proof.
    var sender: TokenSender { TokenSender(client, binding: binding) }

    /// Sign-ins through `client`, with tokens that are bound to the key of `binding`; `nil` asks for bearer tokens.
    public init(
        client: HTTPClient, binding: DPoPBinding? = nil, browser: any Browser,
        environment: SessionEnvironment = .system,
        policy: RefreshPolicy = RefreshPolicy()
    ) {
        self.client = client
        self.binding = binding
        keys = IssuerKeys(through: client)
        self.browser = browser
        self.environment = environment
        self.policy = policy
    }

    /// Finds the authority's metadata.
    public func discover(issuer: String) async throws(SignInFailure) -> AuthorizationServer {
        do throws(DiscoveryFailure) {
            return try await Discovery(client: client).find(issuer: issuer)
        } catch {
            throw .discovery(error)
        }
    }

    /// Opens the browser, takes the callback, exchanges the code, checks the id_token, stores the session.
    ///
    /// - Throws: ``SignInFailure``; then nothing was stored, and a token that was given is revoked as far as possible.
    package func run(
        at server: AuthorizationServer, _ request: Request, into store: SessionStore
    ) async throws(SignInFailure) -> Success {
        try store.others.check(server)
        guard server.advertisesPKCE || !request.demandsProofKey else { throw .withoutPKCE }
        let tokenServer = try tokenServer(at: server, request)
        let (code, nonce) = try await code(at: server, request)
        let endpoint = TokenEndpoint(tokenServer, through: sender, environment: environment, policy: policy)
        let grant = try await exchange(code, endpoint, request)
        return try await finish(grant, at: server, request, nonce: nonce, endpoint, store)
    }

    /// Where the tokens of this request come from, and how the client authenticates there.
    func tokenServer(at server: AuthorizationServer, _ request: Request) throws(SignInFailure) -> TokenServer {
        server.tokenServer(
            clientID: request.clientID, authentication: try server.authentication(with: request.clientSecret))
    }

    /// Verifies the tokens' type and who signed in, then stores the session. A grant that is not kept is revoked as far
    /// as possible.
    func finish(
        _ grant: TokenGrant, at server: AuthorizationServer, _ request: Request, nonce: String?,
        _ endpoint: TokenEndpoint, _ store: SessionStore
    ) async throws(SignInFailure) -> Success {
        do throws(SignInFailure) {
            guard grant.hasRightType else { throw .tokenType }
            let tokenServer = try tokenServer(at: server, request)
            let identity = try await identity(in: grant, at: server, request, nonce: nonce)
            guard !Task.isCancelled else { throw .cancelled }
            return try await keep(grant, tokenServer, request, identity, store, warnings(server, request, grant))
        } catch {
            // A task of its own: also a sign-in that was given up takes its tokens back.
            let (token, hint) =
                grant.refreshToken.map { ($0, "refresh_token") } ?? (grant.accessToken, "access_token")
            await Task { _ = await endpoint.revoke(token, hint: hint) }.value
            throw error
        }
    }

    private func exchange(
        _ code: AuthorizationAttempt.Code, _ endpoint: TokenEndpoint, _ request: Request
    ) async throws(SignInFailure) -> TokenGrant {
        let answer = await endpoint.exchange(
            code: code.code, verifier: code.verifier, redirect: code.redirect,
            extra: request.resourceIndicators.map { ("resource", $0.description) })
        switch answer {
        case .granted(let grant): return grant
        case .definitive: throw .refused(code: "invalid_grant")
        case .rejected(let code): throw .refused(code: code)
        case .transient(let reason, _, _): throw .unavailable(reason)
        case .keyLost: throw .store(.keyLost)
        case .forbidden: throw .unavailable(.configuration)
        }
    }

    private func keep(
        _ grant: TokenGrant, _ server: TokenServer, _ request: Request, _ identity: SessionRecord.Identity?,
        _ store: SessionStore, _ warnings: [SignInWarning]
    ) async throws(SignInFailure) -> Success {
        let now = ClockReading(environment.time)
        let idToken = identity == nil ? nil : grant.idToken
        let isSameUser: Bool
        do throws(VaultFailure) {
            isSameUser = try await store.begin(
                { stamp in
                    SessionRecord(
                        beginning: grant, server: server, resource: request.resource, identity: identity,
                        scopes: request.scopes, binding: binding?.thumbprint, after: stamp, at: now)
                }, at: now, replacing: request.epoch, if: { () throws(VaultFailure) in try binding?.check() },
                around: { isBegun in request.beside(isBegun, idToken) })
        } catch {
            guard error != .duplicate || request.epoch == nil else { throw .cancelled }
            throw .store(error)
        }
        guard isSameUser else { throw .otherUser }
        let session = Session(
            store: store, client: client, binding: binding, environment: environment, policy: policy)
        return Success(
            session: session, warnings: warnings, subject: identity?.subject, idToken: idToken)
    }

    private func warnings(_ server: AuthorizationServer, _ request: Request, _ grant: TokenGrant) -> [SignInWarning] {
        let granted = grant.scopes ?? request.scopes
        let isNarrower = !Set(request.scopes).isSubset(of: granted)
        let isBroader = !Set(granted).isSubset(of: request.scopes)
        let found: [(Bool, SignInWarning)] = [
            (!server.advertisesPKCE, .proofKeyNotAdvertised),
            (isNarrower, .narrowerScope(asked: request.scopes, granted: granted)),
            (isBroader, .broaderScope(asked: request.scopes, granted: granted)),
            (grant.refreshToken == nil, .noRefreshToken),
            (server.revocationEndpoint == nil, .noRevocation),
        ]
        return found.filter(\.0).map(\.1)
    }
}
