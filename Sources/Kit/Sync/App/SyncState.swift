public import Pavise
internal import Synchronization

/// Where a synchronisation stands, for a screen.
///
/// ```swift
/// for await state in nights.states { print(state.activity, state.unsent, state.conflicts) }
/// ```
public struct SyncState: Hashable, Sendable {
    /// What goes on.
    public enum Activity: Hashable, Sendable {
        /// Nothing: the last run came to its end, or there was none.
        case idle
        /// A run is under way.
        case running
        /// The last run ended early; what waits stays, and the next run goes on.
        case stopped(PaviseError)
    }

    /// What goes on.
    public var activity = Activity.idle
    /// How far the run is that is under way; of a folder alone, and not before it moves something.
    public var progress: SyncProgress?
    /// How many records, or items of a sealed folder, are not at the server as they are here: they are lost with a
    /// sign-out. Of a plain folder, whose files stay, it is how many writes are under way whose end is not known.
    public var unsent = 0
    /// How many conflicts wait for a person.
    public var conflicts = 0
    /// How many questions of the last run wait for a person.
    public var questions = 0

    /// Nothing known.
    public init() {}
}

/// Tells a state to everybody who reads it: the present one first, then each other one.
final class SyncStateBoard: Sendable {
    private struct Board {
        var state = SyncState()
        var readers: [Int: AsyncStream<SyncState>.Continuation] = [:]
        var next = 0
    }
    private let board = Mutex(Board())

    func change(_ body: (inout SyncState) -> Void) {
        let told = board.withLock { board -> (SyncState, [AsyncStream<SyncState>.Continuation])? in
            let before = board.state
            body(&board.state)
            return board.state == before ? nil : (board.state, Array(board.readers.values))
        }
        guard let (state, readers) = told else { return }
        for reader in readers { reader.yield(state) }
    }

    var state: SyncState { board.withLock { $0.state } }

    var states: AsyncStream<SyncState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncState.self, bufferingPolicy: .bufferingNewest(1))
        let (number, now) = board.withLock { board in
            board.next += 1
            board.readers[board.next] = continuation
            return (board.next, board.state)
        }
        continuation.yield(now)
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) { board.withLock { $0.readers[number] = nil } }

    func finish() {
        let readers = board.withLock { board in
            defer { board.readers = [:] }
            return board.readers.values.map { $0 }
        }
        for reader in readers { reader.finish() }
    }
}
