import Pavise
import PaviseLab
import PaviseSession
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// CS1 after the sign-in: what an account does by itself goes to no server that nobody agreed to.
@Suite struct `Servers that the metadata names later` {
    private struct Reply: Decodable, Sendable { let path: String }

    private func origin(_ endpoint: AuthorityEndpoint, of world: SecurityWorld) throws -> Origin {
        try WebURL(world.authority.address(endpoint)).origin
    }

    /// Requests to an endpoint.
    private func requests(_ endpoint: AuthorityEndpoint, of world: SecurityWorld) -> Int {
        world.authority.server.requests.count { $0.path.hasPrefix("/\(endpoint.rawValue)") }
    }

    private func needsConsent(_ error: any Error) -> Bool {
        (error as? PaviseError)?.code == .consentNeeded && (error as? PaviseError)?.recovery == .approve
    }

    @Test(arguments: [AuthorityEndpoint.token, .par, .revoke, .jwks, .userinfo, .logout])
    func `get nothing of a sign-in that the account's server wants, and a review asks about them`(
        _ endpoint: AuthorityEndpoint
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            world.authority.configuration.elsewhere = [endpoint]
            let before = world.authority.counters.tokenRequests + requests(.par, of: world)
            await #expect { _ = try await account.get("/api/level/phr", as: Reply.self) } throws: { needsConsent($0) }
            #expect(world.authority.counters.tokenRequests + requests(.par, of: world) == before)
            let server = try await account.review()
            func connect() async throws -> Account {
                try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            }
            await #expect { _ = try await connect() } throws: { needsConsent($0) }
            #expect(server.others.map(\.origin) == [try origin(endpoint, of: world)])
            server.acceptOthers()
            let again = try await connect()
            #expect(try await again.get("/api/level/phr", as: Reply.self).path == "/api/level/phr")
        }
    }

    @Test func `get no access token by a question about the person`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let connection = account.connection
            let known = try await connection.authority()
            world.authority.configuration.elsewhere = [.userinfo]
            let failure = SignInFailure.discovery(.otherServers([try origin(.userinfo, of: world)]))
            await #expect(throws: UserInfoFailure.authority(failure)) { try await connection.userInfo() }
            let later = try await Discovery(client: connection.client).find(issuer: world.authority.issuer)
            await #expect(throws: UserInfoFailure.authority(failure)) { try await connection.userInfo(at: later) }
            #expect(requests(.userinfo, of: world) == 0)
            #expect(try await connection.userInfo(at: known).subject == "alice")
        }
    }

    @Test func `are asked about before the first sign-in, also the one that tells about the person`() async throws {
        var configuration = AuthorityConfiguration()
        configuration.elsewhere = [.userinfo, .logout]
        let world = try SecurityWorld(configuration)
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            func connect() async throws -> Account {
                try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            }
            await #expect { _ = try await connect() } throws: { needsConsent($0) }
            #expect(server.others.map(\.purposes) == [["userinfo_endpoint", "end_session_endpoint"]])
            server.acceptOthers()
            #expect(try await connect().connection.userInfo().subject == "alice")
        }
    }

    @Test func `get no browser with the id_token at a sign-out`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let opened = Mutex(0)
            var options = world.willing
            let willing = options.browser
            options.browser = AddressReader { (url) throws(BrowserFailure) in
                opened.withLock { $0 += 1 }
                try await willing.open(url)
            }
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            world.authority.configuration.elsewhere = [.logout]
            let report = await account.signOut(closesBrowserSession: true)
            #expect(report.localFailure == nil && report.revocation == .done)
            #expect(report.authorityPage == .notConfirmed && opened.withLock { $0 } == 1)
        }
    }

    @Test func `are not asked for the keys of a logout token`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            world.authority.configuration.elsewhere = [.jwks]
            let before = requests(.jwks, of: world)
            let token = world.authority.logoutToken(name: "1")
            await #expect { _ = try await account.endSession(by: token) } throws: { needsConsent($0) }
            #expect(requests(.jwks, of: world) == before)
        }
    }

    @Test func `get no sign-in without a browser, which other calls do not need`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let connection = try await world.signedIn(try world.app()).connection
            world.authority.configuration.elsewhere = [.device]
            let failure = SignInFailure.discovery(.otherServers([try origin(.device, of: world)]))
            let authority = try await connection.authority()
            await #expect(throws: failure) { try await connection.signInOnDevice { _ in } }
            await #expect(throws: failure) { try await connection.signInOnDevice(at: authority) { _ in } }
            #expect(requests(.device, of: world) == 0)
        }
    }
}
