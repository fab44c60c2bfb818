package import PaviseJWT
internal import PavisePrimitives
public import PaviseTransport

/// The metadata of an authorization server (RFC 8414 §2, OpenID Connect Discovery §3), as far as Pavise uses it.
public struct AuthorizationServer: Hashable, Sendable {
    /// The issuer identifier: compared as text, never normalised.
    public let issuer: String
    /// Where the browser goes. Endpoints are used exactly as they were written, double slashes included.
    public let authorizationEndpoint: WebURL
    /// Where codes and refresh tokens are exchanged.
    public let tokenEndpoint: WebURL
    /// Where tokens are revoked, when the server can.
    public let revocationEndpoint: WebURL?
    /// Where the keys of id_tokens lie.
    public let keysEndpoint: WebURL?
    /// Whether the server says that it checks S256 challenges (RFC 7636).
    public let advertisesPKCE: Bool
    /// Whether the server says that it puts `iss` into its answers (RFC 9207 §3).
    public let advertisesIssuer: Bool
    /// The scopes it lists.
    public let scopes: [String]
    /// Where authorization requests are pushed (RFC 9126), when the server can.
    public let pushedRequestEndpoint: WebURL?
    /// Whether the server takes no other requests than pushed ones (RFC 9126 §5).
    public let demandsPushedRequests: Bool
    /// Where a device without a browser begins (RFC 8628 §4), when the server can.
    public let deviceEndpoint: WebURL?
    /// How clients may authenticate, by their names in RFC 7591 §2.
    public let clientAuthentication: [String]
    /// Where clients register (RFC 7591 §3), when the server lets them.
    public let registrationEndpoint: WebURL?
    /// How proofs of possession may be signed (RFC 9449 §5.1); empty where the server does not bind tokens to a key.
    public let proofAlgorithms: [String]
    /// Where the authority tells about the person who is signed in (OpenID Connect Core §5.3), when it does.
    public let userInfoEndpoint: WebURL?

    /// The page that ends the browser's session (OpenID Connect RP-Initiated Logout 1.0 §2.1), when there is one.
    package private(set) var endSessionEndpoint: WebURL?
    /// Where devices are enrolled and send quotes: a member of Pavise's own.
    package private(set) var attestationEndpoint: WebURL?
    /// Where challenges for attestations are had (draft-ietf-oauth-attestation-based-client-auth).
    package private(set) var challengeEndpoint: WebURL?
    /// Endpoints for clients that show a certificate, by their names in the metadata (RFC 8705 §5).
    package private(set) var certificateEndpoints: [String: WebURL] = [:]
    /// Whether the server binds access tokens to the certificate that a client shows (RFC 8705 §3.3).
    package private(set) var bindsTokensToCertificates = false
    /// How id_tokens and logout tokens of this server may be signed: what its metadata lists of RS256, PS256, ES256 and
    /// EdDSA; RS256 alone where it lists none of them (OpenID Connect Core §2).
    package private(set) var tokenAlgorithms: Set<TokenAlgorithm> = [.rs256]

    /// Whether the server binds tokens to a key that signs as the secure element does.
    public var bindsTokens: Bool { proofAlgorithms.contains("ES256") }

    /// An authority that is configured and not discovered.
    public init(
        issuer: String, authorizationEndpoint: WebURL, tokenEndpoint: WebURL, revocationEndpoint: WebURL? = nil,
        keysEndpoint: WebURL? = nil, advertisesPKCE: Bool = true, advertisesIssuer: Bool = false, scopes: [String] = [],
        pushedRequestEndpoint: WebURL? = nil, demandsPushedRequests: Bool = false, deviceEndpoint: WebURL? = nil,
        clientAuthentication: [String] = Self.usualAuthentication, proofAlgorithms: [String] = [],
        registrationEndpoint: WebURL? = nil, userInfoEndpoint: WebURL? = nil
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.keysEndpoint = keysEndpoint
        self.advertisesPKCE = advertisesPKCE
        self.advertisesIssuer = advertisesIssuer
        self.scopes = scopes
        self.pushedRequestEndpoint = pushedRequestEndpoint
        self.demandsPushedRequests = demandsPushedRequests
        self.deviceEndpoint = deviceEndpoint
        self.clientAuthentication = clientAuthentication
        self.proofAlgorithms = proofAlgorithms
        self.registrationEndpoint = registrationEndpoint
        self.userInfoEndpoint = userInfoEndpoint
    }

    /// Whether the server does anything with a client's certificate (RFC 8705).
    package var takesClientCertificates: Bool {
        bindsTokensToCertificates || !certificateEndpoints.isEmpty
            || clientAuthentication.contains { ["tls_client_auth", "self_signed_tls_client_auth"].contains($0) }
    }

