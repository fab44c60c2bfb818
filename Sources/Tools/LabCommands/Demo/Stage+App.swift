internal import Pavise
internal import PaviseLab
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

extension Stage {
    /// The person's name and password at ``passwordServer(_:tls:_:)``.
    static let user = "ada"
    static let password = "canary-of-the-password"

    /// The scene's app, as one of its processes makes it: everything goes through it, as it does in an app. Its clients
    /// trust the scene's authority and nobody else.
    func app(pins: [PinSet] = [], session: RefreshPolicy = RefreshPolicy()) throws -> AppSecurity {
        try Self.app(in: home, trusting: authority.anchor, pins: pins, session: session)
    }

    /// The same in any home.
    static func app(
        in home: PaviseHome, trusting anchor: [UInt8], pins: [PinSet] = [], session: RefreshPolicy = RefreshPolicy()
    ) throws -> AppSecurity {
        var configuration = SecurityConfiguration()
        configuration.managed = .none
        configuration.passwordServers = .named
        configuration.pins = SecurityConfiguration.Pins(pins)
        configuration.session = session
        var parts = SecurityParts()
        parts.home = home
        parts.anchors = .only([anchor])
        parts.watchesSystem = false
        return try AppSecurity(identifier: applicationID, configuration: configuration, parts: parts)
    }

    /// An account at the lab's authority with a session, ready to use.
    func signedIn(
        at oauth: LabAuthority, as name: String = "lab", in app: AppSecurity? = nil, browser: AddressReader? = nil
    ) async throws -> Account {
        let app = if let app { app } else { try self.app() }
        let server = try await app.review(oauth.issuer)
        guard case .trusted = server.verdict else { throw SceneFailure("the authority was not trusted") }
        var options = SignInOptions()
        options.browser = browser ?? LabPerson.browser(oauth)
        options.scopes = ["openid", "offline_access", "api"]
        return try await app.connect(server, as: name, clientID: "pavise-lab", options: options)
    }

    /// Starts a server that asks for the person's password, and answers whoever shows it. It ends with the scene.
    func passwordServer(
        _ identity: ServerIdentity?, tls: LabTLS = LabTLS(),
        _ handler: @escaping LabServer.Handler = { _ in .text("welcome") }
    ) throws -> LabServer {
        let wanted = "Basic " + Base64.encode(Array("\(Self.user):\(Self.password)".utf8))
        return try server(identity, tls: tls) { request in
            guard request.field("Authorization") == wanted else {
                return LabResponse(status: 401, fields: [.init("WWW-Authenticate", "Basic realm=\"lab\"")])
            }
            return handler(request)
        }
    }

    /// An account with a password at a server that is trusted, or was approved.
    func account(at server: ReviewedServer, as name: String, in app: AppSecurity) async throws -> Account {
        try await app.connect(
            server, as: name, user: Self.user, password: SecretBytes(utf8: Self.password))
    }

    /// The tokens that the authority gave out: none of them may ever be found in a file.
    func canaries(of oauth: LabAuthority) -> [String] { oauth.issuedTokens.map(\.value) }
}

/// Sends a GET to the protected resource and demands `status`.
func requireAnswer(_ status: Int = 200, of account: Account, path: String = "/api/me", _ what: String) async throws {
    let response = try await account.send(HTTPRequest("GET", try account.connection.url(path)))
    try require(response.status == status, "\(what): expected \(status), saw \(response.status)")
}
