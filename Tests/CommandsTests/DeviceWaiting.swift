import PavisePrimitives
import Synchronization

/// What a test does while the program waits for a person at another device: the pauses between two questions pass at
/// once, and the test acts in them. All other waiting is real.
final class DeviceWaiting: Sendable {
    private struct State {
        var skipped: Set<Duration> = []
        var pauses: [Duration] = []
        var act: @Sendable (Int) throws -> Void = { _ in }
        var clock: ManualTime?
        var stopsAt: Int?
        var isAtTerminal = false
    }
    private let state = Mutex(State())

    /// The pauses that passed at once.
    var pauses: [Duration] { state.withLock { $0.pauses } }
    var isAtTerminal: Bool { state.withLock { $0.isAtTerminal } }

    /// Skips pauses of so many seconds, which pass on `clock`; `act` gets the number of each.
    func skip(_ seconds: [Int], on clock: ManualTime? = nil, _ act: @escaping @Sendable (Int) throws -> Void) {
        state.withLock {
            $0.skipped = Set(seconds.map { .seconds($0) })
            $0.act = act
            $0.clock = clock
        }
    }

    /// Somebody presses Ctrl-C in the pause of this number, which then does not end by itself.
    func stop(atPause number: Int) { state.withLock { $0.stopsAt = number } }

    /// Messages go to a terminal from now on.
    func sitDown() { state.withLock { $0.isAtTerminal = true } }

    func sleep(_ pause: Duration) async throws {
        guard state.withLock({ $0.skipped.contains(pause) }) else { return try await Task.sleep(for: pause) }
        let (number, act, stopsAt, clock) = state.withLock { state in
            state.pauses.append(pause)
            return (state.pauses.count, state.act, state.stopsAt, state.clock)
        }
        clock?.advance(seconds: Double(pause.components.seconds))
        try act(number)
        if number == stopsAt { try await Task.sleep(for: .seconds(3600)) }
    }

    func stop() async throws(SystemFailure) {
        while !Task.isCancelled {
            if state.withLock({ $0.pauses.count >= $0.stopsAt ?? .max }) { return }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
