import PaviseDevice
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// A device of a test's own: a clock that stands still, a cheap passcode, and a place for unlocked keys that goes with
/// the test. What is opened from one fixture sees the same place, as the processes of one user do.
struct DeviceFixture {
    let folder: TemporaryFolder
    let home: PaviseHome
    let time = ManualTime()
    var environment: DeviceEnvironment

    /// A guess that costs nothing: what it costs in earnest is tested apart.
    static let cheap = Argon2Cost(kibibytes: 8, passes: 1)

    init(places: [any UnlockedKeys]? = nil) throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
        let source = time.source
        environment = DeviceEnvironment(
            time: source, places: places ?? [ProcessKeys(time: source)])
    }

    /// The device as another process would open it.
    func open() throws -> Device { try Device.open(home, environment) }

    /// A new device with the passcode.
    func device(_ passcode: String = "1234", _ policy: ThrottlePolicy = ThrottlePolicy()) throws -> Device {
        let device = try open()
        try device.setPasscode(SecretBytes(utf8: passcode), policy: policy, cost: Self.cheap)
        return device
    }
}

extension Device {
    /// Unlocks with a text.
    func unlock(_ passcode: String) throws(DeviceFailure) { try unlock(SecretBytes(utf8: passcode)) }

    /// Why a passcode did not unlock; `nil` when it did.
    func refusal(_ passcode: String) -> DeviceFailure? {
        do throws(DeviceFailure) {
            try unlock(passcode)
            return nil
        } catch {
            return error
        }
    }

    /// `key`, `locked` or `absent`.
    func answer(_ keyClass: KeyClass) throws -> String {
        switch try key(keyClass, in: lockState()) {
        case .key: "key"
        case .locked: "locked"
        case .absent: "absent"
        }
    }

    /// A value that only this class's key gives.
    func fingerprint(_ keyClass: KeyClass) throws -> [UInt8]? {
        guard case .key(let key) = try key(keyClass, in: lockState()) else { return nil }
        return try key.derived("test").withBytes { bytes in Array(bytes) }
    }
}

/// Stops the work after one step, as a crash does.
struct Crash: Error {}

/// Runs `body` and stops it after `step`.
///
/// - Returns: Whether the step was reached.
func crashing<Result>(after step: DeviceStep, _ body: () throws -> Result) -> Bool {
    let isReached = Mutex(false)
    let observer: @Sendable (DeviceStep) throws -> Void = { reached in
        guard reached == step else { return }
        isReached.withLock { $0 = true }
        throw Crash()
    }
    DeviceStep.$observer.withValue(observer) { _ = try? body() }
    return isReached.withLock { $0 }
}
