internal import Synchronization

/// How far a run is, for a person who waits.
public struct SyncProgress: Hashable, Sendable {
    /// How many contents were sent and fetched.
    public internal(set) var done = 0
    /// How many there are, as far as the run knows.
    public internal(set) var all = 0
    /// How many bytes were moved, those that were moved twice too.
    public internal(set) var bytes = 0
    /// How many bytes the contents have, as far as the run knows.
    public internal(set) var allBytes = 0
    /// How long it has taken since the first of them, in milliseconds.
    public internal(set) var milliseconds: Int64 = 0

    /// Nothing to move.
    public init() {}

    /// Bytes a second; `nil` in the first second.
    public var bytesPerSecond: Int? { milliseconds < 1_000 ? nil : Int(Int64(bytes) * 1_000 / milliseconds) }

    /// How many seconds the rest takes at this rate; `nil` where nobody can say.
    public var secondsLeft: Int? {
        guard let rate = bytesPerSecond, rate > 0, allBytes > 0 else { return nil }
        return max(0, allBytes - bytes) / rate
    }
}

/// Counts what a run moves, and tells it at most four times a second.
public final class SyncMeter: Sendable {
    private struct State {
        var progress = SyncProgress()
        var begun: Int64?
        var next: Int64 = 0
    }

    private let state = Mutex(State())
    private let countsWhole: Bool
    private let milliseconds: @Sendable () -> Int64
    private let tell: @Sendable (SyncProgress) -> Void

    /// A meter.
    ///
    /// - Parameters:
    ///   - milliseconds: A clock that nobody sets.
    ///   - countsWhole: Whether a content's bytes count when all of it was moved: for a remote that counts no pieces.
    ///   - tell: Is given the progress, on the thread that moves; it must not wait.
    public init(
        milliseconds: @escaping @Sendable () -> Int64, countsWhole: Bool = false,
        tell: @escaping @Sendable (SyncProgress) -> Void
    ) {
        (self.milliseconds, self.countsWhole, self.tell) = (milliseconds, countsWhole, tell)
    }

    /// How far it is.
    public var progress: SyncProgress { state.withLock { $0.progress } }

    func expect(_ count: Int, bytes: Int) {
        guard count > 0 else { return }
        change { ($0.all, $0.allBytes) = ($0.all + count, $0.allBytes &+ bytes) }
    }

    /// One content was moved, of so many bytes.
    func finishOne(_ count: Int) {
        change { ($0.done, $0.bytes) = ($0.done + 1, $0.bytes &+ (countsWhole ? count : 0)) }
    }

    func move(_ count: Int) { change { $0.bytes &+= count } }

    private func change(_ body: (inout SyncProgress) -> Void) {
        let now = milliseconds()
        let told = state.withLock { state -> SyncProgress? in
            let begun = state.begun ?? now
            state.begun = begun
            body(&state.progress)
            state.progress.milliseconds = max(0, now - begun)
            guard now >= state.next else { return nil }
            state.next = now + 250
            return state.progress
        }
        if let told { tell(told) }
    }
}
