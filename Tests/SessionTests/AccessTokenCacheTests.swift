import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@testable import PaviseSession

/// Callers that come right after another one do not wait for the actor. What they get is what the actor would say.
@Suite struct `A token that was lent a moment ago` {
    private let since = ClockReading(wall: 1_900_000_000_000, continuous: 5000, boot: "b")

    private func lent() -> AccessTokenCache {
        let lent = AccessTokenCache()
        let token = AccessToken(
            secret: SharedSecretBytes("at-0"), stamp: TokenVersion(epoch: 1, generation: 1),
            origin: Origin(scheme: .https, host: "cloud.example", port: 443), proving: nil)
        lent.lend(token, at: since)
        return lent
    }

    @Test(arguments: [
        (0, 0, "b", true), (19, 19, "b", true), (20, 20, "b", false), (1801, 1801, "b", false), (-1, -1, "b", false),
        (0, 86_400_000, "b", false), (0, -86_400_000, "b", false), (0, 0, "another boot", false),
        (Int64.max, 0, "b", false), (0, Int64.max, "b", false),
    ])
    func `is lent again for twenty milliseconds of both clocks`(
        boot: Int64, wall: Int64, epoch: String, isLent: Bool
    ) {
        let now = ClockReading(wall: since.wall &+ wall, continuous: since.continuous &+ boot, boot: epoch)
        #expect((lent().token(at: now) != nil) == isLent)
    }

    @Test func `is forgotten when it is told to`() {
        let lent = lent()
        lent.forget()
        #expect(lent.token(at: since) == nil)
    }

    @Test func `is not sent any more once the session has ended, in the same millisecond`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        #expect(try await session.send(try stage.request()).status == 200)
        _ = await session.signOut()
        await #expect(throws: SessionFailure.signedOut) { try await session.send(try stage.request()) }
    }

    @Test func `is not sent any more once a newer one is there, in the same millisecond`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        #expect(try await session.send(try stage.request()).status == 200)
        _ = try await session.forceRefresh()
        #expect(try await session.send(try stage.request()).status == 200)
        #expect(stage.server.state.withLock { $0.bearers } == ["at-0", "at-1"])
    }

    @Test func `does not go to another origin`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let session = stage.session()
        #expect(try await session.send(try stage.request()).status == 200)
        for address in ["https://evil.example/files", "http://cloud.example/files", "https://cloud.example:444/files"] {
            let url = try WebURL(address)
            await #expect(throws: SessionFailure.foreignOrigin(url.origin)) {
                try await session.send(HTTPRequest("GET", url))
            }
        }
        #expect(stage.server.state.withLock { $0.bearers } == ["at-0"])
    }
}
