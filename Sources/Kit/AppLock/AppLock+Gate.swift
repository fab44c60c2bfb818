internal import PaviseVault
internal import Synchronization

/// What is in memory already stops with the lock (app-lock AL43).
extension AppLock: AccessGate {
    /// Whether protected things may be used now.
    package var isOpen: Bool { state.isOpen }

    /// Calls `body` when the lock opens or closes, on any thread, until it returns `false`. What closes by time is
    /// noticed when somebody looks, or by ``closeInTime(_:)``.
    package func observe(_ body: @escaping @Sendable (_ isOpen: Bool) -> Bool) {
        memory.withLock { memory in
            memory.nextObserver += 1
            memory.observers[memory.nextObserver] = body
        }
    }

    // Nobody is called under the mutex.
    func tell(isOpen: Bool) {
        for (id, observer) in memory.withLock({ $0.observers }) where !observer(isOpen) {
            memory.withLock { $0.observers[id] = nil }
        }
    }
}
