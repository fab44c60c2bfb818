public import PavisePrimitives
public import PaviseSession
public import PaviseStorage
public import PaviseTransport
internal import PaviseVault

/// One server that a person is, or can be, signed in to.
///
/// ```swift
/// let connection = try Connections().open("work")
/// let response = try await connection.send(HTTPRequest("GET", connection.url("/files")))
/// ```
public struct Connection: Sendable {
    /// What is known of it beside its secrets.
    public var descriptor: ConnectionDescriptor { place.descriptor }
    /// What is known of its servers, and what was approved for them.
    public let servers: KnownServersStore
    /// Sends requests without a credential, by this connection's trust policy.
    public let client: HTTPClient
    /// Sends requests with the connection's credential.
    public let access: any AuthorizedClient
    let place: MethodContext
    var basic: BasicAccess? { access as? BasicAccess }
    var store: SessionStore? { session == nil ? nil : TokenMethod.store(at: place) }
    var environment: SessionEnvironment { place.environment }
    var policy: RefreshPolicy { place.policy }

    /// The session, for `ConnectionDescriptor.Method.oauth` and `ConnectionDescriptor.Method.openIDConnect`.
    public var session: Session? { access as? Session }

    /// The server that was refused last for a certificate that a person could approve. `servers.state(of:)` has the
    /// question, and after `servers.approve(_:at:)` this connection sends.
    ///
    /// ```swift
    /// if let origin = connection.refusedServer,
    ///     case .awaitingReview(let review) = await connection.servers.state(of: origin)
    /// {
    ///     // A person compares review.summary.spki with what the server's owner says.
    ///     _ = try await connection.servers.approve(review.summary.fingerprint, at: origin)
    /// }
    /// ```
    public var refusedServer: Origin? { client.refusedServer }

    /// An address at the connection's origin. `path` may carry a query and is already percent-encoded.
    public func url(_ path: String) throws(WebURL.Problem) -> WebURL {
        try WebURL("\(descriptor.origin)" + (path.hasPrefix("/") ? path : "/" + path))
    }

