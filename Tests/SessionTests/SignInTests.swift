import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// The whole sign-in over real TLS against the lab's authority: oauth A, L, T, J and the public client plans (§10).
@Suite struct SignInTests {
    private let world: LabWorld

    init() throws { world = try LabWorld() }

    @Test func `a person signs in, fetches, and signs out everywhere`() async throws {
        let success = try await world.signIn()
        #expect(success.subject == "alice")
        #expect(success.warnings.isEmpty)
        let answer = try await success.session.send(try world.request())
        #expect(answer.status == 200)
        #expect(await success.session.signOut().revocation == .done)
        #expect(
            world.authority.issuedTokens.filter { [.access, .refresh].contains($0.kind) }.allSatisfy {
                world.authority.isRevoked($0.value)
            })
        #expect(try world.record?.refresh == nil)
    }

    @Test func `a thousand callers over TLS rotate once`() async throws {
        let session = try await world.signIn().session
        world.authority.expireAccessTokens()
        let request = try world.request()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await session.send(request).status } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [200])
        #expect(world.authority.counters.rotations == 1)
        #expect(world.authority.counters.reuseDetections == 0)
    }

    @Test(arguments: IDTokenFault.allCases.filter { $0 != .wrongSubject })
    func `a wrong id_token stops, and nothing is stored`(_ fault: IDTokenFault) async throws {
        world.authority.idTokenFault = fault
        do throws(SignInFailure) {
            _ = try await world.signIn()
            Issue.record("signed in with \(fault)")
        } catch {
            guard case .identity = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(try world.record == nil)
        #expect(world.authority.counters.revocations > 0)
    }

    @Test func `the access token that came with a wrong id_token is taken back where there is no other`() async throws {
        world.authority.idTokenFault = .wrongNonce
        world.authority.fail(.token, with: .without("refresh_token"))
        await #expect(throws: SignInFailure.self) { _ = try await world.signIn() }
        let tokens = world.authority.issuedTokens.filter { $0.kind == .access }
        #expect(!tokens.isEmpty && tokens.allSatisfy { world.authority.isRevoked($0.value) })
    }

    @Test(arguments: CallbackFault.allCases)
    func `a wrong callback stops before any token request`(_ fault: CallbackFault) async throws {
        world.authority.callbackFault = fault
        let isTurnedAway = [.wrongState, .missingState, .doubledState, .tokenInFragment].contains(fault)
        do throws(SignInFailure) {
            _ = try await world.signIn(patience: isTurnedAway ? .milliseconds(300) : .seconds(30))
            Issue.record("signed in with \(fault)")
        } catch {
            switch error {
            case .callback, .timeout: break
            default: Issue.record("\(error)")
            }
        }
        #expect(world.authority.counters.tokenRequests == 0)
        #expect(try world.record == nil)
    }

    @Test(arguments: LoopbackAttack.allCases)
    func `a local attacker cannot keep the true callback from winning`(_ attack: LoopbackAttack) async throws {
        let attempts = Mutex<[LoopbackAttack.Attempt]>([])
        let success = try await world.signIn(before: { callback in
            let attempt = try attack.play(against: callback)
            if let page = attempt.page { #expect(page.status == 404 || page.status == 0) }
            attempts.withLock { $0.append(attempt) }
        })
        #expect(success.subject == "alice")
        attempts.withLock { $0.forEach { $0.end() } }
    }

    @Test(.long)
    func `a flood of forged, huge, slow and silent callbacks keeps neither the true one out nor many connections open`()
        async throws
    {
        let flood = LoopbackFlood(of: [.forgedState, .silent, .hugeHead, .halfRequest])
        let most = Mutex(0)
        let success = try await world.signIn(before: { callback in
            let port = try WebURL(callback).origin.port
            try flood.start(against: callback)
            // The forged ones come first, and go on while the true one comes.
            for count in stride(from: 100, through: 1000, by: 100) {
                try #require(flood.wait(for: count, within: .seconds(30)))
                let held = try HeldConnections.count(at: port)
                most.withLock { $0 = max($0, held) }
            }
        })
        #expect(success.subject == "alice")
        #expect(flood.end() >= 1000)
        // The kernel's table is no single moment: who comes and goes while it is read may stand in it twice.
        let held = most.withLock { $0 }
        #expect((1...LoopbackConnections.limit * 3 / 2).contains(held), "\(held) held")
    }

    @Test(.long, arguments: [(19, SignInFailure.timeout), (20, .callback(.otherState))])
    func `forged callbacks never end an attempt, and many of them are what a person is told in the end`(
        _ count: Int, _ failure: SignInFailure
    ) async throws {
        let person = AddressReader { [authority = world.authority] url throws(BrowserFailure) in
            do {
                let callback = try authority.approve(url.description)
                for _ in 0..<count {
                    #expect(try LoopbackAttack.forgedState.play(against: callback).page?.status == 404)
                }
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        let signIn = SignIn(client: world.client, browser: person)
        // The true one never comes.
        await #expect(throws: failure) { try await world.run(signIn, patience: .seconds(2)) }
    }

    @Test func `the answer page repeats nothing and nobody listens afterwards`() async throws {
        let seen = Mutex(("", ""))
        _ = try await world.signIn(after: { callback, page in
            seen.withLock { $0 = (callback, page.text) }
        })
        let (callback, page) = seen.withLock { $0 }
        for part in callback.split(whereSeparator: { "?&=".contains($0) }) where part.count > 12 {
            #expect(!page.contains(part) || part.contains("127.0.0.1"))
        }
        for field in [
            "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer", "default-src 'none'",
        ] {
            #expect(page.contains(field))
        }
        #expect(throws: LabFailure.self) { try LabBrowser.open(callback) }
        let port = try WebURL(callback).origin.port
        #expect(throws: SystemFailure.self) { _ = try TCPStream.connect(port: port) }
    }

    @Test func `keys that rotate just before signing are found`() async throws {
        try world.authority.rotateKeys(keepsOld: false)
        #expect(try await world.signIn().subject == "alice")
    }

    @Test(arguments: [
        AuthorityFault.status(500), .page(200), .error(400, "invalid_grant"), .silence, .oversized(bytes: 200_000),
        .nested(depth: 1000), .redirect(307, to: "https://127.0.0.1:1/"), .hangUp, .twice("access_token", "x"),
        .without("access_token"), .member("token_type", "mac"),
    ])
    func `a failing token endpoint signs nobody in`(_ fault: AuthorityFault) async throws {
        world.authority.fail(.token, with: fault)
        await #expect(throws: SignInFailure.self) { try await world.signIn(deadline: .seconds(2)) }
        #expect(try world.record == nil)
    }

    @Test(arguments: [
        AuthorityFault.status(404), .page(200), .oversized(bytes: 200_000), .member("issuer", "https://evil.example"),
    ])
    func `metadata that is none, or another's, is refused`(_ fault: AuthorityFault) async throws {
        world.authority.fail(.discovery, with: fault)
        world.authority.fail(.metadata, with: fault)
        await #expect(throws: SignInFailure.self) { try await world.signIn() }
        #expect(world.authority.counters.tokenRequests == 0)
    }

    @Test(
        arguments: [
            (.member("token_endpoint", "http://id.example/token"), .withoutTLS("token_endpoint")),
            (.member("authorization_endpoint", "http://id.example/"), .withoutTLS("authorization_endpoint")),
            (.member("jwks_uri", "http://id.example/keys"), .withoutTLS("jwks_uri")),
            (.member("revocation_endpoint", "http://id.example/"), .withoutTLS("revocation_endpoint")),
            (.redirect(302, to: "https://127.0.0.1:1/"), nil), (.redirect(308, to: "https://127.0.0.1:1/"), nil),
        ] as [(AuthorityFault, DiscoveryFailure?)])
    func `metadata without TLS or behind a redirect is refused as such`(
        _ fault: AuthorityFault, _ wanted: DiscoveryFailure?
    ) async throws {
        world.authority.fail(.discovery, with: fault)
        world.authority.fail(.metadata, with: fault)
        do throws(SignInFailure) {
            _ = try await world.signIn()
            Issue.record("signed in")
        } catch {
            switch error {
            case .discovery(.redirected): #expect(wanted == nil)
            case .discovery(let failure): #expect(failure == wanted)
            default: Issue.record("\(error)")
            }
        }
        #expect(world.authority.counters.tokenRequests == 0)
    }

    @Test(arguments: ["token_endpoint", "authorization_endpoint", "jwks_uri", "revocation_endpoint"])
    func `metadata with an endpoint without TLS is refused before anybody signs in`(_ name: String) async throws {
        world.authority.fail(.discovery, with: .member(name, "http://id.example/"))
        world.authority.fail(.metadata, with: .member(name, "http://id.example/"))
        let signIn = SignIn(client: world.client, browser: AddressReader { _ in })
        await #expect(throws: SignInFailure.discovery(.withoutTLS(name))) {
            try await signIn.discover(issuer: world.authority.issuer)
        }
    }

    @Test func `the listener is at 127.0.0.1 alone`() throws {
        let listener = try LoopbackListener()
        let port = try WebURL(listener.redirect).origin.port
        _ = try TCPStream.connect(port: port)
        // Whoever listened at every address would be there too.
        #expect(throws: SystemFailure.self) { _ = try TCPStream.connect(host: "127.0.0.2", port: port) }
        withExtendedLifetime(listener) {}
    }

    @Test(arguments: [
        ("openid", SignInWarning.narrowerScope(asked: ["openid", "api"], granted: ["openid"])),
        ("openid api admin", .broaderScope(asked: ["openid", "api"], granted: ["openid", "api", "admin"])),
    ])
    func `granted scopes that are others than those asked for are told`(
        _ scope: String, _ warning: SignInWarning
    ) async throws {
        world.authority.fail(.token, with: .member("scope", scope))
        let success = try await world.signIn(change: { $0.scopes = ["openid", "api"] })
        #expect(success.warnings == [warning])
        #expect(try world.record?.scopes.joined(separator: " ") == scope)
    }

    @Test func `who asks for an identity and gets none is signed in by nobody`() async throws {
        world.authority.fail(.token, with: .without("id_token"))
        await #expect(throws: SignInFailure.identity(.missing)) { try await world.signIn() }
        #expect(try world.record == nil)
        world.authority.heal()
        world.authority.fail(.token, with: .without("id_token"))
        #expect(try await world.signIn(change: { $0.scopes = ["api"] }).subject == nil)
    }

    @Test func `an authority that does not list S256 is a warning, or refused when demanded`() async throws {
        world.authority.configuration.challengeMethods = []
        #expect(try await world.signIn().warnings.contains(.proofKeyNotAdvertised))
        await #expect(throws: SignInFailure.withoutPKCE) {
            try await world.signIn(change: { $0.demandsProofKey = true })
        }
    }

    @Test func `signing out forgets the cookies of its servers, also those of the last answer, and no others`()
        async throws
    {
        let jar = CookieJar()
        let client = try HTTPClient(policy: world.client.policy, options: ClientOptions(cookies: jar))
        let session = try await world.signIn(through: client).session
        let mine = try WebURL(world.authority.issuer)
        let other = try WebURL("https://other.example/")
        var fields = HTTPFields()
        fields.append("Set-Cookie", "visit=1")
        jar.store(fields, from: other, at: 0)
        var answer = LabResponse.json("{}")
        answer.fields.append(.init("Set-Cookie", "session=canary; Path=/"))
        world.authority.fail(.api, with: .answer(answer))
        world.authority.fail(.revoke, with: .answer(answer))
        #expect(try await session.send(try world.request()).status == 200)
        #expect(jar.cookies(for: mine, at: 0).map(\.name) == ["session"])
        let ended = await session.endLocally()
        #expect(jar.cookies(for: mine, at: 0).isEmpty)
        #expect(await session.revoke(ended) == .done)
        #expect(jar.cookies(for: mine, at: 0).isEmpty)
        #expect(jar.cookies(for: other, at: 0).map(\.name) == ["visit"])
    }

    @Test func `endpoints with double slashes are used as they are`() async throws {
        world.authority.configuration.doublesSlashes = true
        let session = try await world.signIn().session
        _ = try await session.forceRefresh()
        #expect(world.authority.counters.rotations == 1)
    }

    @Test func `another user or issuer in a refresh ends the session`() async throws {
        let session = try await world.signIn().session
        world.authority.idTokenFault = .wrongSubject
        await #expect(throws: SessionFailure.reloginNeeded(.identityMismatch)) { try await session.forceRefresh() }
        await session.settle()
        #expect(world.authority.counters.revocations > 0)
    }
}
