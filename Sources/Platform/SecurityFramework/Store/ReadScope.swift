internal import PaviseDevice
internal import Synchronization

/// What one search may read: the lock state and the ciphers of each class, asked of the device once and not for each row.
final class ReadScope: Sendable {
    let state: LockState
    /// What was shown for this call. Threads that read a part of a long list do not have the caller's own.
    let credentials = AccessCredentials.current
    private let store: KeychainStore
    private let look: Device.Look?
    private let known = Mutex<[KeyClass: KeychainStore.Access]>([:])

    /// The device as the caller saw it, or as it is now.
    init(_ store: KeychainStore, _ environment: SecurityEnvironment, at look: Device.Look? = nil) throws {
        let look = if let look { look } else { try store.device.look() }
        self.store = store
        self.look = look
        state = environment.lock.state(of: store.device, at: look)
    }

    /// A lock state that the caller knows.
    init(_ store: KeychainStore, in state: LockState) {
        self.store = store
        self.state = state
        look = nil
    }

    func access(_ keyClass: KeyClass) throws -> KeychainStore.Access {
        if let known = known.withLock({ $0[keyClass] }) { return known }
        let answer = try store.access(keyClass, in: state, at: look)
        known.withLock { $0[keyClass] = answer }
        return answer
    }
}
