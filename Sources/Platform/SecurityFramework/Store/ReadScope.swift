internal import PaviseDevice
internal import Synchronization

/// What one search may read: the lock state and the ciphers of each class, asked of the device once and not for each
/// row.
final class ReadScope: Sendable {
    let state: LockState
    /// What was shown for this call. Threads that read a part of a long list do not have the caller's own.
    let credentials = AccessCredentials.current
    private let store: KeychainItemStore
    private let snapshot: Device.Snapshot?
    private let known = Mutex<[KeyClass: KeychainItemStore.Access]>([:])

    /// The device as the caller saw it, or as it is now.
    init(_ store: KeychainItemStore, _ environment: SecurityEnvironment, at snapshot: Device.Snapshot? = nil) throws {
        let snapshot = if let snapshot { snapshot } else { try store.device.snapshot() }
        self.store = store
        self.snapshot = snapshot
        state = environment.lock.state(of: store.device, at: snapshot)
    }

    /// A lock state that the caller knows.
    init(_ store: KeychainItemStore, in state: LockState) {
        self.store = store
        self.state = state
        snapshot = nil
    }

    func access(_ keyClass: KeyClass) throws -> KeychainItemStore.Access {
        if let known = known.withLock({ $0[keyClass] }) { return known }
        let answer = try store.access(keyClass, in: state, at: snapshot)
        known.withLock { $0[keyClass] = answer }
        return answer
    }
}