    /// Sends a request with the connection's credential. See `AuthorizedClient.send(_:)`.
    public func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        // Also for an app's own method.
        guard environment.gate?.isOpen ?? true else { throw .locked }
        return try await access.send(request)
    }

    /// Finds the authority's metadata: that of the issuer in the description.
    ///
    /// - Throws: `SignInFailure`; `DiscoveryFailure.otherServers(_:)` where it names servers beyond those that were
    ///   agreed to when the connection was made (``ReviewedServer/acceptOthers()``). So do the calls that take an
    ///   authority.
    public func authority() async throws(SignInFailure) -> AuthorizationServer {
        let found = try await SignIn(client: client, browser: SystemBrowser(), environment: environment)
            .discover(issuer: descriptor.issuer ?? "\(descriptor.origin)")
        let server = descriptor.identity == nil ? found : found.forClientCertificates
        try checkServers(of: server)
        return server
    }

    /// Signs in through `browser` and stores the session (RFC 8252).
    ///
    /// - Parameters:
    ///   - authority: What ``authority()`` found; asked for when it is not given.
    ///   - browser: Shows the sign-in page.
    ///   - patience: How long the person may take, at most 10 minutes.
    ///   - clientSecret: For an authority that demands a confidential client. It is kept with the session's tokens.
    ///   - binding: Whether the tokens are bound to a key of this device.
    ///   - receiver: For an app to which the system delivers the answer; `nil` listens on loopback.
    /// - Returns: What should be known beside the success, and who signed in.
    @discardableResult
    public func signIn(
        at authority: AuthorizationServer? = nil, browser: any Browser = SystemBrowser(),
        patience: Duration = .seconds(300), clientSecret: SharedSecretBytes? = nil, binding: DPoPPolicy = .automatic,
        receiver: RedirectReceiver? = nil
    ) async throws(SignInFailure) -> SignIn.Success {
        try await signIn(
            at: authority, browser: browser, patience: patience, clientSecret: clientSecret, binding: binding,
            receiver: receiver, for: nil)
    }

    /// The same for what a server wants of the sign-in (RFC 9470).
    func signIn(
        at authority: AuthorizationServer? = nil, browser: any Browser, patience: Duration = .seconds(300),
        clientSecret: SharedSecretBytes?, binding: DPoPPolicy, receiver: RedirectReceiver?, for demand: StepUpDemand?
    ) async throws(SignInFailure) -> SignIn.Success {
        // Before anything is waited for.
        let goesOn: UInt64? = if demand == nil { nil } else { try epoch() }
        let server = if let authority { authority } else { try await self.authority() }
        try checkServers(of: server)
        return try await bound(binding, at: server) { (binding, store) async throws(SignInFailure) in
            let signIn = SignIn(
                client: client, binding: binding, browser: browser, environment: environment, policy: policy)
            var request = request(clientSecret)
            request.tokenAlgorithms = server.tokenAlgorithms
            request.port = descriptor.redirectPort
            request.patience = patience
            request.receiver = receiver
            request.maximumAge = demand?.maximumAge.map { .seconds($0) }
            request.authenticationLevels = demand?.levels ?? []
            request.epoch = goesOn
            return try await signIn.run(at: server, request, into: store)
        }
    }

    // The session of which a server wants more. One that was signed out is not begun again by that.
    private func epoch() throws(SignInFailure) -> UInt64 {
        let reading: SessionStore.Reading?
        do throws(VaultFailure) { reading = try store?.load() } catch { throw .store(error) }
        guard case .present(let record)? = reading, record.ending != .signedOut else { throw .cancelled }
        return record.epoch
    }

    /// What every way of signing in asks for.
    func request(_ clientSecret: SharedSecretBytes?) -> SignIn.Request {
        var request = SignIn.Request(
            clientID: descriptor.clientID ?? "pavise", scopes: descriptor.scopes, resource: descriptor.origin)
        request.clientSecret = clientSecret
        request.keepIDToken = { keepHint($0) }
        request.keptIDToken = { (try? hint()) ?? nil }
        return request
    }

    /// Tries a user name and password at the server and stores them, for a connection of method
    /// `ConnectionDescriptor.Method.basic`. What the server refuses is not stored, and replaces nothing.
    ///
    /// - Parameters:
    ///   - user: The user name (RFC 7617), without a colon.
    ///   - password: The password.
    ///   - address: Where to try them: an address that asks for them; by default the root of the connection's origin. A
    ///     server that asks for no password there proves nothing.
    /// - Throws: `BasicAccess.Problem.refused` for a wrong password, `otherUser` where the connection is another
    ///   user's.
    public func signIn(
        user: String, password: borrowing SecretBytes, tryingAt address: WebURL? = nil
    ) async throws(BasicAccess.Problem) {
        guard let basic else { throw .wrongMethod }
        guard let address = address ?? (try? url("/")) else { throw .withoutTLS }
        try await basic.store(user: user, password: password, tryingAt: address)
    }

    /// Stores a user name and password, and asks no server about them.
    ///
    /// - Throws: `BasicAccess.Problem.otherUser` where the connection is another user's.
    package func store(user: String, password: borrowing SecretBytes) throws(BasicAccess.Problem) {
        guard let basic else { throw .wrongMethod }
        try basic.store(user: user, password: password)
    }

    /// Signs out and keeps the connection. See `AuthorizedClient.signOut()`.
    public func signOut() async -> SignOutReport {
        guard let session else { return await access.signOut() }
        let ended = await session.endLocally()
        // Before the server is asked, which takes its time: who signs in again meanwhile keeps their own.
        if ended.failure == nil { forgetHint() }
        return SignOutReport(localFailure: ended.failure, revocation: await session.revoke(ended))
    }
}
