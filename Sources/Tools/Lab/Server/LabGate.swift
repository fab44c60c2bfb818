internal import PavisePrimitives

/// Holds answers back until a test opens it, instead of sleeping for a guessed time.
///
/// ```swift
/// let gate = LabGate()
/// let server = try LabServer.start(identity) { _ in .text("late").held(by: gate) }
/// async let answer: Void = ask(server.address("/"))
/// await gate.waitForArrivals(1)      // the request is there, the answer is not
/// gate.open()
/// ```
public final class LabGate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }
    private let state = Monitor(State())

    /// A closed gate.
    public init() {}

    /// Lets everything through that waits, and everything that comes later.
    public func open() { state.change { $0.isOpen = true } }

    /// Holds back everything that comes from now on.
    public func close() { state.change { $0.isOpen = false } }

    /// How many answers have come to the gate so far, whether or not they were let through.
    public var arrivals: Int { state.value.arrivals }

    /// Suspends until `count` answers have come to the gate.
    ///
    /// - Returns: `false` when they did not come within `limit`.
    @discardableResult
    public func waitForArrivals(_ count: Int, within limit: Duration = .seconds(30)) async -> Bool {
        let state = state
        return await Waiting.done { state.wait(within: limit.milliseconds) { $0.arrivals >= count } }
    }

    /// Blocks the thread until the gate opens or `isAbandoned` says to give up.
    func pass(unless isAbandoned: () -> Bool) {
        state.change { $0.arrivals += 1 }
        while !isAbandoned() {
            if state.wait(within: 20, until: \.isOpen) { return }
        }
    }
}

/// Waiting for a thread from async code.
enum Waiting {
    /// Runs the blocking `wait` on a thread of its own; `false` also when the system has no more threads.
    static func done(_ wait: @escaping @Sendable () -> Bool) async -> Bool {
        (try? await WorkerThread.run(wait)) ?? false
    }
}
