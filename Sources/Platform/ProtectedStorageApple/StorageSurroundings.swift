internal import Foundation
internal import PavisePrimitives
internal import Security
internal import SecurityFramework
internal import Synchronization

/// What a container takes from its surroundings on Apple's systems: the keychain, and word of the lock.
struct StorageSurroundings: Sendable {
    /// The surroundings of the task that asks: the process's own, unless a test gives others.
    @TaskLocal static var current = StorageSurroundings()

    /// Who hears of the lock.
    var watch = ProtectedDataWatch.shared
    /// What goes around calls of the secret store: nothing, but for a test's.
    var around: @Sendable (() -> Void) -> Void = { $0() }

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
    func run<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        around { result = body() }
        return result ?? body()
    }

    /// Whether the secret store may have keys of what lies in `home`: a program has one keychain here.
    func serves(_: PaviseHome) -> Bool { true }

    /// Whether cached keys of the class may be used. Where the system said nothing yet, the keychain decides.
    func isOpen(_ protection: ProtectionClass) -> Bool { !protection.needsUnlocked || isUnlocked }

    /// Whether the system did not announce a lock.
    var isUnlocked: Bool { watch.isAvailable }

    /// See ``StorageContainer/observeLock(_:)``. Nothing is looked at in between: a phone is not woken for it.
    func observeLock(_ onLock: @escaping @Sendable () -> Void) -> LockObservation { watch.observe(onLock) }
}

/// Hears from the system that protected data goes and comes back, by the notifications of UIApplication and, on macOS,
/// of NSApplication (`NSApplicationProtectedDataWillBecomeUnavailable`), which are posted to the process's centre. To a
/// process without either nobody posts them, and there class keys stay.
final class ProtectedDataWatch: Sendable {
    /// The process's own.
    static let shared = ProtectedDataWatch(.default)
    private struct State {
        var isAvailable = true
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var next: UInt64 = 0
    }
    private let state = Mutex(State())

    /// Whether the system did not announce that protected data goes, or announced that it came back.
    var isAvailable: Bool { state.withLock { $0.isAvailable } }

    /// Calls `onLock` each time the system announces that protected data goes, and at once where it did already.
    func observe(_ onLock: @escaping @Sendable () -> Void) -> LockObservation {
        let (number, isAvailable) = state.withLock { state in
            defer { state.next += 1 }
            state.observers[state.next] = onLock
            return (state.next, state.isAvailable)
        }
        if !isAvailable { onLock() }
        return LockObservation { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }

    /// Listens to a centre, for as long as the process runs.
    init(_ centre: NotificationCenter) {
        for kit in ["UIApplication", "NSApplication"] {
            // Most of Apple's constants have the ending in their values, those of UIApplication not in their names. The
            // kits of windows are not imported here, and nobody else posts such names.
            for ending in ["", "Notification"] {
                observe("\(kit)ProtectedDataWillBecomeUnavailable\(ending)", false, centre)
                observe("\(kit)ProtectedDataDidBecomeAvailable\(ending)", true, centre)
            }
        }
    }

    private func observe(_ name: String, _ isAvailable: Bool, _ centre: NotificationCenter) {
        let name = NSNotification.Name(name)
        _ = centre.addObserver(forName: name, object: nil, queue: nil) { @Sendable [weak self] _ in
            self?.announced(isAvailable)
        }
    }

    // Nobody is called under the mutex.
    private func announced(_ isAvailable: Bool) {
        let observers = state.withLock { state -> [@Sendable () -> Void] in
            defer { state.isAvailable = isAvailable }
            return state.isAvailable && !isAvailable ? Array(state.observers.values) : []
        }
        for onLock in observers { onLock() }
    }
}
