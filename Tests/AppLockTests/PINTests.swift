import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseValidation
import TestSupport
import Testing

@Suite struct PINTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    @Test("AL1, AL36: a PIN opens, another does not, and a start is locked")
    func opens() throws {
        try fixture.run {
            let lock = fixture.lock()
            #expect(lock.state == .unset)
            try lock.set("830597")
            let key = try #require(lock.fingerprint)
            let next = fixture.lock()
            #expect(next.state == .locked(.started))
            #expect(next.fingerprint == nil)
            #expect(next.refusal("830598") == wrong)
            #expect(next.fingerprint == nil)
            try next.open("٨٣٠٥٩٧")
            #expect(next.fingerprint == key)
            next.lock()
            #expect(next.state == .locked(.requested))
            #expect(failure { _ = try next.key(for: "test") } == .locked(.requested))
        }
    }

    @Test("AL7: nothing equals nothing", arguments: ["", "8305971", "83059", "abcdef", "\u{0}\u{0}\u{0}\u{0}", "0000"])
    func nothing(_ typed: String) throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            #expect(lock.refusal(typed) != nil)
            #expect(!lock.state.isOpen)
            #expect(fixture.lock().fingerprint == nil)
        }
    }

    @Test("AL4: weak PINs are not taken, and nothing is stored")
    func weak() throws {
        try fixture.run {
            let lock = fixture.lock()
            #expect(failure { try lock.set("123456") } == .pin(.weak(.run)))
            #expect(failure { try lock.set("830") } == .pin(.length(4...6)))
            #expect(lock.state == .unset)
            try lock.set("830597")
            #expect(failure { try lock.set("940276") } == .alreadySet)
        }
    }

    @Test(
        "AL2: one guess is one use of the element, and a delay is none",
        .linuxElement("it counts the uses of an element of the test's own"))
    func elementUses() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            let before = fixture.element.uses
            for number in 1...4 { #expect(lock.refusal("94027\(number)") != nil) }
            #expect(fixture.element.uses == before + 4)
            #expect(lock.refusal("830597") == .tryLater(seconds: 30))
            #expect(lock.state == .delayed(.started, seconds: 30))
            #expect(fixture.element.uses == before + 4)
        }
    }

    @Test("AL5: changing and removing need the PIN, and count in the same place")
    func changing() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            let key = lock.fingerprint
            let old = SecretBytes(utf8: "830597")
            let new = SecretBytes(utf8: "940276")
            let guess = SecretBytes(utf8: "555123")
            #expect(failure { try lock.changePIN(guess, to: new) } == wrong)
            #expect(failure { try lock.removePIN(guess) } == wrong)
            #expect(lock.known == 2)
            #expect(failure { try lock.changePIN(old, to: old) } == .pin(.sameAsBefore))
            try lock.changePIN(old, to: new)
            #expect(lock.known == 0)
            let next = fixture.lock()
            #expect(next.refusal("830597") == wrong)
            try next.open("940276")
            #expect(next.fingerprint == key)
            try next.removePIN(new)
            #expect(next.state == .unset)
            #expect(fixture.lock().state == .unset)
            #expect(fixture.lock().refusal("940276") == .notSet)
        }
    }

    @Test("AL23, AL24: the person is told what is left, and afterwards what was tried")
    func told() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            _ = lock.refusal("940271")
            #expect(lock.refusal("940272") == wrong)
            #expect(lock.refusal("940273") == .wrongPIN(.init(attempts: 7, finalAction: .wipe, wait: 0)))
            #expect(lock.refusal("940274") == .wrongPIN(.init(attempts: 6, finalAction: .wipe, wait: 30)))
            fixture.time.advance(seconds: 30)
            #expect(try lock.unlock(SecretBytes(utf8: "830597")).wrongBefore == 4)
            #expect(try lock.unlock(SecretBytes(utf8: "830597")).wrongBefore == 0)
        }
    }

    @Test("AL23: the last try is told as the last, also where only three are allowed")
    func lastTold() throws {
        let policy = try AppLockPolicy(freeAttempts: 3, attempts: 3)
        try fixture.run {
            try fixture.lock(policy).set("830597")
            let lock = fixture.lock(policy)
            #expect(lock.refusal("940271") == wrong)
            let last = AppLockFailure.wrongPIN(.init(attempts: 1, finalAction: .wipe, wait: 0))
            #expect(lock.refusal("940272") == last)
            #expect("\(last)".contains("One try is left; then what is stored here can never be read again"))
        }
    }

    // On machines whose 16 MiB take so many milliseconds; a real clock would judge this machine's mood.
    @Test(
        "AL3: the price of a guess is at least 250 ms, however fast the machine is",
        arguments: [2, 5, 9, 14, 23, 60, 130, 260] as [Double])
    func calibration(_ unit: Double) {
        let time = { (cost: Argon2Cost) in unit * Double(cost.kibibytes) / 16_384 * Double(cost.passes) }
        let cost = Argon2Cost.calibrated(to: PlatformPINKeyDerivation.wantedMilliseconds, time)
        #expect(time(cost) >= PlatformPINKeyDerivation.leastMilliseconds)
    }

    // Half of that is more than any price that was not measured; machines change their speed by a half meanwhile.
    @Test(
        "AL3: a guess pays the measured price, and uses the element once", .long,
        .linuxElement("the price is measured by CCCalibratePBKDF, which only Apple's systems have"))
    func price() throws {
        try fixture.run {
            try fixture.lock(price: nil).set("830597")
            let lock = fixture.lock(price: nil)
            let uses = fixture.element.uses
            let start = ProcessorTime.ofThread
            #expect(lock.refusal("940276") == wrong)
            let milliseconds = Double(ProcessorTime.ofThread - start) / 1_000_000
            #expect(milliseconds >= 125)
            // Only an element of the test's own counts.
            #expect(!LinuxElement.isHere || fixture.element.uses == uses + 1)
        }
    }
}
