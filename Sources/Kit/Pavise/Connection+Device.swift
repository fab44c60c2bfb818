public import PavisePrimitives
public import PaviseSession

extension Connection {
    /// Signs in where there is no browser: shows an address and a code, and waits for the person to type it elsewhere
    /// (RFC 8628).
    ///
    /// - Parameters:
    ///   - authority: What ``authority()`` found; asked for when it is not given.
    ///   - clientSecret: For an authority that demands a confidential client. It is kept with the session's tokens.
    ///   - binding: Whether the tokens are bound to a key of this device.
    ///   - show: Gets the address and the code, once. Say beside them which program shows them.
    /// - Returns: What should be known beside the success, and who signed in.
    /// - Throws: `SignInFailure`; `withoutDeviceGrant` where the authority does not offer it.
    @discardableResult
    public func signInOnDevice(
        at authority: AuthorizationServer? = nil, clientSecret: SharedSecretBytes? = nil,
        binding: DPoPPolicy = .automatic,
        show: @Sendable (DevicePrompt) async -> Void
    ) async throws(SignInFailure) -> SignIn.Success {
        let server = if let authority { authority } else { try await self.authority() }
        try checkServers(of: server, devices: true)
        var request = self.request(clientSecret)
        request.tokenAlgorithms = server.tokenAlgorithms
        return try await bound(binding, at: server) { [request] (binding, store) async throws(SignInFailure) in
            let signIn = SignIn(
                client: client, binding: binding, browser: SystemBrowser(), environment: environment, policy: policy)
            return try await signIn.runOnDevice(at: server, request, into: store, show: show)
        }
    }
}
