internal import Synchronization

/// A client whose answers' bodies are read at the caller's own pace, with the credential of the request's origin.
package protocol PulledBodyClient: HTTPClient {
    /// Sends `request` and returns as soon as the head is there; the body is read from the stream.
    func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream)
}

extension HTTPClient {
    /// The same for every client. One that lends no body at the caller's pace collects it first, up to the request's
    /// limit.
    package func opened(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        if let client = self as? any PulledBodyClient { return try await client.open(request, with: authorization) }
        let answer = try await send(request, with: authorization)
        return (answer, BodyStream(collected: answer.body))
    }
}

extension BodyStream {
    /// A body that is there already.
    package init(collected body: [UInt8]) { self.init(pieces: CollectedBody(body)) }
}

/// A body in one piece.
private final class CollectedBody: BodyPieces {
    private let piece: Mutex<[UInt8]>

    init(_ body: [UInt8]) { piece = Mutex(body) }

    func next() async throws(TransportFailure) -> [UInt8]? {
        piece.withLock { piece in
            defer { piece = [] }
            return piece.isEmpty ? nil : piece
        }
    }
}
