import PaviseLab
import PavisePrimitives
import Testing

/// What a server does about the length of sessions, whatever its clients do (Documentation/Authority.md).
@Suite struct AuthoritySessionTests {
    let clock = ManualTime()

    private func start(_ change: (inout AuthorityConfiguration) -> Void) throws -> AuthorityClient {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return AuthorityClient(
            authority: try LabAuthority.start(
                try CertificateAuthority().issue(), configuration: configuration, clock: clock.source))
    }

    /// Refreshes, and gives the tokens that came.
    private func refreshed(_ client: AuthorityClient, _ tokens: AuthorityClient.Tokens) throws -> AuthorityClient.Tokens
    {
        let answer = try client.refresh(try #require(tokens.refresh))
        #expect(answer.status == 200, "\(answer.body)")
        return try AuthorityClient.tokens(answer)
    }

    private func expectEnded(_ client: AuthorityClient, _ tokens: AuthorityClient.Tokens, _ reason: String) throws {
        let answer = try client.refresh(tokens.refresh ?? "")
        // RFC 6749 §5.2.
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#) && answer.body.contains(reason), "\(answer.body)")
        #expect(answer.field("Cache-Control") == "no-store")
        // RFC 6750 §3.1.
        let call = try client.call(tokens.access)
        #expect(call.status == 401)
        #expect(call.field("WWW-Authenticate") == #"Bearer realm="lab", error="invalid_token""#)
        #expect(!client.authority.accepts(tokens.access) && !client.authority.accepts(tokens.refresh ?? ""))
    }

    static let rotations: [AuthorityConfiguration.Rotation] = [
        .strict, .grace(seconds: 10), .refusing, .none(repeatsToken: true),
    ]

    @Test(arguments: rotations)
    func `a session that nobody uses ends after its idle time`(_ rotation: AuthorityConfiguration.Rotation) throws {
        let client = try start {
            $0.idleTime = 600
            $0.accessTokenLifetime = 3600
            $0.rotation = rotation
        }
        let tokens = try client.signIn()
        clock.advance(seconds: 599)
        #expect(try client.call(tokens.access).status == 200)
        clock.advance(seconds: 600)
        try expectEnded(client, tokens, "not used for too long")
        #expect(client.authority.counters.idleEnds == 1)
        #expect(client.authority.counters.reuseDetections == 0)
    }

    @Test func `each use begins the idle time anew: a refresh, and a call with an access token`() throws {
        let client = try start {
            $0.idleTime = 600
            $0.accessTokenLifetime = 700
        }
        var tokens = try client.signIn()
        for _ in 0..<3 {
            clock.advance(seconds: 599)
            tokens = try refreshed(client, tokens)
            clock.advance(seconds: 599)
            #expect(try client.call(tokens.access).status == 200)
        }
        clock.advance(seconds: 599)
        #expect(try client.call(tokens.access, client.path(.userinfo)).status == 401, "the access token is over")
        clock.advance(seconds: 1)
        try expectEnded(client, tokens, "not used for too long")
    }

    @Test func `what is refused is no use`() throws {
        let client = try start {
            $0.idleTime = 600
            $0.accessTokenLifetime = 60
            $0.rotation = .refusing
        }
        let first = try client.signIn()
        let second = try refreshed(client, first)
        clock.advance(seconds: 599)
        #expect(try client.refresh(first.refresh ?? "").status == 400)
        #expect(try client.call(second.access).status == 401)
        #expect(try client.exchange("nobody's").status == 400)
        clock.advance(seconds: 1)
        try expectEnded(client, second, "not used for too long")
    }

    @Test(arguments: rotations)
    func `the longest session ends at its second, however much it is used and its tokens rotated`(
        _ rotation: AuthorityConfiguration.Rotation
    ) throws {
        let client = try start {
            $0.maximumSession = 3600
            $0.idleTime = 900
            $0.rotation = rotation
        }
        var tokens = try client.signIn()
        for _ in 0..<11 {
            clock.advance(seconds: 300)
            tokens = try refreshed(client, tokens)
        }
        clock.advance(seconds: 299)
        #expect(try client.call(tokens.access).status == 200)
        clock.advance(seconds: 1)
        try expectEnded(client, tokens, "the longest session time has passed")
        #expect(client.authority.counters.maximumEnds == 1 && client.authority.counters.idleEnds == 0)
    }

    @Test(arguments: [AuthorityConfiguration.AccessTokenForm.opaque, .jwt])
    func `no token outlives its session, and the answer says how long it lives`(
        _ form: AuthorityConfiguration.AccessTokenForm
    ) throws {
        let client = try start {
            $0.maximumSession = 1000
            $0.accessTokenLifetime = 300
            $0.accessTokenForm = form
        }
        let first = try client.signIn()
        clock.advance(seconds: 900)
        let answer = try client.refresh(first.refresh ?? "")
        let document = try JSONValue.parse(Array(answer.body.utf8))
        #expect(document["expires_in"]?.integer == 100)
        let tokens = try AuthorityClient.tokens(answer)
        if form == .jwt {
            let claims = try JSONValue.parse(
                try #require(Base64URL.decode(tokens.access.split(separator: ".").map(String.init)[1])))
            // RFC 9068 §2.2: who verifies the token alone sees the session's end as well.
            #expect(claims["exp"]?.integer == clock.source.wallSeconds + 100)
        }
        clock.advance(seconds: 99)
        #expect(client.authority.accepts(tokens.access) && client.authority.accepts(tokens.refresh ?? ""))
        clock.advance(seconds: 1)
        try expectEnded(client, tokens, "the longest session time has passed")
    }

    @Test func `a code that lives longer than its session begins none after its end`() throws {
        let client = try start { $0.maximumSession = 30 }
        let old = try client.code()
        clock.advance(seconds: 29)
        let young = try client.code()
        clock.advance(seconds: 1)
        let answer = try client.exchange(old)
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#), "\(answer.body)")
        #expect(answer.body.contains("the longest session time has passed"), "\(answer.body)")
        #expect(client.authority.counters.codeExchanges == 0)
        let begun = try JSONValue.parse(Array(try client.exchange(young).body.utf8))
        #expect(begun["expires_in"]?.integer == 29)
    }

    @Test func `the answer of a grace time is no way past the end`() throws {
        let client = try start {
            $0.maximumSession = 100
            $0.rotation = .grace(seconds: 60)
        }
        let first = try client.signIn()
        clock.advance(seconds: 90)
        _ = try refreshed(client, first)
        clock.advance(seconds: 10)
        #expect(try client.refresh(first.refresh ?? "").status == 400)
        #expect(client.authority.counters.graceAnswers == 0)
    }

    @Test func `a limit ends its own session and no other`() throws {
        let client = try start {
            $0.idleTime = 600
            $0.maximumSession = 1000
        }
        let old = try client.signIn()
        clock.advance(seconds: 599)
        let kept = try refreshed(client, old)
        let young = try client.signIn()
        clock.advance(seconds: 401)
        try expectEnded(client, kept, "the longest session time has passed")
        _ = try refreshed(client, young)
        #expect(client.authority.counters.maximumEnds == 1)
    }

    @Test func `a limit that is set while it runs holds from the next request on`() throws {
        let client = try start { _ in }
        let tokens = try client.signIn()
        clock.advance(seconds: 100)
        client.authority.configuration.maximumSession = 100
        try expectEnded(client, tokens, "the longest session time has passed")
    }

    @Test func `signing out ends the whole session, also with a token that was replaced`() throws {
        for spentOne in [false, true] {
            let client = try start { $0.rotation = .grace(seconds: 60) }
            let first = try client.signIn()
            let second = try refreshed(client, first)
            #expect(try client.revoke((spentOne ? first : second).refresh ?? "").status == 200)
            try expectEnded(client, second, "the session was revoked")
            // Neither is the grace answer given any more.
            #expect(try client.refresh(first.refresh ?? "").status == 400)
            #expect(client.authority.counters.revokedFamilies == 1)
            #expect(client.authority.counters.graceAnswers == 0)
        }
    }

    @Test(arguments: [false, true])
    func `an access token that is revoked ends its session where that is wanted`(_ isWanted: Bool) throws {
        let client = try start { $0.endsSessionWithAccessToken = isWanted }
        let tokens = try client.signIn()
        #expect(try client.revoke(tokens.access).status == 200)
        #expect(!client.authority.accepts(tokens.access))
        #expect(client.authority.accepts(tokens.refresh ?? "") == !isWanted)
    }
}
