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

    // Nobody is called under the mutex, and nobody hears of an opening after the closing that followed it: who comes
    // while others are told leaves the news to the one who tells. What closed in the meantime is told as closed.
    func tell(isOpen: Bool) {
        let isTeller = memory.withLock { memory in
            memory.news.append(isOpen)
            defer { memory.isTelling = true }
            return !memory.isTelling
        }
        guard isTeller else { return }
        while let (isOpen, observers) = memory.withLock({ $0.nextNews() }) {
            for (id, observer) in observers where !observer(isOpen) { memory.withLock { $0.observers[id] = nil } }
        }
    }
}

extension AppLock.Memory {
    // In the order in which they came.
    fileprivate mutating func nextNews() -> (isOpen: Bool, [(UInt64, @Sendable (Bool) -> Bool)])? {
        guard !news.isEmpty else {
            isTelling = false
            return nil
        }
        var isOpen = news.removeFirst()
        if case .locked = machine.state { isOpen = false }
        return (isOpen, observers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}
