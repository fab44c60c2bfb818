import PaviseLab
import PavisePrimitives
import Testing

@Suite struct RotationTests {
    let clock = ManualTime()

    private func start(_ rotation: AuthorityConfiguration.Rotation) throws -> AuthorityClient {
        var configuration = AuthorityConfiguration()
        configuration.rotation = rotation
        return AuthorityClient(
            authority: try LabAuthority.start(
                try CertificateAuthority().issue(), configuration: configuration, clock: clock.source))
    }

    private func lifetime(_ answer: RawClient.Answer) throws -> Int64? {
        try JSONValue.parse(Array(answer.body.utf8))["expires_in"]?.integer
    }

    @Test func `strict: the second use of a refresh token ends the family`() throws {
        let client = try start(.strict)
        let first = try client.signIn()
        let second = try AuthorityClient.tokens(try client.refresh(try #require(first.refresh)))
        #expect(second.refresh != first.refresh)
        #expect(client.authority.accepts(second.access))
        #expect(!client.authority.accepts(try #require(first.refresh)))
        let again = try client.refresh(try #require(first.refresh))
        #expect(again.status == 400)
        #expect(again.body.contains("invalid_grant"))
        #expect(client.authority.isRevoked(second.access))
        #expect(try client.refresh(try #require(second.refresh)).status == 400)
        let counters = client.authority.counters
        #expect(counters.reuseDetections == 1)
        #expect(counters.revokedFamilies == 1)
        #expect(counters.rotations == 1)
    }

    @Test func `grace: the same tokens for a while, then as strict`() throws {
        let client = try start(.grace(seconds: 10))
        let first = try client.signIn()
        let refresh = try #require(first.refresh)
        let second = try client.refresh(refresh)
        clock.advance(seconds: 10)
        #expect(client.authority.accepts(refresh))
        let again = try client.refresh(refresh)
        let (before, after) = (try AuthorityClient.tokens(second), try AuthorityClient.tokens(again))
        #expect(after.access == before.access && after.refresh == before.refresh)
        // RFC 6749 §5.1: the lifetime counts from the answer that says it.
        #expect(try lifetime(second) == 300)
        #expect(try lifetime(again) == 290)
        #expect(client.authority.counters.graceAnswers == 1)
        clock.advance(seconds: 1)
        #expect(!client.authority.accepts(refresh))
        #expect(try client.refresh(refresh).status == 400)
        #expect(client.authority.counters.reuseDetections == 1)
    }

    @Test func `grace: an access token that is over, or for other servers, is not given again`() throws {
        let client = try start(.grace(seconds: 10))
        client.authority.configuration.accessTokenLifetime = 5
        let refresh = try #require(try client.signIn().refresh)
        let second = try AuthorityClient.tokens(try client.refresh(refresh))
        // RFC 8707 §2.2: the request says which servers its token is for. The first one would be taken still.
        client.authority.configuration.resources = ["urn:files"]
        let form = "grant_type=refresh_token&refresh_token=\(refresh)&resource=urn%3Afiles"
        let third = try AuthorityClient.tokens(try client.token(form))
        #expect(third.refresh == second.refresh && client.authority.accepts(third.access))
        #expect(try client.call(third.access).status == 401, "it is for another server")
        clock.advance(seconds: 6)
        let late = try client.refresh(refresh)
        let fourth = try AuthorityClient.tokens(late)
        #expect(fourth.refresh == second.refresh && fourth.access != second.access)
        #expect(try lifetime(late) == 5)
        #expect(client.authority.accepts(fourth.access))
        #expect(client.authority.counters.rotations == 1 && client.authority.counters.reuseDetections == 0)
    }

    @Test func `grace: who comes with a spent token after its successor was used ends the family`() throws {
        let client = try start(.grace(seconds: 10))
        let refresh = try #require(try client.signIn().refresh)
        let second = try AuthorityClient.tokens(try client.refresh(refresh))
        let third = try AuthorityClient.tokens(try client.refresh(try #require(second.refresh)))
        #expect(client.authority.accepts(third.access))
        let again = try client.refresh(refresh)
        #expect(again.status == 400 && again.body.contains("invalid_grant"), "\(again.body)")
        let last = try #require(third.refresh)
        #expect(client.authority.isRevoked(third.access) && client.authority.isRevoked(last))
        let counters = client.authority.counters
        #expect(counters.graceAnswers == 0 && counters.reuseDetections == 1 && counters.revokedFamilies == 1)
    }

    @Test(arguments: [true, false])
    func `none: the token stays good`(_ repeats: Bool) throws {
        let client = try start(.none(repeatsToken: repeats))
        let first = try client.signIn()
        let refresh = try #require(first.refresh)
        for _ in 0..<3 {
            let answer = try AuthorityClient.tokens(try client.refresh(refresh))
            #expect(answer.refresh == (repeats ? refresh : nil))
        }
        #expect(client.authority.counters.refreshes == 3)
        #expect(client.authority.counters.rotations == 0)
    }

    @Test func `refusing: a spent token is refused and nothing ends`() throws {
        let client = try start(.refusing)
        let first = try client.signIn()
        let second = try AuthorityClient.tokens(try client.refresh(try #require(first.refresh)))
        #expect(try client.refresh(try #require(first.refresh)).status == 400)
        #expect(client.authority.accepts(second.access))
    }

    @Test func `a held answer comes after the rotation`() async throws {
        let client = try start(.strict)
        let refresh = try #require(try client.signIn().refresh)
        let gate = LabGate()
        client.authority.fail(.token, with: .late(gate), times: 1)
        async let answer = WorkerThread.run { try? client.refresh(refresh).status }
        #expect(await client.authority.waitForRotation())
        #expect(await gate.waitForArrivals(1))
        gate.open()
        #expect(try await answer == 200)
    }
}
