package import PavisePrimitives
internal import PaviseTransport

/// Speaks to one authority's token and revocation endpoints, as the client of a session (RFC 6749 §3.2, RFC 7009).
///
/// The calls never pass through a session's own requests: they carry no bearer, follow no redirect and never cause a
/// refresh (session SR7).
package struct TokenEndpoint: Sendable {
    private let server: TokenServer
    private let sender: TokenSender
    private let environment: SessionEnvironment
    private let policy: RefreshPolicy

    /// The endpoints of `server`, reached through `sender`.
    package init(
        _ server: TokenServer, through sender: TokenSender, environment: SessionEnvironment = .system,
        policy: RefreshPolicy = RefreshPolicy()
    ) {
        self.server = server
        self.sender = sender
        self.environment = environment
        self.policy = policy
    }

    /// Spends a refresh token (RFC 6749 §6).
    ///
    /// - Parameter lease: Nothing is sent, and no answer waited for, when it is over.
    package func refresh(_ token: SharedSecretBytes, within lease: LeaseLock.Lease? = nil) async -> TokenResponse {
        await ask(TokenForm.refresh(token), within: lease)
    }

    /// Exchanges a code, with exactly the redirect address and verifier of its request (oauth T1).
    ///
    /// - Parameter extra: Further parameters, for example `resource` (RFC 8707 §2.2).
    package func exchange(
        code: SharedSecretBytes, verifier: SharedSecretBytes, redirect: String, extra: [(String, String)] = []
    ) async -> TokenResponse {
        await ask(TokenForm.exchange(code, verifier: verifier, redirect: redirect, extra))
    }

    /// Revokes a token (RFC 7009 §2.1).
    ///
    /// - Parameter bearer: An access token of the same grant, for servers that know public clients by nothing else: it
    ///   is shown to the server that issued it, and only after a 401.
    /// - Returns: Whether the server took it. An unknown token counts as taken (oauth S5).
    package func revoke(_ token: SharedSecretBytes, hint: String, bearer: SharedSecretBytes? = nil) async -> Bool {
        await revocation(of: token, hint: hint, bearer: bearer) == .done
    }

    /// The same, with what the last answer means.
    func revocation(of token: SharedSecretBytes, hint: String, bearer: SharedSecretBytes?) async -> RevocationResponse {
        guard let endpoint = server.revocationEndpoint else { return .refused() }
        let form = form(endpoint, TokenForm.revocation(token, hint: hint), within: policy.revocation)
        let first = RevocationResponse(
            await send(form, within: policy.revocation), wallSeconds: environment.time.wallSeconds)
        guard first == .refused(isUnauthorized: true), let bearer, server.authentication == nil else { return first }
        return RevocationResponse(
            await send(form, showing: bearer, within: policy.revocation), wallSeconds: environment.time.wallSeconds)
    }

    /// Takes a token back. A server that wants a living access token for it (401) gets a fresh one: the last refresh of
    /// this grant.
    ///
    /// - Parameters:
    ///   - mayRefresh: Whether `token` may be spent for that.
    ///   - renewed: Gets the token that the server put in its place, before that one is taken back.
    func takeBack(
        _ token: SharedSecretBytes, hint: String, bearer: SharedSecretBytes? = nil, mayRefresh: Bool,
        renewed: @Sendable (SharedSecretBytes) async -> Void = { _ in }
    ) async -> RevocationResponse {
        let first = await revocation(of: token, hint: hint, bearer: bearer)
        guard first == .refused(isUnauthorized: true), mayRefresh else { return first }
        switch await refresh(token) {
        case .granted(let grant):
            if let newest = grant.refreshToken { await renewed(newest) }
            return await revocation(of: grant.refreshToken ?? token, hint: hint, bearer: grant.accessToken)
        case .transient(_, let retryAfter, _): return .passing(retryAfter: retryAfter)
        case .forbidden: return .passing(retryAfter: nil)
        case .definitive, .rejected, .keyLost: return first
        }
    }

    /// Asks the token endpoint.
    ///
    /// - Parameters:
    ///   - pairs: The grant's parameters; who the client is stands beside them.
    ///   - lease: Until when it may be asked.
    func ask(_ pairs: [(String, FormValue)], within lease: LeaseLock.Lease? = nil) async -> TokenResponse {
        let time = environment.time
        let limit = lease.map { min(policy.deadline, .milliseconds($0.left(at: time))) } ?? policy.deadline
        var form = form(server.tokenEndpoint, pairs, within: limit)
        if let lease { form.mayLeave = { !lease.isOver(at: time) } }
        let result = await send(form, within: limit)
        return TokenResponse(result, isBound: sender.isBound, wallSeconds: environment.time.wallSeconds)
    }

    private func form(_ url: WebURL, _ pairs: [(String, FormValue)], within limit: Duration) -> ClientForm {
        ClientForm(url, pairs, as: server.clientID, server.authentication, within: limit)
    }

    // The client has its own limit; this one holds when a client never comes back.
    private func send(
        _ form: ClientForm, showing token: SharedSecretBytes? = nil, within limit: Duration
    ) async -> Result<HTTPResponse, TokenSendFailure> {
        let sender = sender
        let source = AttestationSource(
            attester: environment.attester, issuer: server.issuer, clientID: server.clientID)
        let answer = await Deadline.run(limit + .seconds(1), sleep: environment.sleep) {
            do throws(TokenSendFailure) {
                guard let token else {
                    return Result<HTTPResponse, TokenSendFailure>.success(
                        try await form.attested(by: source, through: sender.client) {
                            (form) async throws(TokenSendFailure) in
                            try await sender.send(form.request, with: form.password)
                        })
                }
                let shown = ShownCredential(token: token, for: form.request.url.origin)
                return .success(try await sender.send(form.request, with: shown))
            } catch {
                return .failure(error)
            }
        }
        return answer ?? .failure(.transport(.timeout(sent: true)))
    }
}
