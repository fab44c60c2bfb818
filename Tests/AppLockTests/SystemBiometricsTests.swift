import PaviseAppLock
import PavisePrimitives
import Synchronization
import Testing

/// An item behind biometrics that plays the statuses that Apple documents.
private final class PlayedItem: BiometricItem {
    struct State {
        var check = BiometricCheck.usable(enrolment: [1, 1], lacksPurpose: false)
        var key: SharedSecretBytes?
        var keptFor: [UInt8] = []
        var mark: [UInt8]?
        /// What the person does; 0 is a finger that is recognised.
        var person: Int32 = 0
        var addStatus: Int32 = 0
        var markStatus: Int32 = 0
        var questions = 0
    }
    let state = Mutex(State())
    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    func check() -> BiometricCheck { state.withLock { $0.check } }

    func add(_ key: borrowing SecretBytes) -> Int32 {
        let copy = SharedSecretBytes(key.duplicate())
        return state.withLock { state in
            guard state.addStatus == 0 else { return state.addStatus }
            guard state.key == nil else { return -25_299 }
            state.key = copy
            if case .usable(let enrolment, _) = state.check { state.keptFor = enrolment }
            return 0
        }
    }

    // The system's own rule: with another enrolment the item is gone.
    func read(reason: String) -> (status: Int32, key: SharedSecretBytes?) {
        state.withLock { state in
            if case .usable(let enrolment, _) = state.check, enrolment != state.keptFor { state.key = nil }
            guard let key = state.key else { return (-25_300, nil) }
            state.questions += 1
            return state.person == 0 ? (0, key) : (state.person, nil)
        }
    }

    func remove() -> Int32 { state.withLock { state in state.key.take() == nil ? -25_300 : 0 } }
    func mark() -> (status: Int32, mark: [UInt8]?) {
        state.withLock { $0.markStatus != 0 ? ($0.markStatus, nil) : $0.mark.map { (0, $0) } ?? (-25_300, nil) }
    }
    func setMark(_ mark: [UInt8]?) -> Int32 {
        state.withLock { state in
            guard state.markStatus == 0 else { return state.markStatus }
            state.mark = mark
            return 0
        }
    }
}

@Suite struct SystemBiometricsTests {
    private let item = PlayedItem()
    private var keeper: SystemBiometrics { SystemBiometrics(item: item) }
    private func key() -> SecretBytes { SecretBytes(utf8: "thirty-two bytes of a lock's key") }

    private func refusal() -> BiometricRefusal? {
        do throws(BiometricRefusal) {
            _ = try keeper.release(reason: "Open")
            return nil
        } catch { return error }
    }

    private func isUnavailable(_ refusal: BiometricRefusal?) -> Bool {
        if case .unavailable(let words)? = refusal { words.hasSuffix(".") } else { false }
    }

    @Test func `a finger that is recognised gives the key`() throws {
        try keeper.keep(key())
        let found = try keeper.release(reason: "Open")
        let isSame = found.matches(key())
        #expect(isSame)
        try keeper.keep(key())
        keeper.forget()
        keeper.forget()
        #expect(isUnavailable(refusal()))
        #expect(item.state.withLock { $0.mark } == nil)
    }

    @Test(
        "AL10: another finger or face: the key is gone, with and without a digest of the system",
        arguments: [[2, 2], []])
    func enrolment(_ other: [UInt8]) throws {
        try keeper.keep(key())
        item.set { $0.check = .usable(enrolment: other, lacksPurpose: false) }
        #expect(refusal() == .enrolmentChanged)
        #expect(item.state.withLock { $0.questions } == 0)
    }

    @Test("AL10: another digest of the system is enough, also where its item is still there")
    func changedDigest() throws {
        try keeper.keep(key())
        item.set {
            $0.check = .usable(enrolment: [2, 2], lacksPurpose: false)
            $0.keptFor = [2, 2]
        }
        #expect(refusal() == .enrolmentChanged)
        #expect(item.state.withLock { $0.questions } == 0)
    }

