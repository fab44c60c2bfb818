package import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// Where the lock's key waits between an unlock and the next lock: never in a file.
package protocol UnlockedKeyStore: Sendable {
    /// Keeps a key until nobody used it for `seconds`.
    ///
    /// - Returns: Whether other processes of the user find it; `nil` when it could not be kept.
    func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool?

    /// The key, or `nil` when it is gone.
    func read(_ name: String) -> SharedSecretBytes?

    /// Forgets the key at once, in every process that could find it. Twice is fine.
    func forget(_ name: String)
}

/// The memory of this lock: each process unlocks for itself, and starts locked. This is what an app wants.
package final class OwnMemory: UnlockedKeyStore {
    private let kept = Mutex<[String: SharedSecretBytes]>([:])

    /// An empty memory.
    package init() {}

    /// See ``UnlockedKeyStore/keep(_:name:seconds:)``.
    package func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? {
        let copy = SharedSecretBytes(key.duplicate())
        kept.withLock { $0[name] = copy }
        return false
    }

    /// See ``UnlockedKeyStore/read(_:)``.
    package func read(_ name: String) -> SharedSecretBytes? { kept.withLock { $0[name] } }

    /// See ``UnlockedKeyStore/forget(_:)``.
    package func forget(_ name: String) { kept.withLock { $0[name] = nil } }
}

/// The kernel's keyring of this user, for programs that run once for each command: an unlock holds until it is locked,
/// unused for the idle time, or the machine restarts. Where there is no keyring, it holds in the process that did it.
package struct SharedMemory: UnlockedKeyStore {
    /// The keyring of this user.
    package init() {}

    /// See ``UnlockedKeyStore/keep(_:name:seconds:)``.
    package func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? {
        UnlockedBridge.keep(key, name: name, seconds: seconds)
    }

    /// See ``UnlockedKeyStore/read(_:)``.
    package func read(_ name: String) -> SharedSecretBytes? {
        guard let key = UnlockedBridge.read(name) else { return nil }
        return SharedSecretBytes(key)
    }

    /// See ``UnlockedKeyStore/forget(_:)``.
    package func forget(_ name: String) { UnlockedBridge.forget(name) }
}
