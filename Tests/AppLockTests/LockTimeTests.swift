import Foundation
import PaviseAppLock
import PavisePrimitives
import Synchronization
import Testing

@Suite struct LockTimeTests {
    let fixture: LockFixture
    var time: ManualTime { fixture.time }
    init() throws { fixture = try LockFixture() }

    private func opened(_ policy: AppLockPolicy = .standard) throws -> AppLock {
        let lock = fixture.lock(policy)
        try lock.set("830597")
        return lock
    }

    @Test("AL34: four hours without use lock, in the foreground too, and the key is gone")
    func idle() throws {
        try fixture.run {
            let lock = try opened()
            time.advance(seconds: 4 * 3600 - 1)
            #expect(lock.state == .unlocked(secondsLeft: 1))
            lock.used()
            time.advance(seconds: 4 * 3600 - 1)
            #expect(lock.state.isOpen)
            time.advance(seconds: 1)
            #expect(lock.state == .locked(.idle))
            #expect(lock.fingerprint == nil)
            lock.used()
            #expect(lock.state == .locked(.idle))
        }
    }

    @Test("AL34: a use does not wait for a process that judges a PIN, and the next one is written")
    func usedMeanwhile() throws {
        let place = OwnMemory()
        let lock = fixture.lock(place: place)
        try fixture.run { try lock.set("830597") }
        time.advance(seconds: 100)
        guard let held = try FileLock.tryAcquire(fixture.home.path + "/applock.lock") else {
            Issue.record("somebody holds the lock")
            return
        }
        let done = Monitor(false)
        try WorkerThread.start { [fixture] in
            fixture.run { lock.used() }
            done.change { $0 = true }
        }
        // The time only ends a test that fails.
        let isDone = done.wait(within: 20_000) { $0 }
        #expect(isDone)
        _ = consume held
        fixture.run {
            lock.used()
            #expect(fixture.lock(place: place).state == .unlocked(secondsLeft: 4 * 3600))
        }
    }

    @Test("AL34: the key leaves memory when its time is over, though nobody looks, and an app hears of it")
    func byItself() async throws {
        try await fixture.inHome {
            let lock = fixture.lock()
            let (heard, continuation) = AsyncStream.makeStream(of: Bool.self)
            lock.observe { isOpen in
                continuation.yield(isOpen)
                return true
            }
            lock.closeInTime { [time] duration in time.advance(seconds: Double(duration.components.seconds)) }
            try lock.set("830597")
            var states: [Bool] = []
            for await isOpen in heard {
                states.append(isOpen)
                if !isOpen { break }
            }
            #expect(states == [true, false] && lock.fingerprint == nil)
            #expect(lock.state == .locked(.idle))
        }
    }

    @Test("AL35: the grace of somebody who left ends though nobody looks, and an app hears of it")
    func graceByItself() async throws {
        try await fixture.inHome {
            let lock = fixture.lock(try AppLockPolicy(grace: .seconds(60)))
            let (heard, continuation) = AsyncStream.makeStream(of: Bool.self)
            lock.observe { isOpen in
                continuation.yield(isOpen)
                return true
            }
            let waits = Mutex<[Duration]>([])
            lock.closeInTime { [time] duration in
                waits.withLock { $0.append(duration) }
                // The one for the time without use waits until the leaving ends it.
                guard duration <= .seconds(60) else { return try await Task.sleep(for: .seconds(3_600)) }
                time.advance(seconds: Double(duration.components.seconds))
            }
            try lock.set("830597")
            lock.left()
            #expect(lock.state == .unlocked(secondsLeft: 60) || lock.state == .locked(.background))
            var states: [Bool] = []
            for await isOpen in heard {
                states.append(isOpen)
                if !isOpen { break }
            }
            #expect(states == [true, false] && lock.fingerprint == nil)
            #expect(lock.state == .locked(.background) && waits.withLock { $0.last } == .seconds(60))
        }
    }

