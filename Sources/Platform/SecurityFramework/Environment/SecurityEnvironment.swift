package import PaviseDevice
package import PavisePrimitives
internal import Synchronization

/// What the keychain takes from its surroundings. A test puts its own in place for the length of a task.
///
/// ```swift
/// try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) { try await body() }
/// ```
package struct SecurityEnvironment: Sendable {
    /// Where the state lies.
    package var home: PaviseHome
    /// The access groups of the program, the first is the default. Empty: every call is -34018.
    package var accessGroups: [String]
    /// In calls about Pavise's own items: the program's default group, where older versions kept them.
    var ownerGroup: String?
    /// How the calls take what Apple's systems do not agree on.
    package var rules = KeychainRules.strict
    /// Which time it is.
    package var time: TimeSource
    /// Whether the device is unlocked.
    package var lock: LockSwitch
    /// Where trust begins for `kSecMatchTrustedOnly`; `nil` means the machine's roots.
    package var anchors: TrustAnchors?
    /// The logs of certificates that trust objects know; `nil` knows none.
    package var logs: TransparencyLogList?
    /// What the device of the home takes from its own surroundings.
    package var device = DeviceEnvironment()
    /// Whether searches say "not found" while the class of a match is locked, as iOS can. For tests of what stands
    /// above.
    package var hidesLocked = false
    /// Who asks the person.
    package var evaluator: any AccessEvaluator = SystemEvaluator()

    /// An environment of the caller's own.
    package init(
        home: PaviseHome, accessGroups: [String] = ["pavise.test"], time: TimeSource = .system,
        lock: LockSwitch = LockSwitch()
    ) {
        self.home = home
        self.accessGroups = accessGroups
        self.time = time
        self.lock = lock
    }

    /// The environment of this task, where one was put in place.
    @TaskLocal package static var override: SecurityEnvironment?

    /// The environment to use now: the task's, else the process's.
    package static var current: SecurityEnvironment {
        if let override { return override }
        let home = PaviseHome.current
        let identity = ApplicationIdentity.current
        var environment = SecurityEnvironment(
            home: home, accessGroups: identity.accessGroups, lock: LockSwitch(following: home))
        environment.rules = identity.rules
        return environment
    }

    /// The lock of ``current`` by itself, for whoever asks for nothing else and often.
    package static var currentLock: LockSwitch { override?.lock ?? LockSwitch(following: PaviseHome.current) }

    /// The groups that a query may see: the program's own, then those of tokens, which are read-only.
    var visibleGroups: [String] {
        accessGroups.isEmpty || ownerGroup != nil ? accessGroups : accessGroups + ["com.apple.token"]
    }
}

/// The lock state of a device: what the device itself says, or what a test sets.
package final class LockSwitch: Sendable {
    private let value: Mutex<LockState>
    private let home: PaviseHome?

    /// Starts in `state`, and says what was set, whatever the device does.
    package init(_ state: LockState = .unlocked) {
        value = Mutex(state)
        home = nil
    }

    /// Says what the device of `home` says. A device that cannot be opened is locked.
    package init(following home: PaviseHome) {
        value = Mutex(.beforeFirstUnlock)
        self.home = home
    }

    /// The state now. Setting it changes only a switch that follows no device.
    package var state: LockState {
        get {
            guard let home else { return value.withLock { $0 } }
            return Self.state(of: home) { device, snapshot in device.lockState(at: snapshot) }
        }
        set { value.withLock { $0 = newValue } }
    }

    /// The state now, for somebody who only watches (``Device/watchedLockState()``).
    package var watchedState: LockState {
        guard let home else { return value.withLock { $0 } }
        return Self.state(of: home) { device, snapshot in device.watchedLockState(at: snapshot) }
    }

    // A device that is open is looked at once.
    private static func state(of home: PaviseHome, _ judge: (Device, Device.Snapshot) -> LockState) -> LockState {
        if let kept = Device.kept(home) { return judge(kept.device, kept.snapshot) }
        guard let device = try? Device.of(home), let now = try? device.snapshot() else { return .beforeFirstUnlock }
        return judge(device, now)
    }

    /// The state now, of a device that the caller has at hand and looked at.
    func state(of device: Device, at snapshot: Device.Snapshot) -> LockState {
        home?.path == device.home.path ? device.lockState(at: snapshot) : state
    }
}
