internal import PavisePrimitives
internal import Synchronization

/// What callers want from the loop, in order. The loop is woken at most once, however many commands come meanwhile.
final class CommandQueue: Sendable {
    private struct State {
        var commands: [EngineCommand] = []
        var isLoopAwake = false
    }
    private let state = Mutex(State())
    private let poll: EventPoll

    init(poll: EventPoll) { self.poll = poll }

    func post(_ command: EngineCommand) {
        let mustWake = state.withLock { state in
            state.commands.append(command)
            defer { state.isLoopAwake = true }
            return !state.isLoopAwake
        }
        if mustWake { poll.wake() }
    }

    /// All commands so far. After an empty answer the loop counts as asleep, and the next command wakes it: ask until
    /// then.
    func take() -> [EngineCommand] {
        state.withLock { state in
            state.isLoopAwake = !state.commands.isEmpty
            guard state.isLoopAwake else { return [] }
            var taken: [EngineCommand] = []
            taken.reserveCapacity(16)
            swap(&taken, &state.commands)
            return taken
        }
    }
}