    @Test("AL43: who observes hears of a closing after the opening, though another thread closes while it is told")
    func order() throws {
        try fixture.run {
            let lock = fixture.lock()
            let heard = Mutex<[Bool]>([])
            lock.observe { isOpen in
                guard isOpen else { return true }
                let closing = Thread { lock.lock() }
                closing.start()
                while !closing.isFinished { usleep(1000) }
                return true
            }
            lock.observe { isOpen in
                heard.withLock { $0.append(isOpen) }
                return true
            }
            try lock.set("830597")
            #expect(heard.withLock { $0 } == [true, false])
            #expect(lock.state == .locked(.requested))
        }
    }

    private final class Follower: Sendable {}

    @Test func `AL43: who followed the lock and is gone does not stay until its next change`() throws {
        try fixture.run {
            let lock = fixture.lock()
            let heard = Mutex(0)
            let stays = Follower()
            lock.observe(for: stays) { _ in
                heard.withLock { $0 += 1 }
                return true
            }
            for _ in 0..<100 {
                let follower = Follower()
                lock.observe(for: follower) { [weak follower] _ in follower != nil }
            }
            #expect(lock.observerCount <= 2)
            try lock.set("830597")
            #expect(heard.withLock { $0 } > 0 && lock.observerCount == 1)
            withExtendedLifetime(stays) {}
        }
    }

    @Test("AL37: twelve hours of use want the PIN again, however busy")
    func activeTime() throws {
        try fixture.run {
            let lock = try opened()
            for _ in 0..<11 {
                time.advance(seconds: 3600)
                lock.used()
            }
            #expect(lock.state.isOpen)
            time.advance(seconds: 3600)
            lock.used()
            #expect(lock.state == .locked(.activeTime))
        }
    }

    @Test("AL35: a return from the background is locked, without a grace")
    func background() throws {
        try fixture.run {
            let lock = try opened()
            #expect(lock.left())
            #expect(lock.fingerprint == nil)
            #expect(lock.returned() == .locked(.background))
        }
    }

    @Test(
        "AL35: a grace is kept to the second, whatever the clock on the wall says",
        arguments: [(59, true), (60, false)])
    func grace(_ seconds: Double, _ isOpen: Bool) throws {
        try fixture.run {
            let lock = try opened(AppLockPolicy(grace: .seconds(60)))
            let wall = time.source.wallSeconds
            lock.left()
            time.advance(seconds: seconds)
            time.setWall(seconds: wall)
            #expect(lock.returned().isOpen == isOpen)
        }
    }

    @Test("UC-154: leaving again does not begin the grace again")
    func leftTwice() throws {
        try fixture.run {
            let lock = try opened(AppLockPolicy(grace: .seconds(60)))
            lock.left()
            time.advance(seconds: 40)
            lock.left()
            time.advance(seconds: 40)
            #expect(lock.returned() == .locked(.background))
        }
    }

    @Test("UC-155: a use in the background does not begin the idle time again")
    func usedInBackground() throws {
        try fixture.run {
            let lock = try opened(AppLockPolicy(idle: .seconds(60), grace: .seconds(300)))
            lock.left()
            time.advance(seconds: 40)
            lock.used()
            time.advance(seconds: 40)
            #expect(lock.returned() == .locked(.idle))
        }
    }

    @Test("AL29: a restart of the machine locks")
    func reboot() throws {
        try fixture.run {
            let place = OwnMemory()
            let lock = fixture.lock(place: place)
            try lock.set("830597")
            time.reboot()
            #expect(lock.state == .locked(.restarted))
            #expect(!fixture.lock(place: place).state.isOpen)
        }
    }

    @Test(
        "AL30: a clock ten years ahead locks, one ten years back gives no time", arguments: [315_360_000, -315_360_000])
    func wallClock(_ jump: Int64) throws {
        try fixture.run {
            let lock = try opened()
            time.setWall(seconds: time.source.wallSeconds + jump)
            #expect(lock.state.isOpen == (jump < 0))
            time.advance(seconds: 4 * 3600)
            #expect(!lock.state.isOpen)
        }
    }

