internal import Dispatch
internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What is told to Foundation about one task: each thing once, in order, on the queue on which Foundation itself works
/// on the task, and nothing after the task was stopped.
struct URLProtocolDelivery: Sendable {
    // Every call is made on the task's own queue, as Foundation's own protocols do; nothing else touches it after the
    // start.
    private let handed: UncheckedTransfer<PaviseURLProtocol>
    private let queue: DispatchQueue

    init(_ source: PaviseURLProtocol, on queue: DispatchQueue?) {
        handed = UncheckedTransfer(source)
        self.queue = queue ?? DispatchQueue(label: "PaviseURLSession")
    }

    /// Sends the request and hands over the answer: as a whole, or piece by piece.
    ///
    /// Foundation keeps only the last piece for a completion handler, so such a task gets everything at once.
    func run(_ exchange: RedirectingExchange, collects: Bool) async {
        let place = handed.value.request.url
        do throws(TransportFailure) {
            let (answer, url, body) = try await exchange.open()
            var pieces = body.makeAsyncIterator()
            var whole: [UInt8] = []
            if !collects { await begin(answer, for: url) }
            while let piece = try await pieces.next(isolation: nil) {
                if collects { whole += piece } else { await deliver(piece) }
            }
            if collects {
                await begin(answer, for: url)
                if !whole.isEmpty { await deliver(whole) }
            }
            await tell { $0.client?.urlProtocolDidFinishLoading($0) }
        } catch {
            await fail(URLError(error, exchange.bound.client.loaded(place)))
        }
    }

    /// Ends the task with an error.
    func fail(_ error: URLError) async { await tell { $0.client?.urlProtocol($0, didFailWithError: error) } }

    private func begin(_ answer: HTTPResponse, for url: WebURL) async {
        await tell {
            guard let response = HTTPURLResponse(answer, of: url, hidingChallenge: true) else { return }
            $0.client?.urlProtocol($0, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
    }

    private func deliver(_ bytes: [UInt8]) async {
        await tell { $0.client?.urlProtocol($0, didLoad: Data(bytes)) }
    }

    // Waits until it was told, so that a body arrives no faster than Foundation takes it.
    private func tell(_ words: @escaping @Sendable (PaviseURLProtocol) -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                if !handed.value.isStopped { words(handed.value) }
                continuation.resume()
            }
        }
    }
}
