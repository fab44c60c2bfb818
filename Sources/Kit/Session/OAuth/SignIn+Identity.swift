internal import PavisePrimitives
internal import PaviseTransport

extension SignIn {
    /// Who signed in: the id_token's word, once its signature and claims hold. `nil` when the server gave no id_token
    /// and did not have to.
    func identity(
        in grant: TokenGrant, at server: AuthorizationServer, _ request: Request, nonce: String?
    ) async throws(SignInFailure) -> SessionRecord.Identity? {
        guard let token = grant.idToken else {
            guard (grant.scopes ?? request.scopes).contains("openid"), request.scopes.contains("openid") else {
                return nil
            }
            throw .identity(.missing)
        }
        do throws(IDTokenProblem) {
            let parsed = try IDToken(token.text)
            try await verify(parsed, at: server)
            let expectation = IDToken.Expectation(
                issuer: server.issuer, clientID: request.clientID, nonce: nonce, accessToken: grant.accessToken,
                seconds: environment.time.wallSeconds)
            return SessionRecord.Identity(issuer: server.issuer, subject: try parsed.subject(meeting: expectation))
        } catch {
            throw .identity(error)
        }
    }

    // Keys may have been rotated a moment ago: a key that is not there is looked for once more (oauth J3, knob 19).
    private func verify(_ token: IDToken, at server: AuthorizationServer) async throws(IDTokenProblem) {
        guard let endpoint = server.keysEndpoint else { throw .keysUnavailable }
        do throws(IDTokenProblem) {
            try token.verify(with: try await keys(at: endpoint))
        } catch {
            guard error == .noSuchKey else { throw error }
            try token.verify(with: try await keys(at: endpoint))
        }
    }

    private func keys(at endpoint: WebURL) async throws(IDTokenProblem) -> KeySet {
        guard let response = try? await client.send(.json(endpoint)), response.status == 200,
            let document = response.jsonObject
        else { throw .keysUnavailable }
        return try KeySet(document)
    }
}
