/// A client that can be made once more with certificates of our own.
package protocol IdentifyingClient: HTTPClient {
    /// A client like this one, with connections of its own, that shows `certificates` where it is asked for one.
    func showing(_ certificates: [ClientCertificate]) throws(TransportFailure) -> any HTTPClient
}

#if os(Linux)
extension CurlTransport: IdentifyingClient {}
#else
extension URLSessionTransport: IdentifyingClient {}
#endif
