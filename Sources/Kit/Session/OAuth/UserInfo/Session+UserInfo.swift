internal import PavisePrimitives
internal import PaviseTransport

extension Session {
    /// Asks the session's authority about the person who is signed in (OpenID Connect Core §5.3).
    ///
    /// The access token goes to the endpoint that the authority's own metadata names, as bearer or with a proof, and to
    /// no place that it redirects to. A refused token is refreshed once. The answer is for the subject of the session's
    /// id_token, or it is thrown away: a token that somebody slipped in could otherwise bring another person's claims.
    /// The session goes on.
    ///
    /// - Parameter server: The session's authority, as discovered.
    public func userInfo(at server: AuthorizationServer) async throws(UserInfoFailure) -> UserInfo {
        let subject = try subject(at: server)
        guard let endpoint = server.userInfoEndpoint else { throw .notOffered }
        guard !store.others.have(endpoint, of: server.issuer) else { throw .otherAuthority }
        let answer: HTTPResponse
        do throws(SessionFailure) { answer = try await ask(.json(endpoint)) } catch { throw .session(error) }
        return try UserInfo(answer, of: subject)
    }

    // A token is for the authority that gave it (oauth R3): by its name and by where the token came from.
    private func subject(at server: AuthorizationServer) throws(UserInfoFailure) -> String {
        do throws(SessionFailure) { try load() } catch { throw .session(error) }
        guard let record else { throw .session(.signedOut) }
        guard server.issuer == record.server.issuer, server.tokenEndpoint == record.server.tokenEndpoint else {
            throw .otherAuthority
        }
        guard let identity = record.identity, identity.issuer == server.issuer else { throw .withoutIdentity }
        return identity.subject
    }

    private func ask(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        let first = try await token(.token)
        let answer = try await answer(to: request, showing: first)
        if let answer, !answer.isRefusedToken { return answer }
        let second = try await token(.refused(first.stamp))
        return try Self.provable(try await self.answer(to: request, showing: second))
    }

    private nonisolated func answer(
        to request: HTTPRequest, showing token: AccessToken
    ) async throws(SessionFailure) -> HTTPResponse? {
        try await unlessKeyIsLost { () async throws(TokenSendFailure) in
            try await sender(of: token).send(request, with: token.shown(to: request.url.origin))
        }
    }
}

extension UserInfo {
    /// Reads an answer that has to be for `subject`.
    init(_ answer: HTTPResponse, of subject: String) throws(UserInfoFailure) {
        guard answer.status == 200 else { throw .status(answer.status) }
        if answer.fields.all("Content-Type").contains(where: { $0.lowercased().hasPrefix("application/jwt") }) {
            throw .signed
        }
        guard let document = answer.jsonObject else { throw .notClaims }
        guard let named = document["sub"]?.string, ConstantTime.equal(named, subject) else { throw .otherSubject }
        self.init(subject: subject, document: document)
    }
}
