package import PaviseDevice
package import PavisePrimitives
internal import Synchronization

/// What the keychain takes from its surroundings. A test puts its own in place for the length of a task.
///
/// ```swift
/// try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) { … }
/// ```
package struct SecurityEnvironment: Sendable {
    /// Where the state lies.
    package var home: PaviseHome
    /// The access groups of the program, the first is the default. Empty: every call is -34018.
    package var accessGroups: [String]
    /// Which time it is.
    package var time: TimeSource
    /// Whether the device is unlocked.
    package var lock: LockSwitch
    /// Where trust begins for `kSecMatchTrustedOnly`; `nil` means the machine's roots.
    package var anchors: TrustAnchors?

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
        override
            ?? SecurityEnvironment(
                home: .current, accessGroups: ApplicationIdentity.current.accessGroups, lock: .unattended)
    }

    /// The groups that a query may see: the program's own, then those of tokens, which are read-only.
    var visibleGroups: [String] { accessGroups.isEmpty ? [] : accessGroups + ["com.apple.token"] }
}

/// The lock state of a device, and the switch that changes it.
package final class LockSwitch: Sendable {
    private let value: Mutex<LockState>

    /// Starts in `state`.
    package init(_ state: LockState = .unlocked) { value = Mutex(state) }

    // Without a passcode the device is always unlocked.
    static let unattended = LockSwitch()

    /// The state now.
    package var state: LockState {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
