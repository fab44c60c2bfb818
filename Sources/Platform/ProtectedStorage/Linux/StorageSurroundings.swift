internal import PaviseDevice
internal import PavisePrimitives
internal import SecurityFramework

/// What a container takes from its surroundings on Linux: the secret store of this user, and the lock state of the
/// device.
struct StorageSurroundings: Sendable {
    // A test's own, kept so that threads of ours see it too.
    private let override = SecurityEnvironment.override

    /// The surroundings of the task that asks.
    static var current: StorageSurroundings { StorageSurroundings() }

    /// When an item that must always be readable is.
    // pavise:ignore KEYCHAIN-WEAK The class for what is readable before the first unlock; it stays on the device.
    static let always = kSecAttrAccessibleAlwaysThisDeviceOnly as String

    /// When the key of a class is readable; none leaves the device.
    static func accessible(_ protection: ProtectionClass) -> String {
        switch protection {
        case .complete, .completeUnlessOpen: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        case .untilFirstUserAuthentication: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        // pavise:ignore KEYCHAIN-WEAK What the caller asked for by the class named none; it stays on the device.
        case .none: kSecAttrAccessibleAlwaysThisDeviceOnly as String
        }
    }

    /// Runs calls of the secret store.
    func run<Result>(_ body: () -> Result) -> Result {
        guard let override else { return body() }
        return SecurityEnvironment.$override.withValue(override) { body() }
    }

    /// Whether the secret store is that of `home`, and was ever made: another one has no keys of what lies there.
    func serves(_ home: PaviseHome) -> Bool {
        let own: PaviseHome = override?.home ?? .current
        // The home of an app lies inside, and has no secret store of its own.
        guard home == own || home.path.hasPrefix(own.path + "/apps/") else { return false }
        return if case .absent = DurableFile.presence(of: own.keychain) { false } else { true }
    }

    /// Whether keys of the class may be used now: a few microseconds. Counts as use of the unlocked device.
    func isOpen(_ protection: ProtectionClass) -> Bool {
        protection == .none || run { SecurityEnvironment.currentLock.state }.allows(protection.availability)
    }

    /// Whether the device is unlocked, for somebody who only watches.
    var isUnlocked: Bool { run { SecurityEnvironment.currentLock.watchedState } == .unlocked }
}

extension ProtectionClass {
    fileprivate var availability: KeyClass.Availability {
        switch self {
        case .complete, .completeUnlessOpen: .whileUnlocked
        case .untilFirstUserAuthentication: .sinceFirstUnlock
        case .none: .always
        }
    }
}
