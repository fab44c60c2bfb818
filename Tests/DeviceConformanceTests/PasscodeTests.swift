import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@Suite struct PasscodeTests {
    let fixture: DeviceFixture
    init() throws { fixture = try DeviceFixture() }

    @Test(
        "DP1: each class answers exactly as stated, from the first passcode to the last",
        arguments: KeyClass.allCases)
    func matrix(_ keyClass: KeyClass) throws {
        var answers: [String] = []
        let device = try fixture.open()
        answers.append(try device.answer(keyClass))
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        answers.append(try device.answer(keyClass))
        fixture.time.reboot()
        answers.append(try device.answer(keyClass))
        try device.unlock("1234")
        answers.append(try device.answer(keyClass))
        try device.lock()
        answers.append(try device.answer(keyClass))
        try device.unlock("1234")
        answers.append(try device.answer(keyClass))
        try device.removePasscode(SecretBytes(utf8: "1234"))
        answers.append(try device.answer(keyClass))
        let expected =
            switch keyClass {
            case .always, .alwaysThisDeviceOnly: [String](repeating: "key", count: 7)
            case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
                ["key", "key", "locked", "key", "key", "key", "key"]
            case .whenUnlocked, .whenUnlockedThisDeviceOnly:
                ["key", "key", "locked", "key", "locked", "key", "key"]
            case .whenPasscodeSetThisDeviceOnly:
                ["absent", "key", "locked", "key", "locked", "key", "absent"]
            }
        #expect(answers == expected)
    }

    @Test("DP1: the keys stay the same through every change of the passcode, but class 12 ends with it")
    func sameKeys() throws {
        let device = try fixture.open()
        let before = try KeyClass.allCases.map { try device.fingerprint($0) }
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        let bound = try device.fingerprint(.whenPasscodeSetThisDeviceOnly)
        try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        #expect(try device.fingerprint(.whenPasscodeSetThisDeviceOnly) == bound)
        #expect(bound != nil)
        try device.removePasscode(SecretBytes(utf8: "abcd"))
        #expect(try KeyClass.allCases.map { try device.fingerprint($0) } == before)
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        #expect(try device.fingerprint(.whenPasscodeSetThisDeviceOnly) != bound)
    }

    @Test("DP1: what one process unlocks, locks or changes, another sees at its next use")
    func otherProcess() throws {
        let one = try fixture.device()
        let other = try fixture.open()
        #expect(try other.lockState() == .unlocked)
        try one.lock()
        #expect(try other.lockState() == .locked)
        try other.unlock("1234")
        #expect(try one.answer(.whenUnlocked) == "key")
        try one.removePasscode(SecretBytes(utf8: "1234"))
        #expect(try other.hasPasscode() == false)
        #expect(try other.answer(.whenPasscodeSetThisDeviceOnly) == "absent")
    }

    @Test("a first passcode is set once, has 1 to 1,024 bytes, and is needed to change or remove it")
    func rules() throws {
        let device = try fixture.device()
        #expect(throws: DeviceFailure.passcodeExists) {
            try device.setPasscode(SecretBytes(utf8: "other"), cost: DeviceFixture.cheap)
        }
        #expect(throws: DeviceFailure.wrongPasscode) { try device.removePasscode(SecretBytes(utf8: "x")) }
        #expect(throws: DeviceFailure.passcodeLength) {
            try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: ""), cost: DeviceFixture.cheap)
        }
        #expect(throws: DeviceFailure.passcodeLength) { try device.unlock(String(repeating: "1", count: 1025)) }
        try device.removePasscode(SecretBytes(utf8: "1234"))
        #expect(throws: DeviceFailure.noPasscode) { try device.unlock("1234") }
    }

    @Test("DP5: an old bag opens nothing after a change, with the old passcode or with none")
    func oldBag() throws {
        let bag = fixture.home.device + "/keybag"
        let device = try fixture.open()
        let unprotected = try DurableFile.read(bag, limit: Keybag.limit)
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        let first = try DurableFile.read(bag, limit: Keybag.limit)
        try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        for old in [unprotected, first] {
            let current = try DurableFile.read(bag, limit: Keybag.limit)
            try DurableFile.write(old.span, to: bag)
            #expect(throws: DeviceFailure.self) { try fixture.open() }
            #expect(throws: DeviceFailure.self) { try device.unlock("1234") }
            try DurableFile.write(current.span, to: bag)
        }
        #expect(fixture.home.device.isEmpty == false)
        #expect(try Folder.entries(of: fixture.home.device + "/guards").count == 1)
        #expect(try Folder.entries(of: fixture.home.device + "/epochs").count == 1)
        try fixture.open().unlock("abcd")
    }

    private static let changes: [DeviceStep] = [
        .epochBegun, .guardMade, .attemptsCleared, .bagWritten, .guardDestroyed, .epochDestroyed, .bagFinished,
    ]

    @Test(
        "DP5: a crash at any step of a change leaves the old passcode or the new one, and is finished later",
        arguments: changes)
    func crashInChange(_ step: DeviceStep) throws {
        let device = try fixture.device()
        let fingerprint = try device.fingerprint(.whenUnlocked)
        let isReached = crashing(after: step) {
            try device.changePasscode(
                SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        }
        #expect(isReached)
        let isNew = ![.epochBegun, .guardMade, .attemptsCleared].contains(step)
        let again = try fixture.open()
        #expect(again.refusal(isNew ? "1234" : "abcd") == .wrongPasscode)
        #expect(again.refusal(isNew ? "abcd" : "1234") == nil)
        #expect(try again.fingerprint(.whenUnlocked) == fingerprint)
        #expect(try Folder.entries(of: fixture.home.device + "/guards").count == 1)
        #expect(!DurableFile.exists(fixture.home.device + "/pending-guard"))
        guard isNew else { return }
        #expect(try Folder.entries(of: fixture.home.device + "/epochs").count == 1)
    }

    @Test("DP5: a change that was cut off leaves no guard behind the next one, and only its own is ever destroyed")
    func crashBeforeChange() throws {
        let device = try fixture.device()
        let pending = fixture.home.device + "/pending-guard"
        let isReached = crashing(after: .attemptsCleared) {
            try device.changePasscode(
                SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        }
        #expect(isReached && DurableFile.exists(pending))
        // The same process goes on.
        try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "wxyz"), cost: DeviceFixture.cheap)
        let guards = fixture.home.device + "/guards"
        #expect(try Folder.entries(of: guards).count == 1 && !DurableFile.exists(pending))
        // A file of somebody else's that names the guard in use.
        let name = try #require(try Folder.entries(of: guards).first?.name)
        let salt = try #require(Hex.decode(name))
        let forged = [1] + salt + [UInt8](repeating: 7, count: 32)
        try DurableFile.write(forged.span, to: pending)
        try fixture.open().unlock("wxyz")
        #expect(!DurableFile.exists(pending))
    }

    @Test("DP5: a crash at any step of setting the first passcode leaves none or the new one", arguments: changes)
    func crashInSetting(_ step: DeviceStep) throws {
        let device = try fixture.open()
        let fingerprint = try device.fingerprint(.whenUnlocked)
        let isReached = crashing(after: step) {
            try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        }
        #expect(isReached)
        let again = try fixture.open()
        if try again.hasPasscode() { try again.unlock("1234") }
        #expect(try again.fingerprint(.whenUnlocked) == fingerprint)
        #expect(try again.hasPasscode() != [.epochBegun, .guardMade, .attemptsCleared].contains(step))
    }

    @Test("the price of a guess is found between its bounds, whatever the machine", arguments: [0.2, 1, 6, 25, 400])
    func calibration(_ unit: Double) {
        // A machine that needs `unit` milliseconds for 16 MiB.
        let cost = Argon2Cost.calibrated { Double($0.kibibytes) / 16_384 * Double($0.passes) * unit }
        let time = Double(cost.kibibytes) / 16_384 * Double(cost.passes) * unit
        #expect(cost.kibibytes >= Argon2Cost.least.kibibytes)
        #expect(unit > 80 || unit < 0.5 || (78...122).contains(time), "\(cost) takes \(time) ms")
        #expect(unit >= 0.5 || cost.kibibytes == 262_144)
    }

    @Test("a change never lowers the price of a guess")
    func neverLower() throws {
        let device = try fixture.open()
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: Argon2Cost(kibibytes: 64, passes: 3))
        try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        #expect(try device.report().cost == Argon2Cost(kibibytes: 64, passes: 3))
    }

    @Test("AL3: each record of a code has a salt of its own, also where the code is the same")
    func ownSalt() throws {
        _ = try fixture.open()
        let element = try SoftwareElement.open(fixture.home.device, mayCreate: false)
        let code = Array("1234".utf8)
        var salts: Set<[UInt8]> = []
        for _ in 1...3 {
            let made = try PINKeyDerivationRecord.make(
                code.span, cost: DeviceFixture.cheap, label: [1], with: element)
            // The version and the two figures of the price stand before it.
            var reader = ByteReader(made.code.encoded)
            _ = try reader.integer(UInt8.self)
            _ = try reader.integer(UInt32.self)
            _ = try reader.integer(UInt32.self)
            salts.insert(try reader.block(limit: 16))
        }
        #expect(salts.count == 3 && salts.allSatisfy { $0.count == 16 })
    }
}
