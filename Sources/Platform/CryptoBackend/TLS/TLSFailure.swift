/// A TLS connection of the lab ended.
package enum TLSFailure: Error, Hashable, Sendable {
    /// The handshake was not completed; the reason in OpenSSL's words.
    case handshake(String)
    /// The peer closed, properly or not.
    case closed
    /// The protocol broke after the handshake.
    case broken(String)
    /// Nothing arrived in time.
    case timeout
}
