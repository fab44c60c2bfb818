public import PaviseSession

extension Connections {
    /// Registers a client for a connection that is made next (RFC 7591), as `SignIn.register` does, and not at another
    /// connection's authority: metadata that names the registration endpoint of one would give its client, with the
    /// secret, to the other.
    ///
    /// ```swift
    /// let signIn = SignIn(client: client, browser: SystemBrowser())
    /// let made = try await connections.register(at: server, by: signIn, scopes: ["openid"])
    /// let connection = try connections.add("work", origin: origin, clientID: made.clientID)
    /// try await connection.signIn(at: server, clientSecret: made.secret)
    /// try await connection.keep(made)
    /// ```
    ///
    /// - Parameters:
    ///   - server: The authority, with its registration endpoint.
    ///   - signIn: Through whose client the request goes.
    ///   - name: What people see at the authority.
    ///   - scopes: The scopes that the client will ask for.
    ///   - port: The port of the redirect; 0 for any (RFC 8252 §7.3).
    ///   - address: The app's redirect address; `nil` for loopback.
    ///   - isDevice: Whether it will sign in by a code on another device, without a redirect.
    /// - Throws: `SignInFailure.discovery` where the endpoint is at another connection's authority, where it may be
    ///   because the connections cannot be read, or where it has no TLS; then nothing was sent.
    ///   `SignInFailure.registration` where the authority makes none.
    public func register(
        at server: AuthorizationServer, by signIn: SignIn, name: String = "Pavise", scopes: [String], port: UInt16 = 0,
        address: RedirectAddress? = nil, isDevice: Bool = false
    ) async throws(SignInFailure) -> ClientRegistration {
        try await signIn.register(
            at: server, among: others(), name: name, scopes: scopes, port: port, address: address, isDevice: isDevice)
    }
}
