internal import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault

extension SignIn {
    /// Signs in on a device without a browser (RFC 8628): shows a code, and asks until the person has typed it
    /// elsewhere.
    ///
    /// There is no callback and no proof key, so whoever gets a person to type a code of theirs signs that person in:
    /// say beside the code which program shows it and where.
    ///
    /// - Parameter show: Gets the address and the code, once.
    /// - Throws: ``SignInFailure``; then nothing was stored.
    package func runOnDevice(
        at server: AuthorizationServer, _ request: Request, into store: SessionStore,
        show: @Sendable (DevicePrompt) async -> Void
    ) async throws(SignInFailure) -> Success {
        try store.others.check(server)
        guard let place = server.deviceEndpoint else { throw .withoutDeviceGrant }
        let tokenServer = try tokenServer(at: server, request)
        let endpoint = TokenEndpoint(tokenServer, through: sender, environment: environment, policy: policy)
        let code = try await deviceCode(at: place, of: server.issuer, request, tokenServer.authentication)
        await show(code.prompt)
        let grant = try await wait(for: code, endpoint, request)
        // There is no nonce in this flow: the token comes straight from the server that was asked.
        return try await finish(grant, at: server, request, nonce: nil, endpoint, store)
    }

    private func deviceCode(
        at place: WebURL, of issuer: String, _ request: Request, _ authentication: ClientAuthentication?
    ) async throws(SignInFailure) -> DeviceCode {
        var pairs = [("scope", request.scopes.joined(separator: " "))]
        pairs += request.resourceIndicators.map { ("resource", $0.description) }
        let response: HTTPResponse
        do throws(TransportFailure) {
            let form = ClientForm(place, pairs.map { ($0, .text($1)) }, as: request.clientID, authentication)
            // RFC 8628 §3.1: the client shows here who it is as at the token endpoint.
            let source = AttestationSource(
                attester: environment.attester, issuer: issuer, clientID: request.clientID)
            response = try await form.attested(by: source, through: client) {
                (form) async throws(TransportFailure) in try await form.send(through: client)
            }
        } catch {
            throw SignInFailure(error)
        }
        guard response.redirect == nil, let document = response.partedObject else { throw .unavailable(.server) }
        guard response.status == 200 else { throw response.failure(document.value) }
        guard let code = DeviceCode(document) else { throw .unavailable(.server) }
        return code
    }

    private func wait(
        for code: DeviceCode, _ endpoint: TokenEndpoint, _ request: Request
    ) async throws(SignInFailure) -> TokenGrant {
        let start = environment.time.bootMilliseconds
        var polling = DevicePolling(interval: code.interval, end: start + code.prompt.lifetime * 1000)
        var pause = min(polling.interval, code.prompt.lifetime)
        while true {
            guard (try? await environment.sleep(.seconds(pause))) != nil else { throw .cancelled }
            let answer = await endpoint.ask(TokenForm.device(code.secret))
            if case .granted(let grant) = answer { return grant }
            switch polling.next(after: answer, at: environment.time.bootMilliseconds) {
            case .wait(let seconds): pause = seconds
            case .refused(let code): throw .refused(code: code)
            case .expired: throw .timeout
            case .untrusted: throw .unavailable(.trust)
            case .keyLost: throw .store(.keyLost)
            case .forbidden: throw .unavailable(.configuration)
            }
        }
    }
}
