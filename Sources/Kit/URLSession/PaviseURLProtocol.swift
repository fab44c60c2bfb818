internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Between Foundation's loading system and a client of ours. It takes every request of its session: one that it left out
/// would go over a connection that nobody judges.
class PaviseURLProtocol: URLProtocol {
    private let work = Mutex<Task<Void, Never>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let loading = Loading(self)
        let result = Result { () throws(URLError) in try prepared() }
        switch result {
        case .failure(let error): loading.fail(error)
        case .success(let (door, message)):
            let collects = task.map(TaskFacts.init)?.collects ?? true
            work.withLock { $0 = Task { await loading.run(message, through: door, collects: collects) } }
        }
    }

    override func stopLoading() { work.withLock { $0?.cancel() } }

    private func prepared() throws(URLError) -> (Door, OutgoingMessage) {
        guard let door = DoorRegistry.shared.door(of: type(of: self)) else {
            throw URLError(.cannotLoadFromNetwork)
        }
        guard !(task is URLSessionDownloadTask) else { throw .explained(.unsupportedURL, Words.download, request.url) }
        do throws(TransportFailure) {
            return (door, try OutgoingMessage(request, facts: task.map(TaskFacts.init)))
        } catch {
            throw URLError(error, request.url)
        }
    }

    private enum Words {
        static let download = """
            Foundation on Linux gives no way to write the file of a download task. Use a data task, or download with \
            CurlTransport.
            """
    }
}

/// What is told to Foundation about one task, each thing once and in order.
struct Loading: Sendable {
    // The loading system takes calls of a protocol's client from any thread; after `startLoading` only this value makes them.
    private let handed: HandedOver<PaviseURLProtocol>
    private var source: PaviseURLProtocol { handed.value }

    init(_ source: PaviseURLProtocol) { handed = HandedOver(source) }

    /// Sends the request and hands over the answer: as a whole, or piece by piece.
    ///
    /// Foundation keeps only the last piece for a completion handler, so such a task gets everything at once.
    func run(_ message: OutgoingMessage, through door: Door, collects: Bool) async {
        do throws(TransportFailure) {
            let courier = Courier(door: door, message: message)
            if collects {
                let answer = try await courier.collect()
                begin(answer, for: answer.redirect?.from ?? message.request.url)
                if !answer.body.isEmpty { deliver(answer.body) }
            } else {
                try await courier.stream(head: { begin($0, for: $1) }, receive: deliver)
            }
            source.client?.urlProtocolDidFinishLoading(source)
        } catch {
            fail(URLError(error, source.request.url))
        }
    }

    func fail(_ error: URLError) { source.client?.urlProtocol(source, didFailWithError: error) }

    private func begin(_ answer: HTTPResponse, for url: WebURL) {
        guard let response = HTTPURLResponse(answer, of: url, hidingChallenge: true) else { return }
        source.client?.urlProtocol(source, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    private func deliver(_ bytes: [UInt8]) { source.client?.urlProtocol(source, didLoad: Data(bytes)) }
}
