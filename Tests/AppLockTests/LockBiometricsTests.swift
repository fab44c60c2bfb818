import PaviseAppLock
import PavisePrimitives
import PaviseVault
import Synchronization
import Testing

/// A key behind a finger, as a system with biometrics keeps it.
private final class Finger: BiometricKeeper {
    private let kept = Mutex<SharedSecretBytes?>(nil)
    let refusal = Mutex<BiometricRefusal?>(nil)

    func keep(_ key: borrowing SecretBytes) throws {
        let copy = SharedSecretBytes(key.duplicate())
        kept.withLock { $0 = copy }
    }

    func release(reason: String) throws(BiometricRefusal) -> SecretBytes {
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        guard let key = kept.withLock({ $0 }) else { throw .failed }
        return key.bytes.duplicate()
    }

    var isEmpty: Bool { kept.withLock { $0 == nil } }

    func forget() { kept.withLock { $0 = nil } }
}

@Suite struct LockBiometricsTests {
    let fixture: LockFixture
    private let finger = Finger()
    init() throws { fixture = try LockFixture() }

    @Test("AL9: the finger gives the key, and only the lock's own key opens")
    func opens() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            let key = lock.fingerprint
            try lock.armBiometrics(finger)
            let next = fixture.lock()
            #expect(next.state == .locked(.started))
            try next.unlock(with: finger, reason: "Open")
            #expect(next.fingerprint == key)
            next.lock()
            try finger.keep(SecretBytes(count: 32) { _ in })
            guard case .noBiometrics = failure({ try next.unlock(with: finger, reason: "Open") }) else {
                Issue.record("a foreign key opened")
                return
            }
            #expect(!next.state.isOpen)
        }
    }

    @Test("RV-L5: only a PIN of the last minute arms the finger")
    func armedLate() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            fixture.time.advance(seconds: 61)
            #expect(failure { try lock.armBiometrics(finger) } == .locked(.requested))
            try lock.open("830597")
            try lock.armBiometrics(finger)
            lock.lock()
            try lock.unlock(with: finger, reason: "Open")
            // What a finger opened arms nothing.
            fixture.time.advance(seconds: 61)
            #expect(failure { try lock.armBiometrics(finger) } == .locked(.requested))
        }
    }

    /// What ends that for which the finger kept the key; the last three without a record that can be read.
    enum End: CaseIterable {
        case change, removal, lastTry, endOfSession, wipe, startingOver, wipeOfDamage, orderOverDamage

        var policy: AppLockPolicy {
            get throws {
                try AppLockPolicy(
                    freeAttempts: 3, attempts: 3, finalAction: self == .endOfSession ? .endSession : .wipe)
            }
        }
    }

    @Test("RV-L5: the finger forgets the key with a change, a removal and each final action", arguments: End.allCases)
    func forgets(_ end: End) throws {
        let pen = try OrderPen()
        try fixture.run {
            let lock = fixture.lock(try end.policy)
            let name = try lock.installation().identifier
            try lock.set("830597")
            try lock.armBiometrics(finger)
            if [.startingOver, .wipeOfDamage, .orderOverDamage].contains(end) {
                try AppLockParts.platform(sharesUnlock: false).vault.store([1, 2, 3].span, as: LockFixture.name)
            }
            #expect(!finger.isEmpty)
            switch end {
            case .change: try lock.changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276"))
            case .removal: try lock.removePIN(SecretBytes(utf8: "830597"))
            case .lastTry, .endOfSession:
                lock.lock()
                for pin in ["940271", "940272"] { #expect(lock.refusal(pin) != nil && !finger.isEmpty) }
                #expect(lock.refusal("940273") != nil)
            case .wipe, .wipeOfDamage: try lock.wipe()
            case .startingOver: try lock.startOver()
            case .orderOverDamage: _ = try lock.obey(pen.write(name), by: pen.rules)
            }
            #expect(finger.isEmpty)
        }
    }

    @Test("RV-L5: a PIN that was changed where the finger was not named opens by the finger no more")
    func changedElsewhere() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try lock.armBiometrics(finger)
            // Another run, which names no keeper.
            try fixture.lock().changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276"))
            #expect(!finger.isEmpty)
            let next = fixture.lock()
            #expect(failure { try next.unlock(with: finger, reason: "Open") } != nil)
            #expect(!next.state.isOpen && finger.isEmpty)
            try next.open("940276")
            try next.armBiometrics(finger)
            next.lock()
            try next.unlock(with: finger, reason: "Open")
            #expect(next.state.isOpen)
        }
    }

    @Test("RV-L5: what another process removed opens with no finger here")
    func removedElsewhere() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try lock.armBiometrics(finger)
            lock.lock()
            try fixture.lock().removePIN(SecretBytes(utf8: "830597"))
            try fixture.lock().set("940276")
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } != nil)
            #expect(!lock.state.isOpen)
            #expect(finger.isEmpty)
        }
    }

    @Test("AL10: with others enrolled the PIN is needed, and only it arms again")
    func enrolment() throws {
        try fixture.run {
            let first = fixture.lock()
            try first.set("830597")
            try first.armBiometrics(finger)
            // A keeper that still has the key, and has heard of no change.
            let other = Finger()
            try first.armBiometrics(other)
            let lock = fixture.lock()
            finger.refusal.withLock { $0 = .enrolmentChanged }
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } == .locked(.enrolmentChanged))
            #expect(lock.state == .locked(.enrolmentChanged))
            #expect(failure { try lock.unlock(with: other, reason: "Open") } == .locked(.enrolmentChanged))
            finger.refusal.withLock { $0 = nil }
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } != nil)
            #expect(failure { try lock.armBiometrics(finger) } != nil)
            try lock.open("830597")
            try lock.armBiometrics(finger)
            lock.lock()
            try lock.unlock(with: finger, reason: "Open")
            #expect(lock.state.isOpen)
        }
    }

    @Test("AL11: a failure counts nothing and grants nothing; a delay holds for the finger too")
    func failures() throws {
        try fixture.run {
            let first = fixture.lock()
            try first.set("830597")
            try first.armBiometrics(finger)
            let lock = fixture.lock()
            finger.refusal.withLock { $0 = .failed }
            for _ in 0..<20 { #expect(failure { try lock.unlock(with: finger, reason: "Open") } != nil) }
            #expect(lock.known == 0)
            #expect(!lock.state.isOpen)
            for number in 1...4 { _ = lock.refusal("94027\(number)") }
            finger.refusal.withLock { $0 = nil }
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } == .tryLater(seconds: 30))
            #expect(lock.known == 4)
        }
    }

    @Test func `AL21: the finger takes the final action that a killed last try left behind`() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3)
        try fixture.run {
            let first = fixture.lock(policy)
            try first.set("830597")
            try first.armBiometrics(finger)
            first.lock()
            for pin in ["940271", "940272"] { #expect(first.refusal(pin) != nil) }
            // The third one is counted, and nobody lives to draw the consequence.
            let vault = AppLockParts.platform(sharesUnlock: false).vault
            guard case .found(let secret) = try vault.read(LockFixture.name) else {
                Issue.record("no record")
                return
            }
            let bytes = secret.withBytes { bytes in Array(bytes) }
            var record = try #require(LockRecord(bytes))
            record.attempts = record.attempts.counting(policy, at: ClockReading(fixture.time.source))
            try vault.store(record.encoded, as: LockFixture.name)
            let lock = fixture.lock(policy)
            lock.follow(finger)
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe] && finger.isEmpty)
            #expect(fixture.lock(policy).state == .unset)
        }
    }

    @Test("AL12: this platform has no biometrics, and says so")
    func none() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            guard case .noBiometrics = failure({ try lock.armBiometrics(NoBiometrics()) }) else {
                Issue.record("armed")
                return
            }
            lock.lock()
            guard case .noBiometrics(let reason) = failure({ try lock.unlock(with: NoBiometrics(), reason: "x") })
            else {
                Issue.record("unlocked")
                return
            }
            #expect(reason.contains("not available"))
        }
    }

    @Test("AL26: rules that forbid biometrics hold for a key that was kept before")
    func forbidden() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try lock.armBiometrics(finger)
            lock.lock()
            var rules = AppLockTightening()
            rules.forbidsBiometrics = true
            lock.follow(rules)
            #expect(failure { try lock.unlock(with: finger, reason: "Open") } != nil)
            #expect(!lock.state.isOpen)
        }
    }
}
