import PaviseJWT
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseSession

/// oauth J3, session/F12: when keys are fetched.
@Suite struct IssuerKeysTests {
    @Test func `unknown keys are asked for once a minute, known ones once an hour`() {
        var freshness = KeyFreshness()
        #expect(freshness.fetches(.first, at: 0))
        freshness.fetched(.first, worked: true, at: 0)
        #expect(!freshness.fetches(.first, at: 3_599_999))
        #expect(freshness.fetches(.unknownKey, at: 1))
        freshness.fetched(.unknownKey, worked: false, at: 1)
        #expect(!freshness.fetches(.unknownKey, at: 60_000))
        #expect(freshness.fetches(.unknownKey, at: 60_001))
        #expect(freshness.fetches(.first, at: 3_600_000))
        #expect(freshness.fetches(.unknownKey, at: .min) && freshness.fetches(.unknownKey, at: .max))
    }

    @Test func `a flood of a thousand invented names makes two requests in all`() async throws {
        let world = try LabWorld()
        let keys = IssuerKeys(through: world.client)
        let time = ManualTime()
        let endpoint = try WebURL(world.authority.address(.jwks))
        let before = world.authority.counters.keyRequests
        let ask: @Sendable (Int) async throws -> Void = { number in
            let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"x\#(number)"}"#.utf8))
            let token = try CompactToken(header + ".e30.AA")
            await #expect(throws: IDTokenProblem.noSuchKey) {
                try await keys.verify(
                    token, from: endpoint, accepting: [.rs256], at: time.source)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<900 { group.addTask { try await ask(number) } }
            try await group.waitForAll()
        }
        // One after the other as well, when nobody else's fetch is on its way.
        for number in 900..<1000 { try await ask(number) }
        // The set itself, and one for names that it did not hold.
        #expect(world.authority.counters.keyRequests - before == 2)
    }

    @Test func `keys that one client fetched check no token for another client`() async throws {
        let world = try LabWorld()
        let token = try CompactToken(world.authority.sampleIDToken())
        let endpoint = try WebURL(world.authority.address(.jwks))
        let first = SignIn(client: world.client, browser: SystemBrowser())
        _ = try await first.keys.verify(token, from: endpoint, accepting: [.rs256], at: .system)
        let before = world.authority.counters.keyRequests
        // This one trusts nobody: pins that fit no server.
        let strict = try HTTPClient(policy: TrustPolicy(anchors: .only([])))
        let other = SignIn(client: strict, browser: SystemBrowser())
        await #expect(throws: IDTokenProblem.keysUntrusted) {
            try await other.keys.verify(token, from: endpoint, accepting: [.rs256], at: .system)
        }
        #expect(world.authority.counters.keyRequests == before)
    }

    @Test func `a failed fetch keeps the last good set, and a first one says so`() async throws {
        let world = try LabWorld()
        let keys = IssuerKeys(through: world.client)
        let time = ManualTime()
        let endpoint = try WebURL(world.authority.address(.jwks))
        let token = try CompactToken(world.authority.sampleIDToken())
        world.authority.fail(.jwks, with: .status(500), times: 1)
        await #expect(throws: IDTokenProblem.keysUnavailable) {
            try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
        }
        _ = try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
        time.advance(seconds: 3601)
        world.authority.fail(.jwks, with: .page(200))
        _ = try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
    }

    @Test(arguments: [AuthorityFault.page(200), .status(500), .hangUp])
    func `keys that cannot be fetched again are believed for a day and not longer`(_ fault: AuthorityFault) async throws
    {
        let world = try LabWorld()
        let keys = IssuerKeys(through: world.client)
        let time = ManualTime()
        let endpoint = try WebURL(world.authority.address(.jwks))
        let token = try CompactToken(world.authority.sampleIDToken())
        _ = try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
        world.authority.fail(.jwks, with: fault)
        time.advance(seconds: 24 * 3600 - 1)
        _ = try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
        time.advance(seconds: 1)
        await #expect(throws: IDTokenProblem.keysUnavailable) {
            try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
        }
        world.authority.heal()
        _ = try await keys.verify(token, from: endpoint, accepting: [.rs256], at: time.source)
    }

    @Test func `a set is believed from its own fetch on, whatever was tried since`() {
        var freshness = KeyFreshness()
        #expect(!freshness.believes(at: 0))
        freshness.fetched(.first, worked: true, at: 10)
        freshness.fetched(.unknownKey, worked: false, at: 86_000_000)
        #expect(freshness.believes(at: 86_400_009) && !freshness.believes(at: 86_400_010))
        #expect(!freshness.believes(at: 9) && !freshness.believes(at: .min) && !freshness.believes(at: .max))
    }

    @Test(arguments: [
        AuthorityFault.redirect(302, to: "https://127.0.0.1:1/"), .redirect(307, to: "https://127.0.0.1:1/"),
        .page(200),
        .oversized(bytes: 200_000), .nested(depth: 1000), .twice("keys", "x"), .contentType("text/html"), .hangUp,
    ])
    func `keys that are none are not used`(_ fault: AuthorityFault) async throws {
        let world = try LabWorld()
        world.authority.fail(.jwks, with: fault)
        await #expect(throws: SignInFailure.identity(.keysUnavailable)) { try await world.signIn() }
        #expect(try world.record == nil)
    }

    @Test func `a shared secret is never accepted from an issuer`() async throws {
        let world = try LabWorld()
        let token = try CompactToken(Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + ".e30.AA")
        await #expect(throws: IDTokenProblem.algorithm) {
            try await IssuerKeys(through: world.client).verify(
                token, from: try WebURL(world.authority.address(.jwks)), accepting: [.hs256], at: .system)
        }
        #expect(world.authority.counters.keyRequests == 0)
    }
}
