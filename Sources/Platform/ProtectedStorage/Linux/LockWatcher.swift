internal import PavisePrimitives
internal import Synchronization

extension StorageSurroundings {
    /// See ``StorageContainer/observeLock(_:)``.
    func observeLock(_ onLock: @escaping @Sendable () -> Void) -> LockObservation {
        LockWatcher.shared.add(
            LockWatcher.Observer(isUnlocked: { isUnlocked }, onLock: onLock, wasUnlocked: true))
    }
}

/// One thread that looks at the lock state while anybody wants to know. The kernel's keyring tells nobody when a key
/// goes, so the thread looks every few milliseconds, which costs it some microseconds each time.
final class LockWatcher: Sendable {
    struct Observer: Sendable {
        let isUnlocked: @Sendable () -> Bool
        let onLock: @Sendable () -> Void
        var wasUnlocked: Bool
    }

    private struct State {
        var observers: [UInt64: Observer] = [:]
        var next: UInt64 = 0
        var isRunning = false
    }

    static let shared = LockWatcher()
    /// The time between two looks, in milliseconds.
    static let pause: Int64 = 4
    private let state = Mutex(State())
    private let clock = Monitor(false)

    func add(_ observer: Observer) -> LockObservation {
        let (number, mustStart) = state.withLock { state in
            let number = state.next
            state.next += 1
            state.observers[number] = observer
            defer { state.isRunning = true }
            return (number, !state.isRunning)
        }
        if mustStart { start() }
        return LockObservation { [self] in remove(number) }
    }

    func remove(_ number: UInt64) { state.withLock { _ = $0.observers.removeValue(forKey: number) } }

    private func start() {
        do throws(SystemFailure) {
            try WorkerThread.start { self.run() }
        } catch {
            // Without a thread nobody would be told: count as locked, and try again with the next observer.
            let observers = state.withLock { state in
                state.isRunning = false
                return state.observers.values.map(\.onLock)
            }
            for onLock in observers { onLock() }
        }
    }

    private func run() {
        while look() { _ = clock.wait(within: Self.pause) { $0 } }
    }

    // `false` when nobody is left.
    private func look() -> Bool {
        let observers = state.withLock { state in
            if state.observers.isEmpty { state.isRunning = false }
            return state.observers
        }
        for (number, observer) in observers {
            let isUnlocked = observer.isUnlocked()
            state.withLock { $0.observers[number]?.wasUnlocked = isUnlocked }
            if observer.wasUnlocked, !isUnlocked { observer.onLock() }
        }
        return !observers.isEmpty
    }
}
