import PavisePrimitives
import PaviseTransport
import PaviseVault
import Testing

@testable import Pavise
@testable import PaviseSession

/// What comes late is about the session that it began with, and about no later one.
@Suite struct LateAnswerTests {
    @Test func `a sign-out whose server is slow leaves the id_token of the next sign-in alone`() async throws {
        let world = try WakeWorld()
        let connection = try await world.signedIn("one")
        let item = TokenMethod.hint(at: connection.place)
        try connection.place.vault.store(Array("old".utf8), as: item)
        world.server.set { $0.revocationReply = .hang }
        let leaving = Task { await connection.signOut() }
        await world.naps.waitForSleeper(from: .seconds(5), upTo: .seconds(5))
        #expect(try connection.hint() == nil)
        try connection.place.vault.store(Array("new".utf8), as: item)
        world.naps.wake(from: .seconds(5), upTo: .seconds(6))
        #expect(await leaving.value.localFailure == nil)
        #expect(try connection.hint()?.text == "new")
        world.server.releaseHung()
    }
}
