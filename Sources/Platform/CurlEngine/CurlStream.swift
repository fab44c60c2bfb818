/// An exchange whose answer is taken by one reader, piece by piece, when the reader wants it.
///
/// The engine holds at most ``StreamInbox/highWater`` bytes; a reader that waits makes the server wait. Going away ends
/// it.
package final class CurlStream: Sendable {
    private let exchange: Exchange
    private let inbox = StreamInbox()
    private let engine: CurlEngine

    init(_ request: CurlRequest, pool: Int, engine: CurlEngine) {
        exchange = Exchange(request, pool: pool)
        self.engine = engine
        engine.start(exchange, .stream(inbox))
    }

    deinit { stop() }

    /// What comes next. The head first, once; after the end nothing more may be asked for.
    package enum Event: Sendable {
        case head(CurlHead)
        case piece([UInt8])
        case end(CurlFailure?)
    }

    /// Waits for the next event. One caller at a time. Cancelling the task ends the exchange.
    package func next() async -> Event {
        let event = await withTaskCancellationHandler {
            await inbox.next()
        } onCancel: {
            stop()
        }
        switch event {
        case .head(let head): return .head(head)
        case .end(let failure, _): return .end(failure)
        case .piece(let bytes, let wasPaused):
            if wasPaused { engine.post(.resume(exchange)) }
            return .piece(bytes)
        }
    }

    private func stop() {
        exchange.cancel()
        engine.post(.cancel(exchange))
    }
}

extension ConnectionPool {
    /// Sends `request` and gives the answer to a reader that takes it at its own pace.
    package func open(_ request: CurlRequest) -> CurlStream {
        CurlStream(request, pool: number, engine: engine)
    }
}
