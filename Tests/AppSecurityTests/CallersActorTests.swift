import Dispatch
import PaviseAppLock
import PavisePrimitives
import Synchronization
import Testing

@testable import Pavise

/// What an app's own actor, which may be the one that draws, does not do.
@Suite struct CallersActorTests {
    // Whether the main actor goes on while this thread is kept; the time only ends a test that fails.
    private static func mainActorGoesOn() -> Bool {
        let ran = DispatchSemaphore(value: 0)
        Task { @MainActor in ran.signal() }
        return ran.wait(timeout: .now() + 20) == .success
    }

    @MainActor @Test func `a PIN is stretched elsewhere, when it is set, typed and removed`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let seen = Mutex<[AppLockStep: Bool]>([:])
            try await AppLockStep.$observer.withValue({ step in
                guard step == .established || step == .judged else { return }
                let goesOn = Self.mainActorGoesOn()
                seen.withLock { $0[step] = goesOn && $0[step] != false }
            }) {
                try await app.lock.setPIN(SecurityWorld.pin)
                app.lock.lockNow()
                try await app.lock.unlock(SecurityWorld.pin)
                try await app.lock.removePIN(SecretBytes(copying: Array(SecurityWorld.pin.utf8)))
            }
            #expect(seen.withLock { $0 } == [.established: true, .judged: true])
            #expect(app.lock.state == .unset)
        }
    }
}
