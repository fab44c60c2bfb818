internal import PavisePrimitives
internal import PaviseSession
internal import PaviseVault

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

    /// Notes, sealed, which token of another library the server has called over. One that cannot be noted is tried
    /// again.
    func noteRefused(_ mark: [UInt8]) {
        try? mark.withSpan { span throws(VaultFailure) in
            try place.vault.store(span, as: TokenMethod.refused(at: place))
        }
    }

    /// Whether it was this one.
    func hasRefused(_ mark: [UInt8]) -> Bool {
        do throws(VaultFailure) {
            guard case .found(let kept) = try place.vault.read(TokenMethod.refused(at: place)) else { return false }
            return kept.withBytes { bytes in Array(bytes) } == mark
        } catch {
            return false
        }
    }
}
