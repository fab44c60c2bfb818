package import PavisePrimitives
internal import Synchronization

/// A pool of connections that were all judged by the same judge. Going away closes it; exchanges on their way end
/// first.
package final class ConnectionPool: Sendable {
    let engine: CurlEngine
    let number: Int
    /// The lowest version that its connections offer.
    package let floor: TLSClientProfile.Version

    init(engine: CurlEngine, number: Int, floor: TLSClientProfile.Version) {
        self.engine = engine
        self.number = number
        self.floor = floor
    }

    deinit { engine.post(.close(pool: number)) }

    /// Sends `request` and collects the answer. Cancelling the task ends the exchange.
    package func collect(_ request: CurlRequest) async -> Result<CurlResponse, CurlFailure> {
        let exchange = Exchange(request, pool: number)
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe engine.start(exchange, .collect(continuation))
            }
        } onCancel: { [engine] in
            exchange.cancel()
            engine.post(.cancel(exchange))
        }
    }

    /// Sends `request` and lends the body piece by piece.
    ///
    /// The engine holds at most ``StreamInbox/highWater`` bytes; when the caller is slower than the server, the server
    /// waits.
    package func stream(
        _ request: CurlRequest, head: @Sendable (CurlHead) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws -> Result<CurlResponse, CurlFailure> {
        let exchange = Exchange(request, pool: number)
        let inbox = StreamInbox()
        engine.start(exchange, .stream(inbox))
        do {
            return try await withTaskCancellationHandler {
                try await drain(inbox, of: exchange, head: head, receive: receive)
            } onCancel: { [engine] in
                exchange.cancel()
                engine.post(.cancel(exchange))
            }
        } catch {
            stop(exchange)
            throw error
        }
    }

    private func drain(
        _ inbox: StreamInbox, of exchange: Exchange, head: @Sendable (CurlHead) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws -> Result<CurlResponse, CurlFailure> {
        var answer: CurlHead?
        while true {
            switch await inbox.next() {
            case .head(let found):
                answer = found
                guard try head(found) else {
                    stop(exchange)
                    return .success(CurlResponse(head: found, body: []))
                }
            case .piece(let bytes, let wasPaused):
                if wasPaused { engine.post(.resume(exchange)) }
                try receive(bytes)
            case .end(let failure, let metrics):
                if let failure { return .failure(failure) }
                guard let answer else { return .failure(.noHead) }
                return .success(CurlResponse(head: answer, body: [], metrics: metrics))
            }
        }
    }

    private func stop(_ exchange: Exchange) {
        exchange.cancel()
        engine.post(.cancel(exchange))
    }
}

extension CurlFailure {
    static let noHead = CurlFailure(reason: .notHTTP, detail: "no head", sent: true, connection: nil)
}
