package import PaviseTransport

/// The authorities of a person's other connections. Nothing that belongs to this connection's authority goes to their
/// servers, whatever a metadata document or a stored record names (oauth A7, R3, S2).
///
/// An authority's endpoints may lie at other origins than its issuer, and only its own metadata knows which. What is
/// known here is that they do not lie at another authority: metadata that says so would make one authority redeem what
/// the other gave (RFC 9700 §4.4).
package struct MixUpGuard: Sendable {
    /// There are none.
    package static let none = MixUpGuard { [] }

    private let origins: @Sendable () -> Set<Origin>?

    /// - Parameter origins: Where the issuers of the other connections are, at the time of the call; `nil` where that
    ///   cannot be read: then nothing is sent.
    package init(_ origins: @escaping @Sendable () -> Set<Origin>?) { self.origins = origins }

    /// Whether an endpoint that `issuer` names is another authority's. The issuer's own origin is its own, also where
    /// several authorities share it.
    package func have(_ endpoint: WebURL?, of issuer: String) -> Bool {
        guard let endpoint, endpoint.origin != (try? WebURL(issuer))?.origin else { return false }
        return origins()?.contains(endpoint.origin) ?? true
    }

    /// Whether a stored session's tokens would go to another authority.
    package func have(_ server: TokenServer) -> Bool {
        have(server.tokenEndpoint, of: server.issuer) || have(server.revocationEndpoint, of: server.issuer)
    }

    /// The same, for certain: not where the other connections cannot be read just now, and nobody can say.
    func certainlyHave(_ server: TokenServer) -> Bool {
        guard let known = self.origins() else { return false }
        return MixUpGuard { known }.have(server)
    }

    /// Refuses to register a client at another authority: the secret that it gives would go to this one. Refuses it
    /// without TLS, too.
    package func checkRegistration(at server: AuthorizationServer) throws(SignInFailure) {
        guard server.registrationEndpoint?.origin.scheme != .http else {
            throw .discovery(.withoutTLS("registration_endpoint"))
        }
        guard !have(server.registrationEndpoint, of: server.issuer) else {
            throw .discovery(.otherAuthority("registration_endpoint"))
        }
    }

    /// Refuses an authority with an endpoint at another one, or without TLS: one that an app has configured was not
    /// looked at before. The endpoint for claims about the person, the page for a sign-out and the endpoint for
    /// registration are looked at where they are used.
    func check(_ server: AuthorizationServer) throws(SignInFailure) {
        let endpoints = [
            ("authorization_endpoint", server.authorizationEndpoint), ("token_endpoint", server.tokenEndpoint),
            ("revocation_endpoint", server.revocationEndpoint), ("jwks_uri", server.keysEndpoint),
            ("pushed_authorization_request_endpoint", server.pushedRequestEndpoint),
            ("device_authorization_endpoint", server.deviceEndpoint),
        ]
        for (name, endpoint) in endpoints where endpoint?.origin.scheme == .http {
            throw .discovery(.withoutTLS(name))
        }
        for (name, endpoint) in endpoints where have(endpoint, of: server.issuer) {
            throw .discovery(.otherAuthority(name))
        }
    }
}
