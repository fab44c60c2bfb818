/// How long the parts of one exchange took, each counted from its beginning.
public struct RequestMetrics: Hashable, Sendable {
    /// Until the name was resolved.
    public let nameLookup: Duration
    /// Until the connection to the server, or to the proxy, was there.
    public let connect: Duration
    /// Until the TLS handshake was done; zero without TLS and on a connection that was there already.
    public let tls: Duration
    /// Until the first byte of the answer.
    public let firstByte: Duration
    /// The whole exchange.
    public let total: Duration
    /// Whether a connection that was there already carried it.
    public let reusedConnection: Bool
    /// Bytes of the request's body.
    public let bytesSent: Int64
    /// Bytes of the answer's body as they travelled, before unpacking.
    public let bytesReceived: Int64
}
