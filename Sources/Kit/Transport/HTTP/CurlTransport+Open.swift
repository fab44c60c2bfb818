#if os(Linux)
internal import PaviseCurl

/// The pieces of a body that libcurl receives.
final class CurlPieces: BodyPieces {
    private let stream: CurlStream
    private let origin: Origin

    init(_ stream: CurlStream, from origin: Origin) {
        self.stream = stream
        self.origin = origin
    }

    func next() async throws(TransportFailure) -> [UInt8]? {
        while true {
            switch await stream.next() {
            case .head: continue
            case .piece(let bytes): return bytes
            case .end(nil): return nil
            case .end(let failure?): throw CurlMessage.failure(failure, to: origin, body: 0)
            }
        }
    }
}

extension CurlTransport: PulledBodyClient {
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
