internal import Synchronization

/// Lets one run at a time into a folder: who comes meanwhile waits for its turn, in the order of coming (sync/SY2).
final class RunTurn: Sendable {
    private struct State {
        var isTaken = false
        var next = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Takes the turn, at once or when those before have given it back.
    ///
    /// - Returns: `false` when the task was cancelled while it waited; it has no turn then.
    func take() async -> Bool {
        let number = state.withLock { state -> Int? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            state.next += 1
            return state.next
        }
        guard let number else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    guard !Task.isCancelled else { return false }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let found = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            found?.continuation.resume(returning: false)
        }
    }

    /// Gives the turn to whoever has waited longest.
    func giveBack() {
        let first = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        first?.resume(returning: true)
    }
}
