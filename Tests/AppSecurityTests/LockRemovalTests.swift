import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Taking the app lock away on a disk that takes no more (AL5).
@Suite struct LockRemovalTests {
    @Test func `AL5: a removal that cannot be written leaves a lock that closes`() throws {
        let folder = try TemporaryFolder()
        let home = PaviseHome(path: folder.path + "/home")
        var environment = SecurityEnvironment(home: home)
        environment.device = .init(time: ManualTime().source, elements: .init([.software]))
        func lock(_ change: (inout AppLockParts) -> Void = { _ in }) -> AppLock {
            var parts = AppLockParts.platform(sharesUnlock: false, home: home, time: ManualTime().source)
            parts.code = PlatformPINKeyDerivation(price: PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1))
            parts.place = OwnMemory()
            change(&parts)
            return AppLock(parts, policy: .standard) { _ in }
        }
        let pin = SecretBytes(utf8: "830597")
        try SecurityEnvironment.$override.withValue(environment) {
            try lock().setPIN(pin)
            let lock = lock { $0.marks = StickyMarks() }
            _ = try lock.unlock(pin)
            #expect(throws: AppLockFailure.notWritten("No space is left.")) { try lock.removePIN(pin) }
            #expect(lock.state == .locked(.started))
            _ = try lock.unlock(pin)
            lock.lock()
            #expect(lock.state == .locked(.requested))
        }
    }
}

/// The platform's marks, which cannot say that a lock is gone.
private struct StickyMarks: LockMarks {
    func read() throws(MarkBridge.Failure) -> LockMark? { try PlatformLockMarks().read() }
    func write(_ mark: LockMark) throws(MarkBridge.Failure) {
        guard mark.phase != .removed else { throw .unavailable("No space is left.") }
        try PlatformLockMarks().write(mark)
    }
    func others() throws(MarkBridge.Failure) -> [String] { [] }
}
