/// One address of the lab's authority.
public enum AuthorityEndpoint: String, CaseIterable, Hashable, Sendable {
    /// RFC 8414 metadata.
    case metadata
    /// OpenID Connect Discovery.
    case discovery
    /// The authorization endpoint.
    case authorize
    /// The token endpoint.
    case token
    /// The endpoint for pushed requests (RFC 9126).
    case par
    /// Where devices without a browser begin (RFC 8628).
    case device
    /// Where the person types a device's code.
    case verify
    /// Where clients register (RFC 7591); below it, each client's own address (RFC 7592).
    case register
    /// The revocation endpoint (RFC 7009).
    case revoke
    /// The page that ends a session (OpenID Connect RP-Initiated Logout 1.0).
    case logout
    /// Where challenges for attestations are had (draft-ietf-oauth-attestation-based-client-auth).
    case challenge
    /// Where devices are enrolled and send quotes.
    case attestation
    /// The signing keys.
    case jwks
    /// The user-info endpoint.
    case userinfo
    /// The protected resource, everything below `/api/`.
    case api
    /// The resource behind HTTP Basic, everything below `/basic/`.
    case basic

    /// The endpoint that `path` belongs to, for an issuer at `issuerPath`; slashes may be doubled.
    static func find(_ path: String, issuerPath: String) -> AuthorityEndpoint? {
        var path = path
        while let pair = path.firstRange(of: "//") { path.replaceSubrange(pair, with: "/") }
        switch path {
        case "/.well-known/oauth-authorization-server\(issuerPath)": return .metadata
        case "\(issuerPath)/.well-known/openid-configuration": return .discovery
        case _ where path.hasPrefix("/api/"): return .api
        case _ where path.hasPrefix("/basic/"): return .basic
        case _ where path.hasPrefix("\(issuerPath)/register/"): return .register
        default: break
        }
        let named: [AuthorityEndpoint] = [
            .authorize, .token, .par, .device, .verify, .register, .revoke, .logout, .challenge, .attestation, .jwks,
            .userinfo,
        ]
        return named.first { path == "\(issuerPath)/\($0.rawValue)" }
    }
}
