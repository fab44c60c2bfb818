import PaviseAppLock
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// What other threads do between the proof of a key and the moment when it lies where it waits, and what a disk does.
@Suite struct LockRaceTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    // Runs `body` with `act` at each write of the record.
    private func run(_ act: @escaping @Sendable () -> Void, at body: () throws -> Void) rethrows {
        try AppLockStep.$observer.withValue({ if $0 == .written { act() } }, operation: body)
    }

    @Test func `AL34: who looks while a right PIN is written down does not close the lock`() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            #expect(lock.state == .locked(.started))
            let seen = Mutex<[Bool]>([])
            try run {
                let isOpen = lock.state.isOpen
                seen.withLock { $0.append(isOpen) }
            } at: {
                try lock.open("830597")
            }
            #expect(seen.withLock { $0.contains(true) })
            #expect(lock.state.isOpen && lock.fingerprint != nil)
        }
    }

    @Test func `AL34: a lock that is closed while a right PIN is written down keeps no key`() throws {
        try fixture.run {
            let place = OwnMemory()
            try fixture.lock().set("830597")
            let lock = fixture.lock(place: place)
            #expect(lock.state == .locked(.started))
            try run {
                if lock.state.isOpen { lock.lock() }
            } at: {
                try lock.open("830597")
            }
            #expect(lock.state == .locked(.requested))
            // Whoever looks into the same memory would find it unlocked.
            #expect(!fixture.lock(place: place).state.isOpen)
            try lock.open("830597")
            #expect(lock.state.isOpen)
        }
    }

    // Runs `body` with `act` while the element judges.
    private func judging(_ act: @escaping @Sendable () -> Void, at body: () throws -> Void) rethrows {
        try AppLockStep.$observer.withValue({ if $0 == .judged { act() } }, operation: body)
    }

    @Test func `AL34: who asks for the lock while a right PIN is judged finds it closed afterwards`() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            #expect(lock.state == .locked(.started))
            judging {
                lock.lock()
            } at: {
                #expect(lock.refusal("830597") == .locked(.requested))
            }
            #expect(lock.state == .locked(.requested) && lock.fingerprint == nil)
            // The PIN was right: nothing is counted, and the next try is one of its own.
            #expect(lock.known == 0)
            #expect(lock.refusal("830597") == nil && lock.state.isOpen)
        }
    }

    @Test func `AL35: an app that leaves while a right PIN is judged is not open in the background`() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            judging {
                lock.left()
            } at: {
                #expect(lock.refusal("830597") == .locked(.background))
            }
            #expect(lock.fingerprint == nil)
            #expect(lock.returned() == .locked(.background))
            judging {
                lock.left()
                _ = lock.returned()
            } at: {
                #expect(lock.refusal("830597") == nil)
            }
            #expect(lock.state.isOpen)
        }
    }

    @Test func `AL35: the grace of an app that leaves while a right PIN is judged begins with the leaving`() throws {
        try fixture.run {
            let policy = try AppLockPolicy(grace: .seconds(60))
            try fixture.lock(policy).set("830597")
            let lock = fixture.lock(policy)
            judging {
                lock.left()
            } at: {
                #expect(lock.refusal("830597") == nil)
            }
            #expect(lock.state == .unlocked(secondsLeft: 60))
            fixture.time.advance(seconds: 60)
            #expect(lock.returned() == .locked(.background))
        }
    }

    // Runs `body` with `act` before a first PIN counts.
    private func establishing(_ act: @escaping @Sendable () -> Void, at body: () throws -> Void) rethrows {
        try AppLockStep.$observer.withValue({ if $0 == .established { act() } }, operation: body)
    }

    @Test func `AL34: who asks for the lock while a first PIN is set finds it closed afterwards, and the PIN opens it`()
        throws
    {
        try fixture.run {
            let place = OwnMemory()
            let lock = fixture.lock(place: place)
            let heard = Mutex<[Bool]>([])
            lock.observe { isOpen in
                heard.withLock { $0.append(isOpen) }
                return true
            }
            try establishing {
                lock.lock()
            } at: {
                try lock.set("830597")
            }
            #expect(lock.state == .locked(.requested) && lock.fingerprint == nil)
            #expect(heard.withLock { $0 } == [false])
            // Whoever looks into the same memory would find it unlocked.
            #expect(!fixture.lock(place: place).state.isOpen)
            #expect(lock.refusal("830597") == nil && lock.state.isOpen)
        }
    }

    @Test func `AL35: an app that leaves while a first PIN is set is not open in the background`() throws {
        try fixture.run {
            let lock = fixture.lock()
            try establishing {
                lock.left()
            } at: {
                try lock.set("830597")
            }
            #expect(lock.fingerprint == nil)
            #expect(lock.returned() == .locked(.background))
        }
    }

    @Test func `AL35: the grace of an app that leaves while a first PIN is set begins with the leaving`() throws {
        try fixture.run {
            let lock = fixture.lock(try AppLockPolicy(grace: .seconds(60)))
            try establishing {
                lock.left()
            } at: {
                try lock.set("830597")
            }
            #expect(lock.state == .unlocked(secondsLeft: 60))
            fixture.time.advance(seconds: 60)
            #expect(lock.returned() == .locked(.background))
        }
    }

    @Test func `a first PIN that could not be written leaves nothing behind that closes the next one`() throws {
        let later = ClockReading(wall: 1_900_000_000_000, continuous: 3_600_000, boot: "boot")
        var machine = AppLockMachine(.standard)
        _ = machine.handle(.opened(.absent, later))
        let early = machine.handle(.established(later))
        #expect(early == [.refuse(.alreadySet)])
        _ = machine.handle(.establishing)
        _ = machine.handle(.lock)
        _ = machine.handle(.notEstablished)
        #expect(machine.state == .unset && machine.pending == nil)
        _ = machine.handle(.establishing)
        let actions = machine.handle(.established(later))
        #expect(actions == [.release])
    }
}
