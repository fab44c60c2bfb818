import Pavise
import PaviseAppLock
import Synchronization
import Testing

@Suite struct LockStatesTests {
    /// A lock that closes just after somebody looked for the first time, as another thread closes it.
    private final class ClosingLock: Sendable {
        struct State {
            var state = AppLockState.unlocked(secondsLeft: 60)
            var hasClosed = false
            var isGone = false
            var observer: (@Sendable (Bool) -> Bool)?
        }
        private let state = Mutex(State())

        func read() -> AppLockState? {
            let (seen, observer) = state.withLock { state -> (AppLockState?, (@Sendable (Bool) -> Bool)?) in
                guard !state.isGone else { return (nil, nil) }
                let seen = state.state
                guard !state.hasClosed else { return (seen, nil) }
                state.hasClosed = true
                state.state = .locked(.idle)
                return (seen, state.observer)
            }
            _ = observer?(false)
            return seen
        }

        func observe(_ body: @escaping @Sendable (Bool) -> Bool) { state.withLock { $0.observer = body } }

        /// Ends the stream.
        func goAway() {
            let observer = state.withLock { state in
                state.isGone = true
                return state.observer
            }
            _ = observer?(false)
        }
    }

    @Test func `AL43: a lock that closes while somebody begins to follow it is told as closed, and last`() async {
        let lock = ClosingLock()
        let states = SecurityLock.states(reading: { lock.read() }, observing: { _, body in lock.observe(body) })
        lock.goAway()
        var seen: [AppLockState] = []
        for await state in states { seen.append(state) }
        #expect(seen.last == .locked(.idle))
    }
}
