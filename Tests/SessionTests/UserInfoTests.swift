import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// OpenID Connect Core §5.3, the checklist's cases 11 and 13: claims about the person who is signed in, and about
/// nobody else.
@Suite struct UserInfoTests {
    private func world(_ change: (inout AuthorityConfiguration) -> Void = { _ in }) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabWorld(configuration)
    }

    private func server(_ world: LabWorld) async throws -> AuthorizationServer {
        try await Discovery(client: world.client).find(issuer: world.authority.issuer)
    }

    @Test(arguments: [(["openid"], nil), (["openid", "profile"], "Alice")])
    func `claims follow the scopes`(_ scopes: [String], _ name: String?) async throws {
        let world = try world()
        let session = try await world.signIn(change: { $0.scopes = scopes }).session
        let person = try await session.userInfo(at: try await server(world))
        #expect(person.subject == "alice" && person.name == name && person.email == nil && !person.isEmailVerified)
        #expect(person.text("sub") == "alice" && person.flag("sub") == nil)
        for text in ["\(person)", String(reflecting: person)] { #expect(!text.lowercased().contains("alice")) }
    }

    @Test(arguments: [
        (AuthorityFault.member("sub", "mallory"), UserInfoFailure.otherSubject), (.without("sub"), .otherSubject),
        (.member("sub", ""), .otherSubject), (.member("sub", "Alice"), .otherSubject),
        (.twice("sub", "alice"), .notClaims),
        (.contentType("application/jwt"), .signed), (.contentType("text/html"), .notClaims), (.page(200), .notClaims),
        (.oversized(bytes: 200_000), .notClaims), (.nested(depth: 1000), .notClaims), (.invalidText, .notClaims),
        (.status(403), .status(403)), (.status(500), .status(500)),
        (.redirect(307, to: "https://127.0.0.1:1/"), .status(307)),
    ])
    func `an answer for somebody else, or none, is thrown away, and the session goes on`(
        _ fault: AuthorityFault, _ failure: UserInfoFailure
    ) async throws {
        let world = try world()
        let session = try await world.signIn().session
        world.authority.fail(.userinfo, with: fault)
        let server = try await server(world)
        do throws(UserInfoFailure) {
            _ = try await session.userInfo(at: server)
            Issue.record("believed: \(fault)")
        } catch {
            switch error {
            // A body beyond the bound is not read to its end.
            case .session(.transport(.bodyTooLarge)): #expect(failure == .notClaims)
            default: #expect(error == failure)
            }
        }
        world.authority.heal()
        #expect(try await session.userInfo(at: server).subject == "alice")
        #expect(world.authority.counters.refreshes == 0)
    }

    @Test func `a refused token is refreshed once`() async throws {
        let world = try world()
        let session = try await world.signIn().session
        let server = try await server(world)
        world.authority.expireAccessTokens()
        #expect(try await session.userInfo(at: server).subject == "alice")
        #expect(world.authority.counters.rotations == 1)
        world.authority.fail(.userinfo, with: .status(401))
        await #expect(throws: UserInfoFailure.status(401)) { try await session.userInfo(at: server) }
        #expect(world.authority.counters.rotations == 2)
    }

    @Test func `another authority's endpoint gets no token`() async throws {
        let world = try world()
        let session = try await world.signIn().session
        let mine = try await server(world)
        let other = try self.world()
        defer { other.authority.stop() }
        let foreign = try WebURL(other.authority.address(.userinfo))
        for (issuer, token) in [
            (other.authority.issuer, mine.tokenEndpoint), (mine.issuer, try WebURL(other.authority.address(.token))),
        ] {
            let crossed = AuthorizationServer(
                issuer: issuer, authorizationEndpoint: mine.authorizationEndpoint, tokenEndpoint: token,
                userInfoEndpoint: foreign)
            await #expect(throws: UserInfoFailure.otherAuthority) { try await session.userInfo(at: crossed) }
        }
        #expect(other.authority.server.counters.connections == 0)
    }

    @Test func `without an endpoint, an identity or a session there is nothing to ask`() async throws {
        let world = try world()
        let server = try await server(world)
        let anonymous = try await world.signIn(change: { $0.scopes = ["api"] }).session
        await #expect(throws: UserInfoFailure.withoutIdentity) { try await anonymous.userInfo(at: server) }
        let session = try await world.signIn().session
        for fault in [
            AuthorityFault.without("userinfo_endpoint"), .member("userinfo_endpoint", "http://127.0.0.1/userinfo"),
            .member("userinfo_endpoint", "no address"),
        ] {
            world.authority.heal()
            world.authority.fail(.discovery, with: fault)
            let silent = try await self.server(world)
            await #expect(throws: UserInfoFailure.notOffered) { try await session.userInfo(at: silent) }
        }
        _ = await session.signOut()
        await #expect(throws: UserInfoFailure.self) { try await session.userInfo(at: server) }
        #expect(world.authority.counters.grantedCalls == 0 && world.authority.counters.refusedCalls == 0)
    }

    @Test(arguments: [DPoPPolicy.never, .always])
    func `a connection asks its own authority, with a proof where its tokens are bound`(_ binding: DPoPPolicy)
        async throws
    {
        let world = try BoundWorld { $0.proofNonces = .changing }
        let connection = try await world.signedIn(binding)
        #expect(try await connection.userInfo().subject == "alice")
        #expect(world.authority.counters.refusedCalls == 0)
        // The same token without its proof is worth nothing there.
        let token = SharedSecretBytes(world.token(.access))
        let address = try WebURL(world.authority.address(.userinfo))
        let bare = Authorization(scheme: "Bearer", credential: token.duplicate(), origin: address.origin)
        let status = try await connection.client.send(HTTPRequest("GET", address), with: bare).status
        #expect(status == (binding == .always ? 401 : 200))
    }
}
