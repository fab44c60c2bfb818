internal import Foundation
package import PavisePrimitives
internal import Synchronization

/// Waits on 127.0.0.1 for the browser to bring the callback (RFC 8252 §7.3).
///
/// One thread serves all connections in small steps, so that a slow or silent one holds up nobody. Only a GET of the
/// exact path with the matching Host reaches the attempt; everything else is answered 404 and forgotten. Nothing is
/// logged.
package final class LoopbackListener: Sendable {
    /// What the listener does with a callback's query: say whether that was the one it waits for.
    package typealias Judge = @Sendable (String) -> Bool

    /// Why no callback came.
    package enum Failure: Error, Hashable, Sendable {
        /// The time passed.
        case timeout
        /// The listener was stopped.
        case stopped
        /// The socket failed.
        case system(SystemFailure)
        /// The page was not shown, or ended without an answer; the reason.
        case browser(String)
    }

    static let path = "/callback"
    private let listener: TCPListener
    private let isStopped = Atomic(false)
    private let result = Race<Result<Void, Failure>>()

    /// Binds 127.0.0.1.
    ///
    /// - Parameter port: 0 takes a free one. A fixed port is weaker (another program can sit on it) and needed only for
    ///   servers that compare it.
    package init(port: UInt16 = 0) throws(SystemFailure) { listener = try TCPListener.listen(port: port) }

    /// The redirect address: the literal address, never the name `localhost` (RFC 8252 §8.3).
    package var redirect: String { Self.redirect(port: listener.port) }

    /// The redirect address of a listener on `port`.
    static func redirect(port: UInt16) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Serves, on a thread of its own and from now on, until `judge` says yes to a callback or the time passes. Call it
    /// once.
    package func start(within limit: Duration, judge: @escaping Judge) {
        let thread = Thread { [self] in result.finish(serve(within: limit, judge)) }
        thread.name = "loopback"
        thread.start()
    }

    /// Waits for the end of what ``start(within:judge:)`` began. A cancelled task stops it.
    package func wait() async throws(Failure) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { self.result.wait($0) }
        } onCancel: {
            stop()
        }
        try (result ?? .failure(.stopped)).get()
    }

    /// Stops waiting.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    private func serve(within limit: Duration, _ judge: Judge) -> Result<Void, Failure> {
        let clock = ContinuousClock()
        let end = clock.now + limit
        var connections = LoopbackConnections(host: "127.0.0.1:\(listener.port)", path: Self.path)
        while clock.now < end {
            guard !isStopped.load(ordering: .relaxed) else { return .failure(.stopped) }
            do throws(SystemFailure) { try admit(to: &connections) } catch { return .failure(.system(error)) }
            if connections.step(judge) { return .success(()) }
        }
        return .failure(.timeout)
    }

    // Waits for the first; who else stands at the receiver comes in as well, up to a bound.
    private func admit(to connections: inout LoopbackConnections) throws(SystemFailure) {
        guard connections.hasCapacity else { return Thread.sleep(forTimeInterval: 0.002) }
        var wait: Int32 = 20
        for _ in 0..<LoopbackConnections.turn {
            guard connections.hasCapacity, let stream = try listener.accept(within: wait) else { return }
            connections.enter(stream)
            wait = 0
        }
    }
}
