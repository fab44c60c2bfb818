internal import PavisePrimitives
internal import Synchronization

/// Waits for work, but not longer than said, also when the work ignores cancellation.
package enum Deadline {
    /// Runs `work` in a task of its own.
    ///
    /// A cancelled caller cancels the work and still waits for what it says, up to the limit: an answer that a server
    /// already gave must not be lost.
    ///
    /// - Returns: `nil` when `limit` passed first. The work is then cancelled and its result dropped.
    package static func run<Value: Sendable>(
        _ limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let race = Race<Value>()
        let worker = Task { race.finish(await work()) }
        let timer = Task { if (try? await sleep(limit.bounded)) != nil { race.finish(nil) } }
        defer {
            timer.cancel()
            worker.cancel()
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { race.wait($0) }
        } onCancel: {
            worker.cancel()
        }
    }
}

/// The first result wins, whether it comes before or after somebody waits for it.
final class Race<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case finished(Value?)
    }
    private let state = Mutex(State.open)

    func wait(_ continuation: CheckedContinuation<Value?, Never>) {
        let result: Value?? = state.withLock { state in
            guard case .finished(let value) = state else {
                state = .waiting(continuation)
                return nil
            }
            return .some(value)
        }
        if let result { continuation.resume(returning: result) }
    }

    func finish(_ value: Value?) {
        let waiter: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .finished: return nil
            case .open:
                state = .finished(value)
                return nil
            case .waiting(let continuation):
                state = .finished(value)
                return continuation
            }
        }
        waiter?.resume(returning: value)
    }
}
