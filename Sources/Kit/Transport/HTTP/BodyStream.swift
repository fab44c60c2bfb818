#if os(Linux)
internal import PaviseCurl

/// The body of an answer, piece by piece, as fast as it is asked for: at most 1 MiB waits, and a reader that waits makes the
/// server wait.
///
/// ```swift
/// let (answer, body) = try await client.open(HTTPRequest("GET", url))
/// for try await piece in body { hash.update(piece) }
/// ```
///
/// One reader only. Cancelling its task, or letting go of the stream, ends the transfer.
public struct BodyStream: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = [UInt8]
    /// Why no more pieces come.
    public typealias Failure = TransportFailure

    let stream: CurlStream
    let origin: Origin

    /// Reads from the current place on.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream, origin: origin) }

    /// Reads one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: CurlStream
        let origin: Origin
        private var isOver = false

        init(stream: CurlStream, origin: Origin) {
            self.stream = stream
            self.origin = origin
        }

        /// The next piece; `nil` at the end of a whole body.
        public mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        /// The next piece; `nil` at the end of a whole body.
        ///
        /// - Throws: ``TransportFailure`` when the body is cut, late or cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportFailure) -> [UInt8]? {
            guard !isOver else { return nil }
            switch await stream.next() {
            case .head: return try await next(isolation: actor)
            case .piece(let bytes): return bytes
            case .end(let failure):
                isOver = true
                guard let failure else { return nil }
                throw CurlMessage.failure(failure, to: origin, body: 0)
            }
        }
    }
}

extension CurlTransport {
    /// Sends `request` and returns as soon as the head is there; the body is read from the stream.
    public func open(_ request: HTTPRequest) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await open(request, carrying: .none)
    }

    /// The same with a credential for the request's origin.
    public func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await open(request, carrying: try lines(authorization, for: request))
    }
}
#endif
