import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@testable import PaviseSession

/// Two metadata documents of one authority (OpenID Connect Discovery §4, RFC 8414 §3): the second only adds.
@Suite struct DiscoveryTests {
    private func world(
        _ places: AuthorityConfiguration.FurtherEndpoints = .inMetadata
    ) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        configuration.furtherEndpoints = places
        configuration.issuerPath = "/realms/one"
        return try LabWorld(configuration)
    }

    private func found(_ world: LabWorld) async throws -> AuthorizationServer {
        try await Discovery(client: world.client).find(issuer: world.authority.issuer)
    }

    private func further(_ server: AuthorizationServer) -> [String?] {
        [server.revocationEndpoint, server.pushedRequestEndpoint, server.deviceEndpoint, server.registrationEndpoint]
            .map { $0?.description }
    }

    @Test(arguments: [AuthorityConfiguration.FurtherEndpoints.inBoth, .inMetadata, .inDiscovery])
    func `endpoints are found whichever document names them`(
        _ places: AuthorityConfiguration.FurtherEndpoints
    ) async throws {
        let world = try world(places)
        let endpoints = [AuthorityEndpoint.revoke, .par, .device, .register].map { world.authority.address($0) }
        #expect(try await further(found(world)) == endpoints)
    }

    @Test func `with the OAuth document alone, or a complete first one, no second is asked for`() async throws {
        let world = try world(.inBoth)
        let counting = CountingClient(world.client)
        _ = try await Discovery(client: counting.noting).find(issuer: world.authority.issuer)
        #expect(counting.paths == ["/realms/one/.well-known/openid-configuration"])
        world.authority.fail(.discovery, with: .status(404))
        world.authority.configuration.registration = .none
        #expect(
            try await Discovery(client: counting.noting).find(issuer: world.authority.issuer).registrationEndpoint
                == nil)
        #expect(counting.paths.count == 3)
    }

    @Test func `tokens are revoked at an endpoint that only the second document names, and no warning is given`()
        async throws
    {
        let world = try world()
        let success = try await world.signIn()
        #expect(success.warnings.isEmpty)
        #expect(await success.session.signOut().revocation == .done)
        #expect(world.authority.counters.revocations > 0)
    }

    @Test(arguments: [
        AuthorityFault.status(404), .status(500), .page(200), .oversized(bytes: 200_000), .nested(depth: 1000),
        .twice("issuer", "x"), .hangUp, .invalidText, .cut(after: 100), .redirect(302, to: "https://127.0.0.1:1/"),
        .without("issuer"), .without("token_endpoint"),
        // Another issuer, or another authority's endpoints under this issuer's name.
        .member("issuer", "https://evil.example"), .member("token_endpoint", "https://evil.example/token"),
        .member("authorization_endpoint", "https://evil.example/auth"),
        .member("jwks_uri", "https://evil.example/keys"),
        .member("registration_endpoint", "http://127.0.0.1/register"), .member("registration_endpoint", "no address"),
    ])
    func `a second document that is missing, broken or another's adds nothing, and is no failure`(
        _ fault: AuthorityFault
    ) async throws {
        let world = try world()
        world.authority.fail(.metadata, with: fault)
        let server = try await found(world)
        #expect(further(server) == [nil, nil, nil, nil])
        #expect(server.tokenEndpoint.description == world.authority.address(.token))
        #expect(try await world.signIn().warnings == [.noRevocation])
    }

    @Test(arguments: [
        "revocation_endpoint", "pushed_authorization_request_endpoint", "device_authorization_endpoint",
        "registration_endpoint",
    ])
    func `an endpoint at a stranger's origin is not added, and the others are`(_ member: String) async throws {
        let world = try world()
        world.authority.fail(.metadata, with: .member(member, "https://evil.example/take"))
        let names = [
            "revocation_endpoint", "pushed_authorization_request_endpoint", "device_authorization_endpoint",
            "registration_endpoint",
        ]
        let isThere = try await further(found(world)).map { $0 != nil }
        #expect(isThere == names.map { $0 != member })
    }

    @Test func `what the first document names stays, whatever the second one says`() async throws {
        let world = try world(.inBoth)
        world.authority.fail(.discovery, with: .without("registration_endpoint"))
        for member in ["revocation_endpoint", "pushed_authorization_request_endpoint", "device_authorization_endpoint"]
        {
            world.authority.heal()
            world.authority.fail(.discovery, with: .without("registration_endpoint"))
            world.authority.fail(.metadata, with: .member(member, "\(world.authority.issuer)/other"))
            let endpoints = [AuthorityEndpoint.revoke, .par, .device, .register].map { world.authority.address($0) }
            #expect(try await further(found(world)) == endpoints)
        }
    }

    @Test func `neither challenges nor bound tokens nor the issuer parameter come from the second document`()
        async throws
    {
        let world = try world()
        world.authority.configuration.offersProof = true
        let names = [
            "code_challenge_methods_supported", "dpop_signing_alg_values_supported",
            "authorization_response_iss_parameter_supported",
        ]
        func said(_ server: AuthorizationServer) -> [Bool] {
            [server.advertisesPKCE, server.bindsTokens, server.advertisesIssuer]
        }
        #expect(try await said(found(world)) == [true, true, true])
        for member in names {
            world.authority.fail(.discovery, with: .without(member))
            let server = try await found(world)
            #expect(server.revocationEndpoint != nil)
            #expect(said(server) == names.map { $0 != member })
            world.authority.heal()
        }
    }
}

/// Notes the paths that are asked for.
private final class CountingClient: Sendable {
    private let client: HTTPClient
    private let seen = Mutex<[String]>([])
    var paths: [String] { seen.withLock { $0 } }

    init(_ client: HTTPClient) { self.client = client }

    var noting: HTTPClient {
        HTTPClient { [self] (order) async throws(TransportFailure) in
            seen.withLock { $0.append(order.request.url.path) }
            return try await client.exchange(order.request, carrying: order.lines)
        }
    }
}
