internal import PaviseVault
internal import Synchronization

/// What is in memory already stops with the lock (app-lock AL43).
extension AppLock: AccessGate {
    /// Whether protected things may be used now.
    package var isOpen: Bool { state.isOpen }

    /// Calls `body` when the lock opens or closes, on any thread, until it returns `false` or `owner` is gone. What
    /// closes by time is noticed when somebody looks, or by ``closeInTime(_:)``.
    package func observe(
        for owner: (any AnyObject & Sendable)? = nil, _ body: @escaping @Sendable (_ isOpen: Bool) -> Bool
    ) {
        memory.withLock { $0.observers.add(for: owner, body) }
    }

    /// How many follow the lock.
    package var observerCount: Int { memory.withLock { $0.observers.count } }

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
            for (id, observer) in observers where !observer(isOpen) { memory.withLock { $0.observers.remove(id) } }
        }
    }
}

extension AppLock.Memory {
    // In the order in which they came.
    fileprivate mutating func nextNews() -> (isOpen: Bool, [(id: UInt64, body: @Sendable (Bool) -> Bool)])? {
        guard !news.isEmpty else {
            isTelling = false
            return nil
        }
        var isOpen = news.removeFirst()
        if case .locked = machine.state { isOpen = false }
        return (isOpen, observers.all)
    }
}
