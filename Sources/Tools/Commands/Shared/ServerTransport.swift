package import Pavise
package import PaviseTransport

/// An HTTP client that can also show a server's certificate before anything is sent.
package protocol ServerTransport: InspectingClient {}

extension ServerTransport {
    /// Makes the handshake with `origin` and nothing more.
    package func inspect(_ origin: Origin) async throws(TransportFailure) -> ServerInspection {
        try await inspect(origin, limits: HTTPRequest.Limits())
    }
}

#if os(Linux)
extension CurlTransport: ServerTransport {}
#endif
