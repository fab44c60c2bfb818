internal import PavisePrimitives

/// Many connections to the listener that waits for a sign-in's callback, until it is gone or somebody ends the flood.
///
/// ```swift
/// let flood = LoopbackFlood()
/// try flood.start(against: callback)          // `callback` is the true address with code and state
/// flood.wait(for: 10_000)
/// // … the listener must still accept the true callback, which ends it and the flood …
/// let connections = flood.end()
/// ```
public final class LoopbackFlood: Sendable {
    private struct State: Sendable {
        var threads = 0
        var begun = 0
        var connections = 0
        var isEnding = false
    }

    /// Connections that each thread keeps open.
    private static let window = 64
    private let attacks: [LoopbackAttack]
    private let state = Monitor(State())

    /// A flood of these attacks, one after the other and again from the first.
    public init(of attacks: [LoopbackAttack] = LoopbackAttack.allCases) { self.attacks = attacks }

    /// Begins, on `threads` threads of its own.
    ///
    /// - Throws: ``LabFailure/system(_:)`` when there is no thread for it, ``LabFailure/request(_:)`` for an address
    ///   that is not on loopback.
    public func start(against callback: String, threads: Int = 4) throws(LabFailure) {
        _ = try LoopbackAddress(callback)
        guard !attacks.isEmpty else { return }
        for _ in 0..<threads {
            state.change { $0.threads += 1 }
            do throws(SystemFailure) {
                try WorkerThread.start { [self] in
                    pour(callback)
                    state.change { $0.threads -= 1 }
                }
            } catch {
                state.change { $0.threads -= 1 }
                throw .system(error)
            }
        }
    }

    /// Blocks until `count` connections were made.
    ///
    /// - Returns: `false` when they were not within `limit`, or the listener was gone before.
    @discardableResult
    public func wait(for count: Int, within limit: Duration = .seconds(120)) -> Bool {
        _ = state.wait(within: limit.milliseconds) { $0.connections >= count || $0.threads == 0 }
        return state.value.connections >= count
    }

    /// Ends it.
    ///
    /// - Returns: How many connections were made.
    @discardableResult
    public func end() -> Int {
        state.change { $0.isEnding = true }
        _ = state.wait(within: 60_000) { $0.threads == 0 }
        return state.value.connections
    }

    private func pour(_ callback: String) {
        var open: [LoopbackAttack.Attempt] = []
        while let number = next() {
            // Nobody listens any more, or there is no port left for another connection.
            guard let attempt = try? attacks[number % attacks.count].play(against: callback) else { break }
            state.change { $0.connections += 1 }
            guard attempt.page == nil else { continue }
            if open.count >= Self.window { open.removeFirst().end() }
            open.append(attempt)
        }
        for attempt in open { attempt.end() }
    }

    private func next() -> Int? {
        state.change { state in
            guard !state.isEnding else { return nil }
            state.begun += 1
            return state.begun - 1
        }
    }
}
