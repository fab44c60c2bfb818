internal import PavisePrimitives
internal import PaviseSession

extension Connection {
    /// Seals another library's refresh token as this connection's session. Nothing is sent.
    ///
    /// - Throws: `SignInFailure`; `withoutBinding` where `binding` asks for tokens that are bound to a key.
    func adopt(
        _ token: SharedSecretBytes, at server: AuthorizationServer?, clientSecret: SharedSecretBytes?,
        binding: DPoPPolicy
    ) async throws(SignInFailure) {
        // Who signed in was never proved to this app.
        guard let store, let server, descriptor.method != .openIDConnect else { throw .wrongMethod }
        // Nor is the token bound to a key of this device, whatever the authority offers.
        _ = try binding.decide(offered: false, wasBound: try wasBound(store))
        AdoptionStep.reached(.made)
        let signIn = SignIn(client: client, browser: SystemBrowser(), environment: environment, policy: policy)
        try await signIn.adopt(token, at: server, request(clientSecret), into: store)
        AdoptionStep.reached(.sealed)
    }
}
