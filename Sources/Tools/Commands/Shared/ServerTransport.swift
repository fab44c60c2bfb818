package import PaviseTransport

/// An HTTP client that can also show a server's certificate before anything is sent.
package protocol ServerTransport: HTTPClient {
    /// Makes the handshake with `origin` and nothing more.
    func inspect(_ origin: Origin) async throws(TransportFailure) -> ServerInspection
}

#if os(Linux)
extension CurlTransport: ServerTransport {
    package func inspect(_ origin: Origin) async throws(TransportFailure) -> ServerInspection {
        try await inspect(origin, limits: HTTPRequest.Limits())
    }
}
#endif