    /// The same server as a client uses it that shows a certificate: with the endpoints that are named for it in the
    /// place of the others (RFC 8705 §5).
    package var forClientCertificates: AuthorizationServer {
        func own(_ name: String, _ usual: WebURL?) -> WebURL? { certificateEndpoints[name] ?? usual }
        return AuthorizationServer(
            issuer: issuer, authorizationEndpoint: authorizationEndpoint,
            tokenEndpoint: certificateEndpoints["token_endpoint"] ?? tokenEndpoint,
            revocationEndpoint: own("revocation_endpoint", revocationEndpoint), keysEndpoint: keysEndpoint,
            advertisesPKCE: advertisesPKCE, advertisesIssuer: advertisesIssuer, scopes: scopes,
            pushedRequestEndpoint: own("pushed_authorization_request_endpoint", pushedRequestEndpoint),
            demandsPushedRequests: demandsPushedRequests,
            deviceEndpoint: own("device_authorization_endpoint", deviceEndpoint),
            clientAuthentication: clientAuthentication, proofAlgorithms: proofAlgorithms,
            registrationEndpoint: registrationEndpoint, userInfoEndpoint: own("userinfo_endpoint", userInfoEndpoint)
        ).withExtras(of: self)
    }

    func withExtras(of other: AuthorizationServer) -> AuthorizationServer {
        var copy = self
        copy.endSessionEndpoint = other.endSessionEndpoint
        copy.attestationEndpoint = other.attestationEndpoint
        copy.challengeEndpoint = other.challengeEndpoint
        copy.certificateEndpoints = other.certificateEndpoints
        copy.bindsTokensToCertificates = other.bindsTokensToCertificates
        copy.tokenAlgorithms = other.tokenAlgorithms
        return copy
    }

    /// What a server takes that does not say (RFC 8414 §2).
    public static let usualAuthentication = ["client_secret_basic"]

    /// The part of it that a session's record keeps.
    public func tokenServer(clientID: String, authentication: ClientAuthentication? = nil) -> TokenServer {
        TokenServer(
            issuer: issuer, clientID: clientID, tokenEndpoint: tokenEndpoint, revocationEndpoint: revocationEndpoint,
            authentication: authentication)
    }
}

extension AuthorizationServer {
    /// Reads a metadata document that was asked for as `issuer`'s.
    init(_ document: JSONValue, issuer: String) throws(DiscoveryFailure) {
        guard let named = document["issuer"]?.string else { throw .missing("issuer") }
        // The exact text, or another authority could speak in this one's name (RFC 8414 §3.3).
        guard named == issuer else { throw .otherIssuer(String(named.prefix(256))) }
        let list = { (name: String) in (document[name]?.array ?? []).compactMap(\.string) }
        self.init(
            issuer: issuer,
            authorizationEndpoint: try Self.required("authorization_endpoint", document),
            tokenEndpoint: try Self.required("token_endpoint", document),
            revocationEndpoint: try Self.endpoint("revocation_endpoint", document),
            keysEndpoint: try Self.endpoint("jwks_uri", document),
            advertisesPKCE: list("code_challenge_methods_supported").contains("S256"),
            advertisesIssuer: document["authorization_response_iss_parameter_supported"]?.bool ?? false,
            scopes: list("scopes_supported"),
            pushedRequestEndpoint: try Self.endpoint("pushed_authorization_request_endpoint", document),
            demandsPushedRequests: document["require_pushed_authorization_requests"]?.bool ?? false,
            deviceEndpoint: try Self.endpoint("device_authorization_endpoint", document),
            clientAuthentication: document["token_endpoint_auth_methods_supported"] == nil
                ? Self.usualAuthentication : list("token_endpoint_auth_methods_supported"),
            proofAlgorithms: list("dpop_signing_alg_values_supported"),
            registrationEndpoint: try Self.endpoint("registration_endpoint", document),
            // Nobody needs it to sign in: one that cannot be used is none.
            userInfoEndpoint: (try? Self.endpoint("userinfo_endpoint", document)) ?? nil)
        // Nobody needs it to sign in: one that cannot be used is none.
        endSessionEndpoint = (try? Self.endpoint("end_session_endpoint", document)) ?? nil
        attestationEndpoint = (try? Self.endpoint("pavise_attestation_endpoint", document)) ?? nil
        challengeEndpoint = (try? Self.endpoint("challenge_endpoint", document)) ?? nil
        bindsTokensToCertificates = document["tls_client_certificate_bound_access_tokens"]?.bool ?? false
        let usable: Set<TokenAlgorithm> = [.rs256, .ps256, .es256, .edDSA]
        let listed = list("id_token_signing_alg_values_supported").compactMap { TokenAlgorithm(rawValue: $0) }
        let accepted = usable.intersection(listed)
        if !accepted.isEmpty { tokenAlgorithms = accepted }
        if let aliases = document["mtls_endpoint_aliases"] {
            for name in Self.aliasNames { certificateEndpoints[name] = try Self.endpoint(name, aliases) }
        }
    }

    private static let aliasNames = [
        "token_endpoint", "revocation_endpoint", "pushed_authorization_request_endpoint",
        "device_authorization_endpoint", "userinfo_endpoint",
    ]

    private static func required(_ name: String, _ document: JSONValue) throws(DiscoveryFailure) -> WebURL {
        guard let url = try endpoint(name, document) else { throw .missing(name) }
        return url
    }

    private static func endpoint(_ name: String, _ document: JSONValue) throws(DiscoveryFailure) -> WebURL? {
        guard let member = document[name], member != .null else { return nil }
        guard let text = member.string, let url = try? WebURL(text), url.fragment == nil else { throw .unusable(name) }
        guard url.origin.scheme == .https else { throw .withoutTLS(name) }
        return url
    }
}
