internal import PaviseJWT
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
            guard let endpoint = server.keysEndpoint else { throw .keysUnavailable }
            let verified = try await keys.verify(
                try compact(token), from: endpoint, accepting: request.tokenAlgorithms, at: environment.time)
            let rules = IDTokenRules(
                issuer: server.issuer, clientID: request.clientID, nonce: nonce, accessToken: grant.accessToken,
                maximumAge: request.maximumAge.map { $0.components.seconds })
            let subject = try rules.subject(of: verified, at: environment.time.wallSeconds)
            return SessionRecord.Identity(issuer: server.issuer, subject: subject)
        } catch {
            throw .identity(error)
        }
    }

    private func compact(_ token: SharedSecretBytes) throws(IDTokenProblem) -> CompactToken {
        do throws(TokenProblem) {
            return try CompactToken(token.text, limit: IDTokenRules.limit)
        } catch {
            throw IDTokenProblem(error)
        }
    }
}
