public import PavisePrimitives
package import PaviseTransport
package import PaviseVault

/// What a session needs from outside: clocks, waiting and random numbers. A test passes its own.
public struct SessionEnvironment: Sendable {
    /// The clocks.
    public var time: TimeSource
    /// Waits. Throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A number in 0..<1, for jitter. It protects servers from herds, not secrets.
    public var chance: @Sendable () -> Double
    /// Asks the system not to suspend the process from now on, and gives what ends that: a spent refresh token must be
    /// stored before anything stops (session SR6). Called once for each refresh, around the lock, the exchange and the
    /// write.
    public var stayAwake: @Sendable () -> @Sendable () -> Void = BackgroundTime.begin
    /// Says whether tokens may be used now; `nil` where nothing but the sign-in decides.
    package var gate: (any AccessGate)?
    /// Answers authorities that sign in attested devices alone; `nil` where nothing does.
    package var attester: (any ClientAttester)?
    /// Hears of each change of a session's state, with the one before and the server that its token is for: on the
    /// session's own thread, so that it must not wait. `nil` where nobody does.
    package var heard: (@Sendable (_ state: SessionState, _ before: SessionState?, _ server: Origin) -> Void)?
    /// Where verifiers, states and nonces come from.
    package var entropy: Entropy = .kernel

    /// The machine's own, or others.
    public init(
        time: TimeSource = .system,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.time = time
        self.sleep = sleep
        self.chance = chance
    }

    /// The machine's own clocks and chance.
    public static let system = SessionEnvironment()
}
