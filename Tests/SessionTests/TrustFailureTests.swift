import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// A certificate that is refused at any of the authority's endpoints is a failure of trust, and never "cannot be
/// reached".
@Suite struct TrustFailureTests {
    /// A network in which somebody has stepped in front of one endpoint.
    private enum Intruded {
        static let refusal = TransportFailure.untrusted(
            CertificateRefusal(failures: [.pinMismatch], summary: nil, canBeApproved: false))

        static func client(_ client: HTTPClient, at path: String) -> HTTPClient {
            HTTPClient { (order) async throws(TransportFailure) in
                if order.request.url.path.hasPrefix(path) { throw Self.refusal }
                return try await client.exchange(order.request, carrying: order.lines)
            }
        }
    }

    private func world(_ change: (inout AuthorityConfiguration) -> Void = { _ in }) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabWorld(configuration)
    }

    @Test(arguments: [
        ("/par", SignInFailure.unavailable(.trust)), ("/token", .unavailable(.trust)),
        ("/jwks", .identity(.keysUntrusted)),
        ("/.well-known/openid-configuration", .discovery(.transport(Intruded.refusal))),
        ("/.well-known/oauth-authorization-server", .discovery(.transport(Intruded.refusal))),
    ])
    func `a sign-in says so`(_ path: String, _ failure: SignInFailure) async throws {
        // The second metadata document is asked for what the first one lacks.
        let world = try world { $0.furtherEndpoints = path.contains("oauth-") ? .inMetadata : .inBoth }
        let client = Intruded.client(world.client, at: path)
        await #expect(throws: failure) {
            try await world.signIn(through: client, change: { $0.demandsPushedRequest = path == "/par" })
        }
        #expect(try world.record == nil)
    }

    @Test(arguments: ["/device", "/token"])
    func `a sign-in by a code says so, and stops asking`(_ path: String) async throws {
        let world = try world()
        let authority = world.authority
        let client = Intruded.client(world.client, at: path)
        // The pauses between two questions pass at once; the limits of a request, which are longer, do not.
        let environment = SessionEnvironment(sleep: { if $0 >= .seconds(20) { try? await Task.sleep(for: $0) } })
        let signIn = SignIn(client: client, browser: AddressReader { _ in }, environment: environment)
        let server = try await signIn.discover(issuer: authority.issuer)
        let request = SignIn.Request(clientID: "pavise-lab", resource: try WebURL(authority.issuer).origin)
        await #expect(throws: SignInFailure.unavailable(.trust)) {
            try await signIn.runOnDevice(at: server, request, into: world.store) { _ in }
        }
        #expect(authority.counters.tokenRequests == 0)
    }

    @Test func `a registration says so`() async throws {
        let world = try world()
        let signIn = SignIn(client: Intruded.client(world.client, at: "/register"), browser: AddressReader { _ in })
        let server = try await signIn.discover(issuer: world.authority.issuer)
        await #expect(throws: SignInFailure.registration(.unavailable(.trust))) {
            try await signIn.register(at: server, scopes: ["openid"])
        }
        #expect(world.authority.counters.registrations == 0)
    }

    @Test func `claims about a person: it says so`() async throws {
        let world = try world()
        _ = try await world.signIn()
        let session = Session(store: world.store, client: Intruded.client(world.client, at: "/userinfo"))
        let server = try await Discovery(client: world.client).find(issuer: world.authority.issuer)
        await #expect(throws: UserInfoFailure.session(.transport(Intruded.refusal))) {
            try await session.userInfo(at: server)
        }
        let unread = UserInfoFailure.authority(.discovery(.transport(Intruded.refusal)))
        #expect(unread.description.contains("certificate"))
    }

    @Test func `a refused certificate costs the token endpoint one handshake and no byte`() async throws {
        let world = try LabWorld()
        _ = try await world.signIn()
        let stranger = try HTTPClient(policy: TrustPolicy(anchors: .only([try CertificateAuthority().anchor])))
        let session = Session(store: world.store, client: stranger)
        let before = world.authority.server.counters
        await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
        let after = world.authority.server.counters
        #expect(after.connections - before.connections == 1)
        #expect(after.requests == before.requests && after.applicationBytes == before.applicationBytes)
    }

    @Test(arguments: [
        (TransportFailure.network("off", sent: false), SignInFailure.unavailable(.network)),
        (.timeout(sent: true), .unavailable(.network)), (.cancelled(sent: false), .cancelled),
        (Intruded.refusal, .unavailable(.trust)), (.tls("alert"), .unavailable(.trust)),
        (.credentialRefused(Origin(scheme: .https, host: "a.example", port: 443)), .unavailable(.trust)),
        (.unusableRequest("a"), .unavailable(.configuration)), (.malformed("a"), .unavailable(.server)),
        (.bodyTooLarge(limit: 1), .unavailable(.server)), (.redirects("a"), .unavailable(.server)),
    ])
    func `each failure of a request keeps its kind`(_ failure: TransportFailure, _ meaning: SignInFailure) {
        #expect(SignInFailure(failure) == meaning)
    }
}
