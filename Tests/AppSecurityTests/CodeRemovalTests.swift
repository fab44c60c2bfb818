import PaviseAppLock
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

    @Test func `AL8: a sign-in of another process in the last moment of a removal is not lost`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            try await app.lock.setPIN(SecurityWorld.pin)
            let other = try world.app()
            try await other.lock.unlock(SecurityWorld.pin)
            let id = try #require(try other.connections.list().first?.id)
            let vault = other.connections.vault(of: id)
            let proofs = Mutex(0)
            let observer: @Sendable (AppLockStep) -> Void = { step in
                guard step == .judged else { return }
                let count = proofs.withLock { proofs in
                    proofs += 1
                    return proofs
                }
                // The first proof opens the lock, the second one is to remove it.
                guard count == 2 else { return }
                do throws(VaultFailure) {
                    guard case .found(let secret) = try vault.read(.session(of: id)) else { return }
                    try vault.prepare()
                    try secret.withBytes { bytes throws(VaultFailure) in
                        try vault.store(bytes, as: .session(of: id))
                    }
                } catch {
                    Issue.record(error)
                }
            }
            try await AppLockStep.$observer.withValue(observer) {
                try await app.lock.removePIN(SecretBytes(utf8: SecurityWorld.pin))
            }
            #expect(proofs.withLock { $0 } == 3)
            let after = try world.app()
            #expect(after.lock.state == .unset)
            #expect(try await after.account("work").get("/api/me", as: Me.self).user == "alice")
            withExtendedLifetime(other) {}
        }
    }

    @Test func `AL8: who was open when another process took the PIN away signs in without one`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            try await app.lock.setPIN(SecurityWorld.pin)
            let other = try world.app()
            try await other.lock.unlock(SecurityWorld.pin)
            try await app.lock.removePIN(SecretBytes(utf8: SecurityWorld.pin))
            _ = try await world.signedIn(other)
            #expect(other.lock.state == .unset)
            let after = try world.app()
            #expect(after.lock.state == .unset)
            #expect(try await after.account("work").get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test func `AL8: who was open when another process set a PIN seals nothing without it`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            let (other, reader) = (try world.app(), try world.app())
            #expect(other.lock.state == .unset && reader.lock.state == .unset)
            let id = try #require(try other.connections.list().first?.id)
            try await app.lock.setPIN(SecurityWorld.pin)
            let isLocked: (any Error) -> Bool = { if case .locked? = $0 as? VaultFailure { true } else { false } }
            let vault = other.connections.vault(of: id)
            #expect {
                try vault.prepare()
                try vault.store([1], as: .session(of: id))
            } throws: {
                isLocked($0)
            }
            #expect(!other.lock.state.isOpen)
            // What lies in the box is not lost for who knows of no lock: it is locked.
            #expect {
                _ = try reader.connections.vault(of: id).read(.session(of: id))
            } throws: {
                isLocked($0)
            }
            #expect(!reader.lock.state.isOpen)
            try await other.lock.unlock(SecurityWorld.pin)
            #expect(try await other.account("work").get("/api/me", as: Me.self).user == "alice")
        }
    }
}
