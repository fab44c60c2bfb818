internal import Pavise
internal import PaviseLab
internal import PaviseSession
internal import PaviseTransport

extension Stage {
    /// All connections of the scene's home. Clients trust the scene's authority beside each connection's approvals.
    func connections(policy: RefreshPolicy = RefreshPolicy(), environment: SessionEnvironment = .system) -> Connections
    {
        let anchor = authority.anchor
        return Connections(home: home, environment: environment, policy: policy) { (trust) throws(TransportFailure) in
            var trust = trust
            trust.anchors = .only([anchor])
            return try CurlTransport(policy: trust)
        }
    }

    /// A connection to the lab's authority with a session, ready to use.
    func signedIn(
        at oauth: LabAuthority, as name: String = "lab", policy: RefreshPolicy = RefreshPolicy(),
        environment: SessionEnvironment = .system, approvals: [CertificateApproval] = []
    ) async throws -> Connection {
        let connection = try connections(policy: policy, environment: environment).add(
            name, origin: try url(oauth.issuer).origin, clientID: "pavise-lab",
            scopes: ["openid", "offline_access", "api"],
            approvals: approvals)
        try await connection.signIn(browser: LabPerson.browser(oauth))
        return connection
    }

    /// The tokens that the authority gave out: none of them may ever be found in a file.
    func canaries(of oauth: LabAuthority) -> [String] { oauth.issuedTokens.map(\.value) }
}

/// Sends a GET to the protected resource and demands `status`.
func requireAnswer(
    _ status: Int = 200, of connection: Connection, _ what: String
) async throws {
    let response = try await connection.send(HTTPRequest("GET", connection.url("/api/me")))
    try require(response.status == status, "\(what): expected \(status), saw \(response.status)")
}
