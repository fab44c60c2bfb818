internal import PavisePrimitives
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// The way of one process to one TPM: one connection, behind a lock, kept for a while after its last use.
///
/// Connecting costs several times what a signature does, so the connection outlives the operation. A TPM without
/// a resource manager is given up early, and often enough that other processes get their turn.
final class TPMChannel: Sendable {
    private struct Held: Sendable {
        var link: TPMLink?
        var hasKeeper = false
    }

    private let address: TPMAddress
    private let held = Mutex(Held())

    /// How long a connection is kept without use, and how long at all.
    private var idle: Duration { address.isExclusive ? .milliseconds(50) : .seconds(5) }
    private var longest: Duration { address.isExclusive ? .milliseconds(250) : .seconds(60) }

    /// A channel that does not connect yet.
    init(_ address: TPMAddress) { self.address = address }

    /// Runs `body` with the connection. When a kept connection turns out to be gone, `body` runs again on a fresh one:
    /// it must come to the same from the start. After any refusal the connection is given up with all it loaded.
    ///
    /// - Parameter isRepeatable: `false` where running twice would do something twice; the connection is fresh then.
    func run<Result: ~Copyable & Sendable>(
        isRepeatable: Bool = true, _ body: @Sendable (TPMLink) throws -> Result
    ) throws(DeviceFailure) -> Result {
        try DeviceFailure.reporting {
            try locked { held throws in try patiently(&held, isRepeatable, body) }
        }
    }

    // A TPM that spares its memory, or tests itself, asks to be asked again. Four times, within 0.7 seconds.
    private func patiently<Result: ~Copyable & Sendable>(
        _ held: inout Held, _ isRepeatable: Bool, _ body: (TPMLink) throws -> Result
    ) throws -> Result {
        for pause in [50_000, 100_000, 200_000, 350_000] as [UInt32] {
            do {
                return try run(&held, isRepeatable, body)
            } catch let failure as TPMFailure where failure.kind == .busy && failure.code != 0 && isRepeatable {
                usleep(pause)
            }
        }
        return try run(&held, isRepeatable, body)
    }

    private func run<Result: ~Copyable & Sendable>(
        _ held: inout Held, _ isRepeatable: Bool, _ body: (TPMLink) throws -> Result
    ) throws -> Result {
        if let link = held.link, isRepeatable, ContinuousClock().now - link.start < longest {
            do {
                return try use(link, &held, body)
            } catch let failure as TPMFailure where failure.mayBeStale {
                // Go on with a fresh one.
            }
        }
        // Others who wait look every two milliseconds.
        if held.link != nil, address.isExclusive {
            held.link = nil
            usleep(5_000)
        }
        held.link = nil
        return try use(try TPMLink(address), &held, body)
    }

    private func use<Result: ~Copyable & Sendable>(
        _ link: TPMLink, _ held: inout Held, _ body: (TPMLink) throws -> Result
    ) throws -> Result {
        do {
            let result = try body(link)
            link.lastUse = ContinuousClock().now
            held.link = link
            keep(&held)
            return result
        } catch let failure as TPMFailure {
            held.link = nil
            throw failure
        }
    }

    // One thread gives the connection up when nobody used it for a while; without a thread it is given up at once.
    private func keep(_ held: inout Held) {
        guard !held.hasKeeper else { return }
        do {
            try WorkerThread.start(stack: 1 << 18) { [weak self] in
                while let self, self.keepOn() { usleep(10_000) }
            }
            held.hasKeeper = true
        } catch {
            held.link = nil
        }
    }

    private func keepOn() -> Bool {
        locked { held in
            if let link = held.link, ContinuousClock().now - link.lastUse < idle { return true }
            held.link = nil
            held.hasKeeper = false
            return false
        }
    }

    /// Gives the connection up.
    func disconnect() { locked { $0.link = nil } }

    private func locked<Result: ~Copyable & Sendable, Failure: Error>(
        _ body: (inout Held) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try held.withLock { held throws(Failure) in try body(&held) }
    }
}
