import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@testable import PaviseSession

/// RFC 9126 and RFC 8707: requests that are pushed, tokens for named servers.
@Suite struct PushedRequestTests {
    private func world(_ change: (inout AuthorityConfiguration) -> Void = { _ in }) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabWorld(configuration)
    }

    @Test func `an authority that demands it gets the request pushed, and the browser a name`() async throws {
        let world = try world { $0.demandsPushedRequests = true }
        let seen = Mutex("")
        let success = try await world.signIn(opened: { address in seen.withLock { $0 = address } })
        #expect(success.subject == "alice")
        #expect(world.authority.counters.pushedRequests == 1)
        let address = seen.withLock { $0 }
        for parameter in ["state=", "nonce=", "code_challenge=", "redirect_uri=", "scope="] {
            #expect(!address.contains(parameter))
        }
    }

    @Test func `a client that demands it pushes, or nobody signs in`() async throws {
        let willing = try world()
        _ = try await willing.signIn(change: { $0.demandsPushedRequest = true })
        #expect(willing.authority.counters.pushedRequests == 1)
        let unable = try world { $0.offersPushedRequests = false }
        await #expect(throws: SignInFailure.withoutPushing) {
            try await unable.signIn(change: { $0.demandsPushedRequest = true })
        }
        #expect(unable.authority.counters.tokenRequests == 0)
    }

    @Test(arguments: [
        AuthorityFault.status(500), .page(200), .page(201), .error(400, "invalid_request"), .hangUp,
        .redirect(307, to: "https://127.0.0.1:1/"), .oversized(bytes: 200_000), .nested(depth: 1000),
        .without("request_uri"), .member("request_uri", "two words"), .member("request_uri", ""),
        .without("expires_in"),
        .twice("request_uri", "x"),
    ])
    func `a failing endpoint opens no browser`(_ fault: AuthorityFault) async throws {
        let world = try world { $0.demandsPushedRequests = true }
        world.authority.fail(.par, with: fault)
        let opened = Mutex(false)
        await #expect(throws: SignInFailure.self) {
            try await world.signIn(opened: { _ in opened.withLock { $0 = true } })
        }
        #expect(!opened.withLock { $0 })
        #expect(world.authority.counters.tokenRequests == 0)
    }

    @Test func `a token is asked for the servers that are named, in both requests`() async throws {
        let world = try world { $0.resources = ["https://files.example/"] }
        let files = try WebURL("https://files.example/")
        let seen = Mutex("")
        _ = try await world.signIn(
            change: { $0.resourceIndicators = [files] }, opened: { address in seen.withLock { $0 = address } })
        let encoded = "resource=https%3A%2F%2Ffiles.example%2F"
        #expect(seen.withLock { $0 }.contains(encoded))
        let exchange = world.authority.server.requests.last { $0.path.hasSuffix("/token") }
        let body = String(decoding: exchange.map(\.body) ?? [], as: UTF8.self)
        #expect(body.contains(encoded))
        let other = try WebURL("https://other.example/")
        await #expect(throws: SignInFailure.refused(code: "invalid_target")) {
            try await world.signIn(change: { $0.resourceIndicators = [other] })
        }
    }
}
