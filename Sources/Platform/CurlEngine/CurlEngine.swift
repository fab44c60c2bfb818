package import PavisePrimitives
internal import Synchronization

/// libcurl on one thread of its own, for any number of callers.
///
/// Callers put commands into a queue and wake the thread; the thread alone touches libcurl. A ``CurlLane`` is a separate
/// pool of connections with one judge, so a connection that was judged under one policy never carries a request of another.
package final class CurlEngine: Sendable {
    private struct Inbox {
        var commands: [EngineCommand] = []
        var isAwake = false
        var nextLane = 1
    }
    private let inbox = Mutex(Inbox())
    private let poll: EventPoll

    private static let one: Result<CurlEngine, SystemFailure> = Result { () throws(SystemFailure) in try CurlEngine() }

    /// The engine of this process. Its thread sleeps when there is nothing to do.
    package static func shared() throws(SystemFailure) -> CurlEngine { try one.get() }

    /// Starts the thread. It ends when the last reference is gone and its work is done.
    package init() throws(SystemFailure) {
        poll = try EventPoll()
        try EventLoop.startThread(poll: poll) { [weak self] in self?.take() ?? [.stop] }
    }

    deinit { poll.wake() }

    /// Opens a pool of connections whose servers are judged by `judge`.
    package func lane(_ settings: LaneSettings) -> CurlLane {
        let number = inbox.withLock { inbox in
            inbox.nextLane += 1
            return inbox.nextLane
        }
        post(.open(lane: number, settings: settings))
        return CurlLane(engine: self, number: number)
    }

    func post(_ command: EngineCommand) {
        let mustWake = inbox.withLock { inbox in
            inbox.commands.append(command)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if mustWake { poll.wake() }
    }

    // Leaves an empty queue with room: no allocation for the next commands.
    private func take() -> [EngineCommand] {
        inbox.withLock { inbox in
            inbox.isAwake = false
            guard !inbox.commands.isEmpty else { return [] }
            var taken: [EngineCommand] = []
            taken.reserveCapacity(16)
            swap(&taken, &inbox.commands)
            return taken
        }
    }
}

/// What is common to all connections of a lane.
package struct LaneSettings: Sendable {
    /// Judges the chain of a server; host and port are those of the request. Runs on the engine's thread.
    package typealias Judge = @Sendable (PresentedChain, _ host: String, _ port: UInt16) -> any ConnectionVerdict

    /// What TLS may offer.
    package let profile: TLSClientProfile
    /// Decides about servers.
    package let judge: Judge
    /// The most connections to one host.
    package var connectionsPerHost = 16
    /// The most connections in all.
    package var connections = 128
    /// Whether HTTP/2 is offered.
    package var offersHTTP2 = true

    /// Settings with the usual bounds.
    package init(profile: TLSClientProfile, judge: @escaping Judge) {
        self.profile = profile
        self.judge = judge
    }
}
