import Synchronization
import TestSupport
import Testing

@testable import PaviseDevice
@testable import PavisePrimitives

/// How long class keys stay in the memory of a process.
@Suite struct KeyLifetimeTests {
    let fixture: DeviceFixture
    init() throws { fixture = try DeviceFixture() }

    @Test("UC-24: a process that was open during a change of the passcode uses the new keys")
    func changedElsewhere() throws {
        let own = try fixture.device("1234")
        let before = try #require(try own.fingerprint(.whenPasscodeSetThisDeviceOnly))
        let other = try fixture.open()
        try other.removePasscode(SecretBytes(utf8: "1234"))
        try other.setPasscode(SecretBytes(utf8: "5678"), cost: DeviceFixture.cheap)
        let after = try #require(try own.fingerprint(.whenPasscodeSetThisDeviceOnly))
        #expect(after != before)
        #expect(try other.fingerprint(.whenPasscodeSetThisDeviceOnly) == after)
    }

    @Test(
        "UC-20: after a lock no class key that it closes is left in memory",
        arguments: [KeyClass.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly])
    func locked(_ keyClass: KeyClass) throws {
        let device = try fixture.device("1234")
        weak let key = try self.key(of: keyClass, device)
        #expect(key != nil)
        try device.lock()
        #expect(key == nil)
        #expect(device.state.withLock { $0.keys[keyClass] == nil })
    }

    @Test("UC-20: a lock by another process drops the keys at the next look")
    func lockedElsewhere() throws {
        let device = try fixture.device("1234")
        weak let key = try self.key(of: .whenUnlocked, device)
        try fixture.open().lock()
        #expect(try device.lockState() == .locked)
        #expect(key == nil)
    }

    // Nothing here holds the key when this has returned.
    private func key(of keyClass: KeyClass, _ device: Device) throws -> ClassKey? {
        guard case .key(let key) = try device.key(keyClass, in: device.lockState()) else { return nil }
        return key
    }

    @Test("without random bytes no passcode is tried, and nothing is counted")
    func noEntropy() throws {
        _ = try fixture.device("1234")
        var environment = fixture.environment
        environment.entropy = Entropy { _ throws(EntropyFailure) in throw EntropyFailure(code: 5) }
        let device = try Device.open(fixture.home, environment)
        #expect(device.refusal("0000") == .crypto("no random bytes"))
        #expect(try device.report().failures == 0)
        #expect(try fixture.open().refusal("1234") == nil)
    }
}
