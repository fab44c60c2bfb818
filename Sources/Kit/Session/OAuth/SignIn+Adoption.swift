package import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault

extension SignIn {
    /// Begins a session with a refresh token that somebody else got, and has no access token before its first refresh.
    ///
    /// - Throws: ``SignInFailure``; then nothing was stored, and the token is as good as before: nothing was sent.
    package func adopt(
        _ token: SharedSecretBytes, at server: AuthorizationServer, _ request: Request, into store: SessionStore
    ) async throws(SignInFailure) {
        try store.others.check(server)
        let tokenServer = try tokenServer(at: server, request)
        let now = ClockReading(environment.time)
        let isSameUser: Bool
        do throws(VaultFailure) {
            isSameUser = try await store.begin(
                { stamp in
                    SessionRecord(
                        generation: stamp.generation + 1, epoch: stamp.epoch + 1, server: tokenServer,
                        resource: request.resource, access: nil, refresh: token, scopes: request.scopes, identity: nil,
                        lifetime: 0, received: now, start: now, age: 0, aged: now, rejections: 0)
                }, at: now)
        } catch {
            throw .store(error)
        }
        guard isSameUser else { throw .otherUser }
    }
}
