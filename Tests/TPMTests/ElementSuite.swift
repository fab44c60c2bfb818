import PaviseCrypto
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// The elements that one suite is run over.
enum ElementUnderTest: String, CaseIterable, Sendable {
    case software
    case tpm

    /// Those that this machine has.
    static let here = allCases.filter { $0 == .software || SoftwareTPM.isInstalled }
}

/// A home whose element is of the given kind.
final class ElementStage: Sendable {
    let folder: TemporaryFolder
    let environment: DeviceEnvironment
    let tpm: SoftwareTPM?
    let time = ManualTime()

    init(_ kind: ElementUnderTest) throws {
        folder = try TemporaryFolder()
        tpm = kind == .tpm ? try SoftwareTPM() : nil
        var makers: [ElementFactory] = [.software]
        if let tpm, let address = TPMAddress(tpm.address) { makers.insert(.tpm(at: address), at: 0) }
        environment = DeviceEnvironment(
            time: time.source, elements: ElementChoice(makers), places: [ProcessKeys()])
    }

    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    func open() throws -> Device { try Device.open(home, environment) }

    /// A guess that costs nothing.
    static let cheap = Argon2Cost(kibibytes: 8, passes: 1)

    /// Why a passcode does not unlock; `nil` when it does.
    func refusal(_ device: Device, _ passcode: String) -> DeviceFailure? {
        do throws(DeviceFailure) {
            try device.unlock(SecretBytes(utf8: passcode))
            return nil
        } catch {
            return error
        }
    }
}

/// DP11: what holds with hardware and without, in the same words.
@Suite struct ElementSuite {
    private let digest = Hash.digest(.sha256, [1, 2, 3])

