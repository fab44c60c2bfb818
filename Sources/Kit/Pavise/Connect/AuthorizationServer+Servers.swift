internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

extension AuthorizationServer {
    /// What is sent to in a sign-in and after it, by its name in the metadata.
    ///
    /// - Parameters:
    ///   - devices: Whether somebody signs in without a browser.
    ///   - registration: Whether a client is registered.
    func endpoints(devices: Bool, registration: Bool = false) -> [(name: String, origin: Origin)] {
        let named: [(String, WebURL?)] = [
            ("token_endpoint", tokenEndpoint), ("revocation_endpoint", revocationEndpoint),
            ("jwks_uri", keysEndpoint), ("pushed_authorization_request_endpoint", pushedRequestEndpoint),
            ("userinfo_endpoint", userInfoEndpoint), ("end_session_endpoint", endSessionEndpoint),
            ("device_authorization_endpoint", devices ? deviceEndpoint : nil),
            ("registration_endpoint", registration ? registrationEndpoint : nil),
        ]
        return named.compactMap { name, url in url.map { (name, $0.origin) } }
    }
}

extension Connection {
    /// Refuses an authority with an endpoint at a server that neither the person nor the app has named, and that nobody
    /// agreed to when the connection was made, or made again. Connections without such a list, of an older Pavise or
    /// made by ``Connections/add(_:origin:method:issuer:clientID:scopes:redirectPort:approvals:pins:)``, go on.
    ///
    /// - Parameter devices: Whether somebody signs in without a browser.
    func checkServers(of authority: AuthorizationServer, devices: Bool = false) throws(SignInFailure) {
        guard let accepted = descriptor.acceptedServers else { return }
        let issuer = descriptor.issuer.flatMap { (try? WebURL($0))?.origin }
        let known = Set(accepted + [descriptor.origin] + [issuer].compactMap { $0 })
        let others = Set(authority.endpoints(devices: devices).map { $0.origin }).subtracting(known)
        guard others.isEmpty else {
            throw .discovery(.otherServers(others.sorted { $0.description < $1.description }))
        }
    }
}