    @Test("AL10: everybody removed, and nobody there from the beginning, are two answers")
    func nobody() throws {
        item.set { $0.check = .refused(-7) }
        #expect(isUnavailable(refusal()))
        item.set { $0.check = .usable(enrolment: [1, 1], lacksPurpose: false) }
        try keeper.keep(key())
        item.set { $0.check = .refused(-7) }
        #expect(refusal() == .enrolmentChanged)
    }

    @Test(
        "AL11: a stop, an unknown finger, a lockout and a device that locks grant nothing and take nothing away",
        arguments: [-128, -25_293] as [Int32])
    func failures(_ status: Int32) throws {
        try keeper.keep(key())
        item.set { $0.person = status }
        for _ in 0..<5 { #expect(refusal() == .failed) }
        item.set { $0.check = .refused(-8) }
        #expect(refusal() == .failed)
        item.set {
            $0.check = .usable(enrolment: [1, 1], lacksPurpose: false)
            $0.person = 0
        }
        #expect(refusal() == nil)
    }

    @Test(
        "AL7: a locked device, a program without a keychain and an unknown status are no absence",
        arguments: [
            -25_308, -34_018, -26_276, 7,
        ] as [Int32])
    func unknown(_ status: Int32) throws {
        try keeper.keep(key())
        item.set { $0.person = status }
        #expect(isUnavailable(refusal()))
        item.set {
            $0.person = 0
            $0.markStatus = status
        }
        #expect(isUnavailable(refusal()))
        item.set { $0.markStatus = 0 }
        #expect(refusal() == nil)
    }

    @Test(
        "AL14: without a passcode, without a purpose string and without biometrics nothing is kept",
        arguments: [
            BiometricCheck.refused(-5), .refused(-6), .refused(-7), .refused(-99), .absent("None here."),
            .usable(enrolment: [], lacksPurpose: true),
        ])
    func refuses(_ check: BiometricCheck) throws {
        item.set { $0.check = check }
        #expect(keeper.obstacle?.hasSuffix(".") == true)
        #expect(throws: BiometricRefusal.self) { try keeper.keep(key()) }
        #expect(item.state.withLock { $0.key == nil && $0.mark == nil })
    }

    @Test func `the missing purpose string is named, and nobody is asked: the system would end the app`() throws {
        try keeper.keep(key())
        item.set { $0.check = .usable(enrolment: [1, 1], lacksPurpose: true) }
        guard case .unavailable(let words)? = refusal() else {
            Issue.record("asked")
            return
        }
        #expect(words.contains("NSFaceIDUsageDescription"))
        #expect(item.state.withLock { $0.questions } == 0)
    }

    @Test(arguments: [-25_293, -34_018, -25_299] as [Int32])
    func `what the keychain does not take leaves nothing behind`(_ status: Int32) throws {
        item.set { $0.addStatus = status }
        #expect(throws: BiometricRefusal.self) { try keeper.keep(key()) }
        item.set {
            $0.addStatus = 0
            $0.markStatus = status
        }
        #expect(throws: BiometricRefusal.self) { try keeper.keep(key()) }
        #expect(item.state.withLock { $0.key == nil })
    }

    @Test("AL9: with a lock: the finger opens it, another enrolment asks for the PIN, and the keeper forgets")
    func withLock() throws {
        let fixture = try LockFixture()
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try lock.armBiometrics(keeper)
            lock.lock()
            try lock.unlock(with: keeper, reason: "Open")
            #expect(lock.state.isOpen)
            lock.lock()
            item.set { $0.check = .usable(enrolment: [9], lacksPurpose: false) }
            #expect(failure { try lock.unlock(with: keeper, reason: "Open") } == .locked(.enrolmentChanged))
            #expect(item.state.withLock { $0.key == nil && $0.mark == nil })
            #expect(lock.known == 0)
            try lock.open("830597")
            try lock.armBiometrics(keeper)
        }
    }

    #if os(Linux)
    @Test("AL12: on this platform it says that there is none")
    func linux() {
        let keeper = SystemBiometrics()
        #expect(keeper.obstacle?.contains("not available on this platform") == true)
        #expect(throws: BiometricRefusal.self) { try keeper.keep(key()) }
        keeper.forget()
    }
    #endif
}
