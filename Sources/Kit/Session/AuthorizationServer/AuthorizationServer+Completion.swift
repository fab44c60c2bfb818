internal import PaviseTransport

extension AuthorizationServer {
    /// Whether an endpoint is missing that an authority's other document may name.
    var lacksEndpoints: Bool {
        [revocationEndpoint, pushedRequestEndpoint, deviceEndpoint, registrationEndpoint].contains(nil)
    }

    /// This description with the endpoints that it lacks and `other`, the authority's other document, names: for
    /// revocation, pushed requests, devices and registration. It only adds: what this document names stays, also where
    /// the other one says something else.
    ///
    /// - Parameter other: Read as strictly as this one. Another issuer, authorization, token or key endpoint makes it
    ///   the description of something else, and nothing of it is taken. That is no failure: nothing depends on this
    ///   document, and whoever could break it could otherwise stop sign-ins that go well without it. Its endpoints get
    ///   tokens, so they must lie at the issuer's or the token endpoint's origin, which get tokens anyway: an OAuth
    ///   document lies at the root of its host, above the path of the issuer that it speaks for.
    func completed(by other: AuthorizationServer) -> AuthorizationServer {
        guard other.issuer == issuer, other.authorizationEndpoint == authorizationEndpoint,
            other.tokenEndpoint == tokenEndpoint, agree(keysEndpoint, other.keysEndpoint)
        else { return self }
        return AuthorizationServer(
            issuer: issuer, authorizationEndpoint: authorizationEndpoint, tokenEndpoint: tokenEndpoint,
            revocationEndpoint: revocationEndpoint ?? near(other.revocationEndpoint), keysEndpoint: keysEndpoint,
            advertisesPKCE: advertisesPKCE, advertisesIssuer: advertisesIssuer, scopes: scopes,
            pushedRequestEndpoint: pushedRequestEndpoint ?? near(other.pushedRequestEndpoint),
            demandsPushedRequests: demandsPushedRequests, deviceEndpoint: deviceEndpoint ?? near(other.deviceEndpoint),
            clientAuthentication: clientAuthentication, proofAlgorithms: proofAlgorithms,
            registrationEndpoint: registrationEndpoint ?? near(other.registrationEndpoint),
            userInfoEndpoint: userInfoEndpoint
        ).withExtras(of: self)
    }

    private func agree(_ one: WebURL?, _ other: WebURL?) -> Bool { one == nil || other == nil || one == other }

    private func near(_ endpoint: WebURL?) -> WebURL? {
        let origins = [tokenEndpoint.origin, (try? WebURL(issuer))?.origin]
        return endpoint.flatMap { origins.contains($0.origin) ? $0 : nil }
    }
}
