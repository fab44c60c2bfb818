internal import CPaviseOpenSSL
package import PavisePrimitives

/// A TLS client for the lab's own tests. It judges nothing: it shows what a server sent. Never for a person's data.
@safe
package final class UnverifiedTLSClient: Sendable {
    // Safe to share: OpenSSL counts references with atomics; nothing is set after `init`.
    private nonisolated(unsafe) let handle: OpaquePointer

    /// Prepares a client that accepts every certificate.
    package init(unverified parameters: TLSParameters) throws(CryptoFailure) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw CryptoFailure.last("TLS context") }
        unsafe handle = context
        unsafe try TLSContextSetup.apply(parameters, to: context)
        let list = parameters.wireProtocols
        unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
    }

    /// Does the handshake over `socket`.
    package func connect(
        over socket: borrowing TCPStream, serverName: String, within milliseconds: Int32
    ) throws(TLSFailure) -> TLSStream {
        let stream = unsafe try TLSStream.open(handle)
        stream.becomeClient(serverName: serverName)
        try stream.handshake(over: socket, within: milliseconds)
        return stream
    }

    deinit { unsafe SSL_CTX_free(handle) }
}
