internal import PavisePrimitives

/// Everything about the authority that changes while it runs.
struct AuthorityState: Sendable {
    var configuration: AuthorityConfiguration
    var keys: SigningKeys
    /// When it started, in seconds since 1970: the first key signs from then on.
    let since: Int64
    var base = ""
    /// The server that demands a certificate of each client; `nil` without one.
    var certificateBase: String?
    var ledger = AuthorityLedger()
    var faults: [AuthorityEndpoint: [(fault: AuthorityFault, times: Int?)]] = [:]
    /// Clients that registered, by their identifiers.
    var clients: [String: RegisteredClient] = [:]
    /// What they were given, for a search alone: nothing is compared with it.
    var registrationSecrets: [String: [String]] = [:]
    /// Pushed requests by their names.
    var pushed: [String: PushedParameters] = [:]
    /// The nonce that proofs must repeat.
    var proofNonce = TokenText.fresh("nonce", "lab")
    /// The proofs that came already.
    var proofNames: Set<String> = []
    /// Devices and what they were asked.
    var attestation = DeviceAttestation()
    /// Whether each request ends without an answer, whatever it is for.
    var isUnreachable = false
    var callbackFault: CallbackFault?
    var idTokenFault: IDTokenFault?

    init(configuration: AuthorityConfiguration, keys: SigningKeys, since: Int64) {
        self.configuration = configuration
        self.keys = keys
        self.since = since
    }

    /// What a token is for that no request named a server for.
    static let ownResource = "lab-api"

    var issuer: String { base + configuration.issuerPath }

    /// Whether a token for these servers is for the protected resource here: under its name, or under one of its
    /// addresses.
    func isOwn(_ audience: [String]) -> Bool {
        guard !audience.isEmpty else { return true }
        let bases = [base] + (certificateBase.map { [$0] } ?? [])
        let names = bases.flatMap { [$0, "\($0)/", "\($0)/api", "\($0)/api/"] as [String] } + [Self.ownResource]
        return audience.contains { names.contains($0) }
    }

    /// The address of an endpoint as the metadata names it.
    func address(_ endpoint: AuthorityEndpoint) -> String {
        switch endpoint {
        case .metadata: "\(base)/.well-known/oauth-authorization-server\(configuration.issuerPath)"
        case .discovery: "\(issuer)/.well-known/openid-configuration"
        case .api, .basic: "\(base)/\(endpoint.rawValue)/"
        case _ where configuration.elsewhere.contains(endpoint):
            "\(issuer.replacing("//\(configuration.host):", with: "//localhost:"))/\(endpoint.rawValue)"
        default: "\(issuer)\(configuration.doublesSlashes ? "//" : "/")\(endpoint.rawValue)"
        }
    }

    /// The fault that happens to this request, and one use less of it.
    mutating func nextFault(at endpoint: AuthorityEndpoint) -> AuthorityFault? {
        guard let next = faults[endpoint]?.first else { return nil }
        if let times = next.times {
            faults[endpoint]?[0].times = times - 1
            if times <= 1 { faults[endpoint]?.removeFirst() }
        }
        return next.fault
    }

    /// One of the two metadata documents (RFC 8414 §2, OpenID Connect Discovery §3).
    func metadata(_ document: AuthorityEndpoint) -> String {
        let methods = configuration.challengeMethods
        let registers = configuration.registration != .none
        let further = { (endpoint: AuthorityEndpoint, isOffered: Bool) -> JSONValue? in
            isOffered && configuration.furtherEndpoints.areNamed(in: document) ? .string(address(endpoint)) : nil
        }
        let fields = JSONValue.fields([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(address(.authorize)),
            "token_endpoint": .string(address(.token)),
            "revocation_endpoint": further(.revoke, true),
            "pushed_authorization_request_endpoint": further(.par, configuration.offersPushedRequests),
            "device_authorization_endpoint": further(.device, configuration.offersDevices),
            "registration_endpoint": further(.register, registers),
            "require_pushed_authorization_requests": configuration.demandsPushedRequests ? true : nil,
            "dpop_signing_alg_values_supported": configuration.bindsTokens ? ["ES256"] : nil,
            "tls_client_certificate_bound_access_tokens": configuration.bindsTokensToCertificates ? true : nil,
            "mtls_endpoint_aliases": certificateEndpoints,
            "challenge_endpoint": configuration.judgesDevices ? .string(address(.challenge)) : nil,
            "pavise_attestation_endpoint": configuration.judgesDevices ? .string(address(.attestation)) : nil,
            "jwks_uri": .string(address(.jwks)),
            "userinfo_endpoint": .string(address(.userinfo)),
            "end_session_endpoint": configuration.offersLogout ? .string(address(.logout)) : nil,
            "backchannel_logout_supported": configuration.offersLogout ? true : nil,
            "backchannel_logout_session_supported": configuration.offersLogout
                ? .bool(configuration.namesSessions) : nil,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": .array(
                ["authorization_code", "refresh_token"]
                    + (configuration.offersDevices ? ["urn:ietf:params:oauth:grant-type:device_code"] : [])),
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(configuration.tokenAlgorithms.map { .string($0) }),
            "scopes_supported": .array(configuration.scopes.map { .string($0) }),
            "token_endpoint_auth_methods_supported": clientAuthentication,
            "code_challenge_methods_supported": methods.isEmpty ? nil : .array(methods.map { .string($0) }),
            "authorization_response_iss_parameter_supported": .bool(configuration.namesIssuer),
        ])
        return fields.text
    }

    /// The address of an endpoint on the server that demands certificates.
    func certificateAddress(_ endpoint: AuthorityEndpoint) -> String? {
        certificateBase.map { $0 + address(endpoint).dropFirst(base.count) }
    }

    // RFC 8705 §5.
    private var certificateEndpoints: JSONValue? {
        guard certificateBase != nil else { return nil }
        let own = { (endpoint: AuthorityEndpoint) in certificateAddress(endpoint).map { JSONValue.string($0) } }
        return .fields([
            "token_endpoint": own(.token), "revocation_endpoint": own(.revoke), "userinfo_endpoint": own(.userinfo),
            "pushed_authorization_request_endpoint": configuration.offersPushedRequests ? own(.par) : nil,
            "device_authorization_endpoint": configuration.offersDevices ? own(.device) : nil,
        ])
    }

    private var clientAuthentication: JSONValue? {
        guard configuration.clientCertificateName == nil else { return ["tls_client_auth"] }
        guard configuration.clientSecret != nil || configuration.registration.givesSecrets else { return ["none"] }
        return configuration.clientAuthentication.map { .array($0.map { .string($0) }) }
    }
}
