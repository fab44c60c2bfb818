import PaviseDevice
import PavisePrimitives
import PaviseTransport
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// A device that says "not found" while it is locked, as iOS can (AP-FD6).
@Suite struct HiddenLockTests {
    private let stage: Stage
    private let lock = LockSwitch()

    init() throws { stage = try Stage() }

    private var environment: SecurityEnvironment {
        var environment = SecurityEnvironment(home: PaviseHome(path: stage.folder.path + "/home"), lock: lock)
        environment.hidesLocked = true
        return environment
    }

    @Test func `nobody is signed out by a device that only cannot be read`() async throws {
        let vault = TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.stage"))
        let store = SessionStore(vault: vault, name: Stage.name, folder: stage.folder.path)
        try await SecurityEnvironment.$override.withValue(environment) {
            try vault.prepare()
            try await stage.signIn(into: store)
            lock.state = .beforeFirstUnlock
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) { _ = try vault.read(Stage.name) }
            let session = Session(store: store, client: stage.server.client, environment: stage.environment)
            // Not "signed out", which would show a sign-in page: nothing is known.
            let locked = VaultFailure.locked(status: errSecInteractionNotAllowed)
            await #expect(throws: SessionFailure.store(locked)) { _ = try await session.send(try stage.request()) }
            #expect(await session.state == .unknown(locked))
            #expect(stage.server.state.withLock { $0.bearers.isEmpty })
            lock.state = .unlocked
            let again = Session(store: store, client: stage.server.client, environment: stage.environment)
            #expect(try await again.send(try stage.request()).status == 200)
            #expect(try await session.send(try stage.request()).status == 200)
        }
    }
}