    @Test("DP11: a key signs and agrees, a destroyed one does neither", arguments: ElementUnderTest.here)
    func keys(_ kind: ElementUnderTest) throws {
        let stage = try ElementStage(kind)
        let element = try stage.open().element
        let key = try element.generateKey()
        let publicKey = try ECPublicKey(x963: key.publicKey, curve: .p256)
        #expect(publicKey.verify(signature: try element.sign(digest: digest, with: key.blob), digest: digest))
        let peer = try ECPrivateKey(generating: .p256)
        let ours = try element.sharedSecret(with: peer.publicKey.x963, using: key.blob)
        let isSame = ours.matches(try peer.sharedSecret(with: publicKey))
        #expect(isSame)
        #expect(throws: DeviceFailure.invalidInput) { try element.sign(digest: [1], with: key.blob) }
        #expect(throws: DeviceFailure.invalidInput) {
            _ = try element.sharedSecret(with: [4] + [UInt8](repeating: 1, count: 64), using: key.blob)
        }
        try element.destroy(key.blob)
        try element.destroy(key.blob)
        for element in [element, try stage.open().element] {
            #expect(throws: DeviceFailure.unknownKey) { try element.sign(digest: digest, with: key.blob) }
            #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: key.blob) }
        }
    }

    @Test("DP11: no byte of a key's handle can be changed", arguments: ElementUnderTest.here)
    func handles(_ kind: ElementUnderTest) throws {
        let stage = try ElementStage(kind)
        defer { withExtendedLifetime(stage) {} }
        let element = try stage.open().element
        let key = try element.generateKey()
        for index in key.blob.indices {
            var changed = key.blob
            changed[index] ^= 0x40
            #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: changed) }
        }
        for count in [0, 1, 4, 21, key.blob.count - 1] {
            #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: Array(key.blob.prefix(count))) }
            #expect(throws: DeviceFailure.unknownKey) { try element.destroy(Array(key.blob.prefix(count))) }
        }
    }

    @Test("DP11: wrapping is for one purpose and one home", arguments: ElementUnderTest.here)
    func wrapping(_ kind: ElementUnderTest) throws {
        let stages = [try ElementStage(kind), try ElementStage(kind)]
        defer { withExtendedLifetime(stages) {} }
        let element = try stages[0].open().element
        let key = try SecretBytes.random(count: 32)
        let wrapped = try element.wrap(key, purpose: "one")
        #expect(wrapped.count == 40)
        let isSame = try element.unwrap(wrapped, purpose: "one").matches(key)
        #expect(isSame)
        #expect(throws: DeviceFailure.unknownKey) { _ = try element.unwrap(wrapped, purpose: "two") }
        let other = try stages[1].open().element
        #expect(throws: DeviceFailure.unknownKey) { _ = try other.unwrap(wrapped, purpose: "one") }
        let derived = try element.derivedKey(purpose: "one").matches(try other.derivedKey(purpose: "one"))
        #expect(!derived)
    }

    @Test("DP11: a passcode is set, judged, changed and removed", arguments: ElementUnderTest.here)
    func passcode(_ kind: ElementUnderTest) throws {
        let stage = try ElementStage(kind)
        let device = try stage.open()
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: ElementStage.cheap)
        let bag = try DurableFile.read(stage.home.device + "/keybag", limit: Keybag.limit)
        #expect(stage.refusal(device, "9999") == .wrongPasscode)
        #expect(stage.refusal(device, "1234") == nil)
        try stage.tpm?.restart()
        #expect(stage.refusal(try stage.open(), "1234") == nil)
        try device.changePasscode(
            SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: ElementStage.cheap)
        #expect(stage.refusal(device, "1234") == .wrongPasscode)
        #expect(stage.refusal(try stage.open(), "abcd") == nil)
        // DP5: the old bag and the old passcode.
        let current = try DurableFile.read(stage.home.device + "/keybag", limit: Keybag.limit)
        try DurableFile.write(bag.span, to: stage.home.device + "/keybag")
        #expect(throws: DeviceFailure.self) { try stage.open().unlock(SecretBytes(utf8: "1234")) }
        try DurableFile.write(current.span, to: stage.home.device + "/keybag")
        try device.removePasscode(SecretBytes(utf8: "abcd"))
        #expect(stage.refusal(try stage.open(), "abcd") == .noPasscode)
    }

    @Test(
        "DP11: ten wrong passcodes erase where that is enabled, and a new device begins",
        arguments: ElementUnderTest.here)
    func tenFailures(_ kind: ElementUnderTest) throws {
        let stage = try ElementStage(kind)
        let device = try stage.open()
        try device.setPasscode(
            SecretBytes(utf8: "1234"), policy: ThrottlePolicy(erasesAtLimit: true), cost: ElementStage.cheap)
        let key = try device.element.generateKey()
        var answers: [DeviceFailure?] = []
        for number in 0..<10 { answers.append(try judged(stage, "wrong \(number)")) }
        #expect(answers == Array(repeating: .wrongPasscode, count: 9) + [.erased])
        #expect(throws: DeviceFailure.unknownKey) { try device.element.publicKey(of: key.blob) }
        #expect(stage.refusal(try stage.open(), "1234") == .noPasscode)
    }

    // One wrong passcode after the delay that the ones before brought.
    private func judged(_ stage: ElementStage, _ passcode: String) throws -> DeviceFailure? {
        let device = try stage.open()
        let first = stage.refusal(device, passcode)
        guard case .tryLater(let seconds) = first else { return first }
        stage.time.advance(seconds: Double(seconds))
        return stage.refusal(device, passcode)
    }

    @Test("DP11: an erase leaves nothing that opens", arguments: ElementUnderTest.here)
    func erase(_ kind: ElementUnderTest) throws {
        let stage = try ElementStage(kind)
        let device = try stage.open()
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: ElementStage.cheap)
        let bag = try DurableFile.read(stage.home.device + "/keybag", limit: Keybag.limit)
        let key = try device.element.generateKey()
        try device.erase()
        #expect(throws: DeviceFailure.unknownKey) { try device.element.sign(digest: digest, with: key.blob) }
        try DurableFile.write(bag.span, to: stage.home.device + "/keybag")
        #expect(throws: DeviceFailure.self) { try stage.open() }
    }
}
