internal import Foundation
internal import PaviseTransport
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Between Foundation's loading system and a client of ours. It takes every request of its session: one that it left
/// out would go over a connection that nobody judges.
class PaviseURLProtocol: URLProtocol {
    private let work = Mutex<(task: Task<Void, Never>?, isStopped: Bool)>((nil, false))

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let facts = task.map(TaskFacts.init)
        let loading = URLProtocolDelivery(self, on: facts?.queue)
        let result = Result { () throws(URLError) in try prepared(facts) }
        let started = Task {
            switch result {
            case .failure(let error): await loading.fail(error)
            case .success(let (bound, message)):
                await loading.run(
                    RedirectingExchange(bound: bound, message: message), collects: facts?.collects ?? true)
            }
        }
        work.withLock { state in
            state.task = started
            if state.isStopped { started.cancel() }
        }
    }

    /// Foundation has cancelled the task and says so itself. A word from here would be about a task that it has
    /// forgotten, and stops the program.
    override func stopLoading() {
        work.withLock { state in
            state.isStopped = true
            state.task?.cancel()
        }
    }

    /// Whether the task wants no more words.
    var isStopped: Bool { work.withLock { $0.isStopped } }

    private func prepared(_ facts: TaskFacts?) throws(URLError) -> (BoundClient, OutgoingMessage) {
        guard let bound = ProtocolClassRegistry.shared.bound(of: type(of: self)) else {
            throw URLError(.cannotLoadFromNetwork)
        }
        guard !(task is URLSessionDownloadTask) else {
            throw .explained(.unsupportedURL, Explanation.download, request.url)
        }
        guard request.cachePolicy != .returnCacheDataDontLoad else {
            throw .explained(.resourceUnavailable, Explanation.cache, request.url)
        }
        guard let task, let session = facts?.session else {
            throw .explained(.cannotLoadFromNetwork, Explanation.session, request.url)
        }
        do throws(TransportFailure) {
            return (
                bound.asking(DelegateInquirer(session, task)), try OutgoingMessage(request, facts: facts)
            )
        } catch {
            throw URLError(error, request.url)
        }
    }

    private enum Explanation {
        static let session = """
            The session of the task cannot be read from this Foundation, and so its delegate cannot be asked about the \
            server. Nothing was sent.
            """
        static let cache = "The request may not be loaded, and nothing is kept of earlier answers."
        static let download = """
            Foundation on Linux gives no way to write the file of a download task. Use a data task, or download with \
            HTTPClient.
            """
    }
}
