import PaviseAppLock
import PaviseDevice
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A device that says "not found" while it is locked, as iOS can (AP-FD6).
@Suite struct HiddenLockTests {
    private let fixture: LockFixture

    init() throws { fixture = try LockFixture() }

    private func onLockedDevice<Value>(_ body: () throws -> Value) rethrows -> Value {
        var environment = fixture.environment()
        environment.lock = LockSwitch(.beforeFirstUnlock)
        environment.hidesLocked = true
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    @Test func `a lock that cannot be seen is closed, takes no PIN and none is set anew`() throws {
        try fixture.run { try fixture.lock().set("830597") }
        onLockedDevice {
            let lock = fixture.lock()
            #expect(lock.state != .unset && !lock.state.isOpen)
            #expect(lock.refusal("830597") != nil)
            #expect(failure { try lock.set("111222") } != nil)
        }
        try fixture.run {
            #expect(fixture.lock().known == 0)
            #expect(fixture.lock().refusal("111222") != nil)
            #expect(fixture.lock().refusal("830597") == nil)
            let guards = try fixture.guardCount()
            #expect(guards == 1)
        }
        #expect(fixture.ends.withLock { $0 } == [])
    }
}
