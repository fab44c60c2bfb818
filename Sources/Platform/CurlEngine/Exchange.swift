internal import Synchronization

/// A request on its way through the engine.
final class Exchange: Sendable {
    /// Where the result goes.
    @safe
    enum Sink: Sendable {
        case collect(UnsafeContinuation<Result<CurlResponse, CurlFailure>, Never>)
        case stream(StreamInbox)
    }

    let request: CurlRequest
    let pool: Int
    /// Whether no part of the request could end a line early. Looked at where the exchange is made, not on the engine's
    /// thread.
    let isOneLinePerField: Bool
    private let wish = Atomic(false)

    init(_ request: CurlRequest, pool: Int) {
        self.request = request
        self.pool = pool
        isOneLinePerField = request.isOneLinePerField
    }

    /// Set before the engine is told, so that an exchange which is not yet known to it never starts.
    func cancel() { wish.store(true, ordering: .releasing) }

    var isCancelled: Bool { wish.load(ordering: .acquiring) }
}

/// What the callers' threads tell the engine's thread.
enum EngineCommand: Sendable {
    case open(pool: Int, settings: PoolSettings)
    case close(pool: Int)
    case start(Exchange, Exchange.Sink)
    case cancel(Exchange)
    case resume(Exchange)
    /// Somebody who was asked about a server has answered. The number and not the exchange: an answer may never come,
    /// and an exchange holds a credential.
    case answered(ObjectIdentifier)
    case stop

    func starts(in pool: Int) -> Bool {
        if case .start(let exchange, _) = self { exchange.pool == pool } else { false }
    }
}
