internal import Foundation
internal import Security
internal import SecurityFramework
internal import Synchronization

/// What a container takes from its surroundings on Apple's systems: the keychain, and word of the lock.
struct StorageSurroundings: Sendable {
    /// The surroundings of the process.
    static var current: StorageSurroundings { StorageSurroundings() }

    /// Apple deprecated the class that is always readable: what needs no unlock is readable from the first one on.
    static var always: String { kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String }

    /// When the key of a class is readable; none leaves the device.
    static func accessible(_ protection: ProtectionClass) -> String {
        switch protection {
        case .complete, .completeUnlessOpen: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        case .untilFirstUserAuthentication, .none: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        }
    }

    /// Runs calls of the secret store.
    func run<Result>(_ body: () -> Result) -> Result { body() }

    /// Whether cached keys of the class may be used. Where the system said nothing yet, the keychain decides.
    func isOpen(_ protection: ProtectionClass) -> Bool { !protection.needsUnlocked || isUnlocked }

    /// Whether the system did not announce a lock.
    var isUnlocked: Bool { ProtectedDataWatch.shared.isAvailable }
}

/// Hears from the system that protected data goes and comes back. The names are those of UIApplication's notifications,
/// which are posted to the process's centre; on macOS nobody posts them, and class keys stay as long as somebody is
/// logged in.
final class ProtectedDataWatch: Sendable {
    static let shared = ProtectedDataWatch()
    private let state = Mutex(true)

    var isAvailable: Bool { state.withLock { $0 } }

    private init() {
        observe("UIApplicationProtectedDataWillBecomeUnavailable", false)
        observe("UIApplicationProtectedDataDidBecomeAvailable", true)
    }

    private func observe(_ name: String, _ isAvailable: Bool) {
        let name = NSNotification.Name(name)
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { @Sendable _ in
            ProtectedDataWatch.shared.state.withLock { $0 = isAvailable }
        }
    }
}
