import Synchronization

/// Lets through as many as it was opened for; the others wait.
final class Turnstile: Sendable {
    private struct State {
        var free = 0
        var isOpen = false
        var guests: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Whether somebody waits.
    var isWaitedAt: Bool { state.withLock { !$0.guests.isEmpty } }

    func pass() async {
        await withCheckedContinuation { guest in
            let passes = state.withLock { state in
                if state.isOpen { return true }
                guard state.free > 0 else {
                    state.guests.append(guest)
                    return false
                }
                state.free -= 1
                return true
            }
            if passes { guest.resume() }
        }
    }

    /// Lets through `count` who wait, or who come next.
    func open(_ count: Int = 1) {
        let leaving = state.withLock { state in
            let leaving = Array(state.guests.prefix(count))
            state.guests.removeFirst(leaving.count)
            state.free += count - leaving.count
            return leaving
        }
        for guest in leaving { guest.resume() }
    }

    /// Lets everybody through from now on.
    func openForGood() {
        let leaving = state.withLock { state in
            state.isOpen = true
            defer { state.guests = [] }
            return state.guests
        }
        for guest in leaving { guest.resume() }
    }
}
