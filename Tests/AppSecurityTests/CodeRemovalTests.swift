import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseVault
import Synchronization
import Testing

@testable import Pavise

/// Two processes, of which one takes the PIN away (app-lock AL8).
@Suite struct CodeRemovalTests {
    private struct Me: Decodable, Sendable { let user: String }

    @Test func `AL8: what another process seals under the PIN while it is removed is not lost`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            try await app.lock.setPIN(SecurityWorld.pin)
            // It has unlocked, and does not know that the PIN goes.
            let other = try world.app()
            try await other.lock.unlock(SecurityWorld.pin)
            let id = try #require(try other.connections.list().first?.id)
            let vault = other.connections.vault(of: id)
            let writes = Mutex(0)
            let isOver = Mutex(false)
            let observer: @Sendable (TokenVault.Step) -> Void = { step in
                if step == .destroyed { isOver.withLock { $0 = true } }
                guard step == .sealed, !isOver.withLock({ $0 }) else { return }
                do throws(VaultFailure) {
                    guard case .found(let secret) = try vault.read(.session(of: id)) else { return }
                    try secret.withBytes { bytes throws(VaultFailure) in
                        try vault.store(bytes, as: .session(of: id))
                    }
                    writes.withLock { $0 += 1 }
                } catch {
                    Issue.record(error)
                }
            }
            try await TokenVault.Step.$observer.withValue(observer) {
                try await app.lock.removePIN(SecretBytes(utf8: SecurityWorld.pin))
            }
            #expect(writes.withLock { $0 } > 0)
            let after = try world.app()
            #expect(after.lock.state == .unset)
            #expect(try await after.account("work").get("/api/me", as: Me.self).user == "alice")
            withExtendedLifetime(other) {}
        }
    }
}