    @Test("AL28, AL30: two clocks that disagree are noticed, and the larger time counts")
    func elapsed() {
        let start = ClockReading(wall: 1_000_000, continuous: 5000, boot: "a")
        func after(_ wall: Int64, _ continuous: Int64, _ boot: String = "a") -> ClockReading.Elapsed {
            ClockReading(wall: 1_000_000 + wall, continuous: 5000 + continuous, boot: boot).elapsed(since: start)
        }
        #expect(after(10_000, 10_000) == .time(milliseconds: 10_000, isTampered: false))
        #expect(after(15_000, 10_000) == .time(milliseconds: 15_000, isTampered: false))
        #expect(after(15_001, 10_000) == .time(milliseconds: 15_001, isTampered: true))
        #expect(after(-500_000, 10_000) == .time(milliseconds: 10_000, isTampered: true))
        #expect(after(36_020_000, 36_000_000) == .time(milliseconds: 36_020_000, isTampered: false))
        #expect(after(10_000, 10_000, "b") == .restarted)
        #expect(after(10_000, -1) == .restarted)
        let far = ClockReading(wall: .min, continuous: .max, boot: "a")
        #expect(
            far.elapsed(since: ClockReading(wall: .max, continuous: 0, boot: "a"))
                == .time(milliseconds: .max, isTampered: true))
    }

    @Test("AL26: an administrator's stricter time holds at once, and a looser one never")
    func rules() throws {
        try fixture.run {
            let lock = try opened()
            time.advance(seconds: 120)
            var rules = AppLockTightening()
            rules.idle = .seconds(86_400)
            lock.follow(rules)
            #expect(lock.policy.idle == .seconds(4 * 3600))
            #expect(lock.state.isOpen)
            rules.idle = .seconds(60)
            lock.follow(rules)
            #expect(lock.state == .locked(.idle))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `AL26: an administrator's stricter time closes by itself, though nobody looks`() async throws {
        try await fixture.inHome {
            let lock = fixture.lock()
            let (heard, continuation) = AsyncStream.makeStream(of: Bool.self)
            lock.observe { isOpen in
                continuation.yield(isOpen)
                return true
            }
            lock.closeInTime { [time] duration in
                // The one for the product's time waits until the stricter one ends it.
                guard duration <= .seconds(60) else { return try await Task.sleep(for: .seconds(3_600)) }
                time.advance(seconds: Double(duration.components.seconds))
            }
            try lock.set("830597")
            var rules = AppLockTightening()
            rules.idle = .seconds(60)
            lock.follow(rules)
            var states: [Bool] = []
            for await isOpen in heard {
                states.append(isOpen)
                if !isOpen { break }
            }
            #expect(states == [true, false] && lock.fingerprint == nil)
            #expect(lock.state == .locked(.idle))
        }
    }

    @Test("AL36: another program of the user finds it unlocked only where that was asked for")
    func sharing() throws {
        try fixture.run {
            let place = OwnMemory()
            let lock = fixture.lock(place: place)
            try lock.set("830597")
            let other = fixture.lock(place: place)
            #expect(other.state.isOpen)
            #expect(other.fingerprint == lock.fingerprint)
            other.lock()
            #expect(lock.state == .locked(.keyGone))
            #expect(!fixture.lock().state.isOpen)
        }
    }

    @Test("UC-156: what was in use stays locked where another key lies in the place of the lock's own")
    func foreignKey() throws {
        try fixture.run {
            let place = OwnMemory()
            try fixture.lock(place: place).set("830597")
            #expect(fixture.lock(place: place).state.isOpen)
            for count in [32, 16] {
                let lock = fixture.lock(place: ForeignKeyStore(count: count))
                #expect(lock.state == .locked(.started))
                #expect(lock.fingerprint == nil)
            }
        }
    }
}

/// A place in which somebody laid a key of their own.
private struct ForeignKeyStore: UnlockedKeyStore {
    let count: Int
    func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? { true }
    func read(_ name: String) -> SharedSecretBytes? {
        SharedSecretBytes(SecretBytes(copying: [UInt8](repeating: 7, count: count).span))
    }
    func forget(_ name: String) {}
}
