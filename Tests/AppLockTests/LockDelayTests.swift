import PaviseAppLock
import PavisePrimitives
import Synchronization
import Testing

@Suite struct LockDelayTests {
    let fixture: LockFixture
    var time: ManualTime { fixture.time }
    init() throws { fixture = try LockFixture() }

    @Test("AL18: the delays hold to the second, and the right PIN ends the row")
    func table() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            for (index, delay) in ([0, 0, 0, 30, 60, 300, 900, 3600, 14_400] as [Double]).enumerated() {
                guard case .wrongPIN = lock.refusal("94027\(index)") else {
                    Issue.record("try \(index + 1)")
                    return
                }
                guard delay > 0 else { continue }
                time.advance(seconds: delay - 1)
                #expect(lock.refusal("830597") == .tryLater(seconds: 1))
                time.advance(seconds: 1)
            }
            try lock.open("830597")
            #expect(lock.refusal("940270") == wrong)
        }
    }

    @Test(
        "AL18, AL19: neither a clock that is set nor a restart shortens a delay",
        arguments: [0, 1_584_640_000, 2_215_360_000])
    func clocks(_ wall: Int64) throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            for number in 1...5 {
                _ = lock.refusal("94027\(number)")
                if number == 4 { time.advance(seconds: 30) }
            }
            time.setWall(seconds: wall)
            #expect(lock.refusal("830597") == .tryLater(seconds: 60))
            #expect(fixture.lock().refusal("830597") == .tryLater(seconds: 60))
            time.advance(seconds: 59)
            time.reboot()
            #expect(fixture.lock().refusal("830597") == .tryLater(seconds: 60))
            time.advance(seconds: 60)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test("AL18: a machine that is up for longer than before begins the delay again too")
    func longRestart() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            for number in 1...4 { _ = fixture.lock().refusal("94027\(number)") }
            time.reboot()
            // The last boot was an hour old.
            time.advance(seconds: 5000)
            #expect(fixture.lock().refusal("830597") == .tryLater(seconds: 30))
            time.advance(seconds: 30)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    // Three are within the free tries, and five are not.
    @Test(arguments: [3, 5])
    func `AL26: a stricter limit that comes after more wrong PINs leaves one try, and wipes after a wrong one only`(
        _ count: Int
    ) throws {
        try fixture.run {
            var rules = AppLockTightening()
            rules.attempts = 3
            let strict = AppLockPolicy.standard.tightened(by: rules)
            func fail() {
                for number in 1...count {
                    _ = fixture.lock().refusal("94027\(number)")
                    time.advance(seconds: 20_000)
                }
                #expect(fixture.lock().known == count)
            }
            try fixture.lock().set("830597")
            fail()
            // In the run in which the rules come, and at the next start.
            let running = fixture.lock()
            #expect(running.state == .locked(.started))
            running.follow(rules)
            #expect(running.refusal("830597") == nil && running.state.isOpen)
            fail()
            let next = fixture.lock(strict)
            #expect(next.state == .locked(.started))
            #expect(next.refusal("830597") == nil && next.known == 0)
            fail()
            #expect(fixture.lock(strict).refusal("940279") == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe])
        }
    }

    @Test func `AL16, AL26: the one try of a stricter limit is counted as the last: a kill gives no second one`() {
        var rules = AppLockTightening()
        rules.attempts = 3
        let strict = AppLockPolicy.standard.tightened(by: rules)
        let now = ClockReading(wall: 1_900_000_000_000, continuous: 3_600_000, boot: "boot")
        var known = Attempts()
        for _ in 0..<5 { known = known.counting(AppLockPolicy.standard, at: now) }
        let later = ClockReading(wall: now.wall, continuous: now.continuous + 20_000_000, boot: "boot")
        // The delay that runs goes on.
        var early = AppLockMachine(strict)
        _ = early.handle(.opened(.present(known, nil), now))
        let refusal = early.handle(.attempt(.unlock, now))
        #expect(refusal == [.refuse(.tryLater(seconds: 60))])
        var killed = AppLockMachine(strict)
        _ = killed.handle(.opened(.present(known, nil), later))
        guard case .store(let counted)? = killed.handle(.attempt(.unlock, later)).first else {
            Issue.record("no try")
            return
        }
        let read = Attempts(counted.encoded)
        #expect(read == counted && counted.failures == 6)
        var again = AppLockMachine(strict)
        _ = again.handle(.opened(.present(counted, nil), later))
        let actions = again.handle(.attempt(.unlock, later))
        #expect(actions == [.dropKey, .finish(.wipe), .refuse(.ended(.wipe))])
    }

    @Test("AL16: a restart of the machine or the program does not reset the count")
    func restarts() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            for number in 1...3 {
                #expect(fixture.lock().refusal("94027\(number)") != nil)
                time.reboot()
            }
            #expect(fixture.lock().known == 3)
        }
    }

    @Test("AL21, AL22: the last wrong PIN wipes before anybody is told, and the PIN opens nothing any more")
    func limit() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3)
        try fixture.run {
            try fixture.lock(policy).set("830597")
            let lock = fixture.lock(policy)
            _ = lock.refusal("940271")
            _ = lock.refusal("940272")
            #expect(lock.refusal("940273") == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            #expect(!lock.state.isOpen)
            #expect(lock.refusal("830597") == .notSet)
            #expect(fixture.lock(policy).state == .unset)
            #expect(fixture.lock(policy).fingerprint == nil)
        }
    }

    @Test("AL21: a final action that fails is gone on with at the next start, and opens nothing meanwhile")
    func interrupted() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3)
        try fixture.run {
            try fixture.lock(policy).set("830597")
            fixture.trouble.withLock { $0 = SystemFailure(operation: "wipe", path: "x", code: 28) }
            let lock = fixture.lock(policy)
            for number in 1...2 { _ = lock.refusal("94027\(number)") }
            guard case .notFinished = lock.refusal("940273") else {
                Issue.record("said to be finished")
                return
            }
            #expect(fixture.lock(policy).state == .ended(.wipe))
            #expect(fixture.lock(policy).refusal("830597") == .ended(.wipe))
            fixture.trouble.withLock { $0 = nil }
            _ = fixture.lock(policy).state
            #expect(fixture.lock(policy).state == .unset)
        }
    }

    @Test func `AL21: a final action that failed is gone on with at the next call, too`() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3)
        try fixture.run {
            let lock = fixture.lock(policy)
            try lock.set("830597")
            fixture.trouble.withLock { $0 = SystemFailure(operation: "wipe", path: "x", code: 28) }
            for number in 1...2 { _ = lock.refusal("94027\(number)") }
            guard case .notFinished = lock.refusal("940273") else {
                Issue.record("said to be finished")
                return
            }
            fixture.trouble.withLock { $0 = nil }
            #expect(lock.refusal("830597") == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe, .wipe])
            #expect(lock.refusal("830597") == .notSet)
        }
    }

    @Test("AL27: where data is nowhere else, the end of the session keeps it sealed until somebody signed in")
    func endSession() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3, finalAction: .endSession)
        try fixture.run {
            let first = fixture.lock(policy)
            try first.set("830597")
            let key = try #require(first.fingerprint)
            let lock = fixture.lock(policy)
            for number in 1...3 { _ = lock.refusal("94027\(number)") }
            #expect(fixture.ends.withLock { $0 } == [.endSession])
            #expect(fixture.lock(policy).state == .ended(.endSession))
            #expect(fixture.lock(policy).refusal("830597") == .ended(.endSession))
            try lock.signedIn()
            let next = fixture.lock(policy)
            try next.open("830597")
            #expect(next.fingerprint == key)
        }
    }

    @Test func `AL27: what wrong PINs ended in another process is ended where the lock is open, too`() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3, finalAction: .endSession)
        try fixture.run {
            let lock = fixture.lock(policy)
            try lock.set("830597")
            let heard = Mutex<[Bool]>([])
            lock.observe { isOpen in
                heard.withLock { $0.append(isOpen) }
                return true
            }
            let other = fixture.lock(policy)
            for number in 1...3 { _ = other.refusal("94027\(number)") }
            #expect(other.state == .ended(.endSession))
            lock.used()
            #expect(lock.state == .ended(.endSession) && lock.fingerprint == nil)
            #expect(heard.withLock { $0 } == [false])
        }
    }
}
