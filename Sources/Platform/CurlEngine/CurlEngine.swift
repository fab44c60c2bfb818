internal import CPaviseCurl
internal import Glibc
package import PavisePrimitives
internal import Synchronization

/// libcurl for any number of callers, with one thread that waits for all of their sockets.
///
/// Callers put commands into a queue and wake the thread. A ``ConnectionPool`` is a separate pool of connections with
/// one judge, so a connection that was judged under one policy never carries a request of another.
package final class CurlEngine: Sendable {
    private let queue: CommandQueue
    private let loop: EventLoop
    private let nextLane = Atomic(1)

    private static let one = Mutex<CurlEngine?>(nil)

    /// The engine of this process. Its thread sleeps when there is nothing to do.
    ///
    /// - Throws: What the system refused now. The next call tries again.
    package static func shared() throws(SystemFailure) -> CurlEngine {
        try one.withLock { one throws(SystemFailure) in
            if let one { return one }
            let made = try CurlEngine()
            one = made
            return made
        }
    }

    /// libcurl's version as it runs, for example `7.88.1`; `nil` where it cannot be loaded. Loads it.
    package static var libraryVersion: String? {
        guard isLibraryReady, let version = unsafe pavise_curl_version() else { return nil }
        return unsafe String(cString: version)
    }

    /// Starts the thread. It ends when the last reference is gone and its work is done.
    package init() throws(SystemFailure) {
        guard Self.isLibraryReady else {
            throw SystemFailure(operation: "load", path: "libcurl.so.4 (Debian's package libcurl4)", code: ELIBACC)
        }
        let poll = try EventPoll()
        queue = CommandQueue(poll: poll)
        loop = EventLoop(poll: poll, queue: queue)
        try loop.startThread()
    }

    deinit { queue.post(.stop) }

    /// Opens a pool of connections whose servers are judged by `judge`.
    package func pool(_ settings: PoolSettings) -> ConnectionPool {
        let number = nextLane.wrappingAdd(1, ordering: .relaxed).newValue
        queue.post(.open(pool: number, settings: settings))
        return ConnectionPool(engine: self, number: number, floor: settings.profile.minimumVersion)
    }

    func post(_ command: EngineCommand) { queue.post(command) }

    /// Starts an exchange: at once and here when nothing else is going on, otherwise through the queue.
    func start(_ exchange: Exchange, _ sink: Exchange.Sink) {
        guard !loop.startHere(exchange, sink) else { return }
        queue.post(.start(exchange, sink))
    }
}

/// What is common to all connections of a pool.
package struct PoolSettings: Sendable {
    /// Judges the chain of a server; host and port are those of the request. Runs on the engine's thread and must not
    /// block.
    package typealias Judge = @Sendable (PresentedChain, _ host: String, _ port: UInt16) -> any ConnectionVerdict

    /// What TLS may offer.
    package let profile: TLSClientProfile
    /// Decides about servers.
    package let judge: Judge
    /// Who we are to a server that asks; `nil` for nobody. Runs on the engine's thread.
    package var identity: (@Sendable (_ host: String, _ port: UInt16) -> ClientIdentity?)?
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
