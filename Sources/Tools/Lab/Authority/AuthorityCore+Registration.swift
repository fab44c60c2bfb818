internal import PavisePrimitives

/// A client that registered (RFC 7591).
struct RegisteredClient: Sendable {
    var redirects: [String]
    var method: String
    var secret: SecretDigest?
    /// For its own address (RFC 7592).
    var token: SecretDigest

    /// Whether two loopback addresses differ in their port at most (RFC 8252 §7.3).
    static func isSame(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let one = LoopbackRedirect(one), let other = LoopbackRedirect(other) else { return false }
        return one.host == other.host && one.path == other.path
    }
}

extension AuthorityCore {
    /// The registration endpoint, and each client's own address below it.
    func registration(_ request: LabRequest) -> LabResponse {
        guard state.value.configuration.registration != .none else { return LabResponse(status: 404) }
        guard request.path.hasSuffix("/register") else { return manage(request) }
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard request.field("Content-Type") == "application/json", let asked = try? JSONValue.parse(request.body),
            let answer = register(asked)
        else { return .json(AuthorityFault.text("invalid_client_metadata"), status: 400) }
        return .json(answer.text, status: 201)
    }

    // RFC 7591 §3.2.1. Only native apps with loopback or configured addresses, or devices without any.
    private func register(_ asked: JSONValue) -> JSONValue? {
        let configuration = state.value.configuration
        let redirects = (asked["redirect_uris"]?.array ?? []).compactMap(\.string)
        let isDevice = asked["grant_types"]?.array?.contains("authorization_code") == false
        guard asked["application_type"] == "native", redirects.isEmpty == isDevice,
            redirects.allSatisfy({
                RegisteredClient.isSame($0, "http://127.0.0.1/callback") || configuration.redirects.contains($0)
            })
        else { return nil }
        var method = asked["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
        if configuration.registration == .onlyWithSecret, method == "none" { return nil }
        if configuration.registration == .withSecret { method = "client_secret_basic" }
        // What this authority could not check it does not register.
        guard ["none", "client_secret_basic", "client_secret_post"].contains(method) else { return nil }
        let name = TokenText.fresh("client", "lab")
        let secret = method == "none" ? nil : TokenText.fresh("secret", configuration.canary)
        let token = TokenText.fresh("registration", configuration.canary)
        let client = RegisteredClient(
            redirects: redirects, method: method, secret: secret.map { SecretDigest($0) }, token: SecretDigest(token))
        let address = state.value.address(.register) + "/" + name
        state.change {
            $0.clients[name] = client
            $0.registrationSecrets[name] = [token] + [secret].compactMap(\.self)
            $0.ledger.counters.registrations += 1
        }
        let answered: [JSONValue.Member] = [
            .init("client_id", .string(name)), .init("token_endpoint_auth_method", .string(method)),
        ]
        let told = secret.map {
            [JSONValue.Member("client_secret", .string($0)), .init("client_secret_expires_at", .integer(0))]
        }
        let management: [JSONValue.Member] = [
            .init("registration_client_uri", .string(address)),
            .init("registration_access_token", .string(token)),
        ]
        let given = answered + (told ?? []) + (configuration.managesClients ? management : [])
        let names = Set((answered + management).map(\.name)).union(["client_secret", "client_secret_expires_at"])
        return .object((asked.members ?? []).filter { !names.contains($0.name) } + given)
    }

    // RFC 7592 §2.1, §2.3.
    private func manage(_ request: LabRequest) -> LabResponse {
        let name = request.path.split(separator: "/").last.map(String.init) ?? ""
        guard let client = state.value.clients[name], let shown = Self.shown(request), shown.scheme == "bearer",
            client.token.matches(shown.token)
        else { return LabResponse(status: 401) }
        guard request.method == "DELETE" else { return LabResponse(status: 405) }
        state.change {
            $0.clients[name] = nil
            $0.registrationSecrets[name] = nil
            $0.pushed = $0.pushed.filter { $0.value.client != name }
            $0.ledger.endAll(of: name)
            $0.ledger.counters.deregistrations += 1
        }
        return LabResponse(status: 204)
    }
}

extension LabAuthority {
    /// The identifiers of the clients that are registered now.
    public var registeredClients: [String] { core.state.value.clients.keys.sorted() }

    /// The secrets of registered clients and the tokens that manage them: canaries to search for.
    public var registrationSecrets: [String] { core.state.value.registrationSecrets.values.flatMap(\.self) }
}
