internal import PavisePrimitives
internal import PaviseSession

extension Connection {
    /// Seals another library's refresh token as this connection's session. Nothing is sent.
    func adopt(
        _ token: SharedSecretBytes, at server: AuthorizationServer?, clientSecret: SharedSecretBytes?
    ) async throws(SignInFailure) {
        // Who signed in was never proved to this app.
        guard let store, let server, descriptor.method != .openIDConnect else { throw .wrongMethod }
        AdoptionStep.reached(.made)
        let signIn = SignIn(client: client, browser: SystemBrowser(), environment: environment, policy: policy)
        try await signIn.adopt(token, at: server, request(clientSecret), into: store)
        AdoptionStep.reached(.sealed)
    }
}
