import PaviseAppLock
import PavisePrimitives
import PaviseValidation
import PaviseVault
import Testing

/// A passphrase in place of a PIN, by the person's choice or the administrator's.
@Suite struct LockPassphraseTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    private func set(_ text: String, _ lock: AppLock, as code: LockCode = .passphrase) throws {
        try lock.set(SecretBytes(utf8: text), as: code)
    }

    private func change(_ old: String, _ new: String, _ lock: AppLock, as code: LockCode = .passphrase) throws {
        try lock.change(SecretBytes(utf8: old), to: SecretBytes(utf8: new), as: code)
    }

    @Test("a passphrase opens, a wrong one is called so, and the record says what to ask for")
    func opens() throws {
        try fixture.run {
            try set("Zw\u{F6}lf Boxer", fixture.lock())
            let lock = fixture.lock()
            #expect(lock.code == .passphrase)
            let refusal = lock.refusal("zwölf boxer")
            #expect(refusal == .wrongPIN(.init(attempts: nil, finalAction: .wipe, wait: 0, code: .passphrase)))
            #expect(refusal?.description == "The passphrase is wrong.")
            // As another keyboard writes it.
            #expect(lock.refusal("Zwo\u{308}lf Boxer") == nil)
            #expect(lock.known == 0)
        }
    }

    @Test("what is no passphrase at all is refused without being counted; a short one is counted")
    func counting() throws {
        try fixture.run {
            try set("teapot case 8", fixture.lock())
            let lock = fixture.lock()
            for text in ["", "tea\npot", String(repeating: "x", count: 1025)] {
                guard case .passphrase = lock.refusal(text) else {
                    Issue.record("judged: \(text.prefix(9))")
                    return
                }
            }
            #expect(lock.known == 0)
            _ = lock.refusal("8305")
            #expect(lock.known == 1)
        }
    }

    @Test("weak ones are not taken, and nothing is set")
    func weak() throws {
        fixture.run {
            let lock = fixture.lock()
            let rows: [(String, PassphraseProblem)] = [
                ("teapot", .tooShort(least: 8)), ("83059714", .noLetter), ("password", .weak(.known)),
                (String(repeating: "a b ", count: 80), .tooLong),
            ]
            for (text, problem) in rows {
                #expect(failure { try set(text, lock) } == .passphrase(problem), "\(text)")
            }
            #expect(lock.state == .unset && lock.code == nil)
        }
    }

    @Test("a change goes from PIN to passphrase and back, keeps the key, and the old one opens nothing")
    func changes() throws {
        try fixture.run {
            let lock = fixture.lock()
            try set("830597", lock, as: .pin)
            #expect(lock.code == .pin)
            let key = lock.fingerprint
            try change("830597", "teapot case 8", lock)
            #expect(fixture.lock().code == .passphrase)
            let next = fixture.lock()
            #expect(next.refusal("830597") != nil)
            try next.open("teapot case 8")
            #expect(next.fingerprint == key)
            #expect(failure { try change("teapot case 8", "teapot case 8", next) } == .passphrase(.sameAsBefore))
            try change("teapot case 8", "940276", next, as: .pin)
            #expect(fixture.lock().refusal("940276") == nil)
            #expect(fixture.lock().code == .pin)
        }
    }

    @Test("AL26: where the administrator wants a passphrase, a PIN still opens, and has to be replaced")
    func required() throws {
        var rules = AppLockTightening()
        rules.requiresPassphrase = true
        rules.characters = 12
        try fixture.run {
            try fixture.lock().set("830597")
            let lock = fixture.lock()
            lock.follow(rules)
            #expect(lock.mustReplace)
            #expect(try lock.unlock(SecretBytes(utf8: "830597")).mustReplace)
            #expect(
                failure { try lock.changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276")) }
                    == .otherCode(.passphrase))
            #expect(failure { try change("830597", "teapot case", lock) } == .passphrase(.tooShort(least: 12)))
            try change("830597", "teapot case 8", lock)
            #expect(!lock.mustReplace)
            #expect(try !lock.unlock(SecretBytes(utf8: "teapot case 8")).mustReplace)
        }
    }

    @Test("AL26: a PIN that is shorter than the administrator wants today opens, and has to be replaced")
    func shorterThanToday() throws {
        var rules = AppLockTightening()
        rules.digits = 6
        try fixture.run {
            try fixture.lock().set("8305")
            let lock = fixture.lock()
            #expect(try !lock.unlock(SecretBytes(utf8: "8305")).mustReplace)
            lock.follow(rules)
            #expect(try lock.unlock(SecretBytes(utf8: "8305")).mustReplace)
        }
    }

    @Test("AL26: a product's choice of codes is tightened, and never loosened")
    func choices() throws {
        let pins = try AppLockPolicy(pin: #require(PINRule(length: 8...12)), codes: [.pin])
        try fixture.run {
            #expect(failure { try set("teapot case 8", fixture.lock(pins)) } == .otherCode(.pin))
            try set("8305971442", fixture.lock(pins), as: .pin)
            #expect(fixture.lock(pins).refusal("8305971442") == nil)
        }
        var rules = AppLockTightening()
        rules.characters = 4
        #expect(AppLockPolicy.standard.tightened(by: rules) == .standard)
        rules.characters = 1000
        #expect(AppLockPolicy.standard.tightened(by: rules).passphrase.least == 64)
        rules.requiresPassphrase = true
        #expect(pins.tightened(by: rules).codes == [.passphrase])
        let words = try AppLockPolicy(codes: [.passphrase])
        #expect(words.tightened(by: AppLockTightening()).codes == [.passphrase])
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(codes: []) }
    }

    @Test("a record from before there were passphrases is that of a PIN, and the kind cannot be changed in it")
    func oldRecord() throws {
        let plan = LockRecord(identity: [UInt8](repeating: 3, count: 16), code: [1], wrapped: [2], check: [3])
        #expect(plan.encoded.first == 1)
        #expect(LockRecord(plan.encoded)?.kind == .pin)
        var other = plan
        other.kind = .passphrase
        #expect(LockRecord(other.encoded) == other)
        var unknown = plan.encoded
        unknown[0] = 3
        #expect(LockRecord(unknown) == nil)
    }
}
