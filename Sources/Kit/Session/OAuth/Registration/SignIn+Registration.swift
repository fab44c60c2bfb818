internal import PavisePrimitives
internal import PaviseTransport

extension SignIn {
    /// Registers a client of this program's own at the authority (RFC 7591): a native app with a loopback redirect, or
    /// with its own.
    ///
    /// ```swift
    /// let signIn = SignIn(client: client, browser: SystemBrowser())
    /// let made = try await signIn.register(at: server, scopes: ["openid"])
    /// ```
    ///
    /// It knows of no other authority. An app with accounts at several calls `Connections.register`, which refuses
    /// metadata that has a client made at another account's.
    ///
    /// A client without a secret is asked for first. An authority that does not make those is asked once more for one
    /// with a secret.
    ///
    /// - Parameters:
    ///   - server: The authority, with its registration endpoint.
    ///   - name: What people see at the authority.
    ///   - scopes: The scopes that the client will ask for.
    ///   - port: The port of the redirect; 0 for any (RFC 8252 §7.3).
    ///   - address: The app's redirect address; `nil` for loopback.
    ///   - isDevice: Whether it will sign in by a code on another device, without a redirect.
    /// - Throws: `SignInFailure.registration`; then nobody has a use for what was made, if anything was.
    ///   `SignInFailure.discovery` where the endpoint has no TLS; then nothing was sent.
    public func register(
        at server: AuthorizationServer, name: String = "Pavise", scopes: [String], port: UInt16 = 0,
        address: RedirectAddress? = nil, isDevice: Bool = false
    ) async throws(SignInFailure) -> ClientRegistration {
        try await register(
            at: server, among: .none, name: name, scopes: scopes, port: port, address: address, isDevice: isDevice)
    }

    /// The same, and not at one of `others`.
    package func register(
        at server: AuthorizationServer, among others: MixUpGuard, name: String = "Pavise", scopes: [String],
        port: UInt16, address: RedirectAddress?, isDevice: Bool
    ) async throws(SignInFailure) -> ClientRegistration {
        try others.checkRegistration(at: server)
        guard let endpoint = server.registrationEndpoint else { throw .registration(.notOffered) }
        let loopback = port == 0 ? "http://127.0.0.1\(LoopbackListener.path)" : LoopbackListener.redirect(port: port)
        var metadata = ClientMetadata(
            name: name, redirects: isDevice ? [] : [address?.description ?? loopback], scopes: scopes,
            authentication: ClientMetadata.publicClient)
        let usual = server.usualMethod
        do throws(RegistrationProblem) {
            do throws(RegistrationProblem) {
                return try await register(metadata, at: endpoint, usual)
            } catch {
                guard error == .refused(code: "invalid_client_metadata"), let usual else { throw error }
                metadata.authentication = usual.rawValue
                return try await register(metadata, at: endpoint, usual)
            }
        } catch {
            throw .registration(error)
        }
    }

    private func register(
        _ metadata: ClientMetadata, at endpoint: WebURL, _ usual: ClientAuthentication.Method?
    ) async throws(RegistrationProblem) -> ClientRegistration {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        fields.append("Accept", "application/json")
        var request = HTTPRequest(
            "POST", endpoint, fields: fields, body: Array(metadata.document.text.utf8),
            limits: HTTPRequest.Limits(idle: .seconds(30), total: .seconds(30), body: TokenResponse.bodyLimit))
        request.isAnswerSecret = true
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await client.send(request)
        } catch {
            throw .unavailable(DegradedReason(error))
        }
        guard response.redirect == nil, let document = response.partedObject else { throw .unusableAnswer }
        guard response.status == 201 else {
            guard (400...499).contains(response.status) else { throw .unusableAnswer }
            throw .refused(code: document.value.errorCode)
        }
        return try ClientRegistration(document, asked: metadata, at: endpoint, usual: usual)
    }
}
