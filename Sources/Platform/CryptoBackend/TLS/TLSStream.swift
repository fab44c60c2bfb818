internal import CPaviseOpenSSL
package import PavisePrimitives

/// One end of a TLS connection over a stream that blocks its thread.
///
/// OpenSSL reads and writes memory; the bytes travel through ``PavisePrimitives/TCPStream``, whose writes never raise a
/// signal and whose reads end in time. Used by one thread at a time.
@safe
package struct TLSStream: ~Copyable {
    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    // OpenSSL's callbacks reach into the Swift side of a server's context: it must live as long as the session.
    private let keeper: TLSServerContext?
    private let hear: (@Sendable ([UInt8]) -> Void)?

    private init(
        session: OpaquePointer, incoming: OpaquePointer, outgoing: OpaquePointer, keeper: TLSServerContext?,
        hear: (@Sendable ([UInt8]) -> Void)?
    ) {
        unsafe self.session = session
        unsafe self.incoming = incoming
        unsafe self.outgoing = outgoing
        self.keeper = keeper
        self.hear = hear
    }

    /// A server's end, before the handshake.
    ///
    /// - Parameter hear: Gets every byte of the peer as it comes from the wire, before it is opened.
    package static func server(
        _ context: TLSServerContext, hear: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(TLSFailure) -> TLSStream {
        let stream = unsafe try open(context.handle, keeper: context, hear: hear)
        unsafe SSL_set_accept_state(stream.session)
        return stream
    }

    static func open(
        _ context: OpaquePointer, keeper: TLSServerContext? = nil, hear: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(TLSFailure) -> TLSStream {
        guard let session = unsafe SSL_new(context) else { throw .handshake("out of memory") }
        guard let incoming = unsafe BIO_new(BIO_s_mem()), let outgoing = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(session)
            throw .handshake("out of memory")
        }
        unsafe SSL_set_bio(session, incoming, outgoing)
        return unsafe TLSStream(session: session, incoming: incoming, outgoing: outgoing, keeper: keeper, hear: hear)
    }

    /// Makes this the client's end, which asks for `serverName` where there is one.
    borrowing func becomeClient(serverName: String?) {
        unsafe SSL_set_connect_state(session)
        guard let serverName else { return }
        _ = unsafe pavise_ssl_set_server_name(session, serverName)
    }

    /// Does the handshake; each wait for the peer lasts at most `milliseconds`, and all of them together at most
    /// `total`.
    package borrowing func handshake(
        over socket: borrowing TCPStream, within milliseconds: Int32, inAll total: Duration = .seconds(3_600)
    ) throws(TLSFailure) {
        let end = ContinuousClock.now + total
        while true {
            guard ContinuousClock.now < end else { throw .timeout }
            ERR_clear_error()
            let status = unsafe SSL_do_handshake(session)
            let next = unsafe SSL_get_error(session, status)
            let reason = status == 1 ? "" : Self.lastReason()
            try flush(to: socket)
            guard status != 1 else { return }
            guard next == SSL_ERROR_WANT_READ else { throw .handshake(reason) }
            do throws(TLSFailure) {
                try feed(from: socket, within: milliseconds)
            } catch .closed {
                throw .handshake("the peer closed")
            }
        }
    }

    /// The next bytes of the peer, at most `limit` of them, waiting at most `milliseconds`.
    ///
    /// - Throws: ``TLSFailure/closed`` at the end of the stream.
    package borrowing func read(
        upTo limit: Int, from socket: borrowing TCPStream, within milliseconds: Int32
    ) throws(TLSFailure) -> [UInt8] {
        while true {
            ERR_clear_error()
            var count: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, written in
                count = unsafe SSL_read(session, buffer.baseAddress, Int32(clamping: limit))
                written = Int(max(0, count))
            }
            guard count <= 0 else { return bytes }
            try flush(to: socket)
            switch unsafe SSL_get_error(session, count) {
            case SSL_ERROR_WANT_READ: try feed(from: socket, within: milliseconds)
            case SSL_ERROR_ZERO_RETURN: throw .closed
            default: throw .broken(Self.lastReason())
            }
        }
    }

    /// Sends all of `bytes`.
    package borrowing func write(_ bytes: [UInt8], to socket: borrowing TCPStream) throws(TLSFailure) {
        guard !bytes.isEmpty else { return }
        ERR_clear_error()
        let count = unsafe SSL_write(session, bytes, Int32(clamping: bytes.count))
        guard count == bytes.count else { throw .broken(Self.lastReason()) }
        try flush(to: socket)
    }

    /// Asks a client of TLS 1.2 or below for another handshake in the same connection (RFC 5246 §7.4.1.1), for servers
    /// that are bad on purpose.
    package borrowing func askForHandshake(over socket: borrowing TCPStream) throws(TLSFailure) {
        ERR_clear_error()
        guard unsafe SSL_renegotiate(session) == 1, unsafe SSL_do_handshake(session) == 1 else {
            throw .broken(Self.lastReason())
        }
        try flush(to: socket)
    }

    /// Asks a client of TLS 1.3 for its certificate in the middle of the connection (RFC 8446 §4.6.2); the answer comes
    /// with the next ``read(upTo:from:within:)``.
    ///
    /// - Throws: ``TLSFailure/broken(_:)`` where the client did not offer to answer so late.
    package borrowing func askForCertificate(over socket: borrowing TCPStream) throws(TLSFailure) {
        ERR_clear_error()
        unsafe SSL_set_verify(session, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        guard unsafe SSL_verify_client_post_handshake(session) == 1, unsafe SSL_do_handshake(session) == 1 else {
            throw .broken(Self.lastReason())
        }
        try flush(to: socket)
    }

    /// Says goodbye (`close_notify`), so that the peer knows the end from a cut.
    package borrowing func close(over socket: borrowing TCPStream) {
        _ = unsafe SSL_shutdown(session)
        try? flush(to: socket)
    }

    /// The agreed version, for example `TLSv1.3`.
    package var version: String { unsafe String(cString: SSL_get_version(session)) }

    /// The agreed suite in OpenSSL's words.
    package var suite: String {
        guard let cipher = unsafe SSL_get_current_cipher(session), let name = unsafe SSL_CIPHER_get_name(cipher) else {
            return ""
        }
        return unsafe String(cString: name)
    }

    /// The name the client asked for (server name indication), if any.
    package var serverName: String? {
        guard let name = unsafe pavise_ssl_server_name(session) else { return nil }
        return unsafe String(cString: name)
    }

    /// Whether the handshake resumed an earlier session, without a certificate.
    package var isResumed: Bool { unsafe SSL_session_reused(session) == 1 }

    /// The chain the peer sent, DER, its own certificate first.
    package var peerChain: [[UInt8]] {
        guard let stack = unsafe SSL_get_peer_cert_chain(session) else { return [] }
        return unsafe (0..<pavise_x509_count(stack)).map { index in
            unsafe DER.bytes { unsafe i2d_X509(pavise_x509_at(stack, index), $0) }
        }
    }

    /// The peer's own certificate, DER; empty when it showed none.
    package var peerCertificate: [UInt8] {
        guard let certificate = unsafe SSL_get1_peer_certificate(session) else { return [] }
        defer { unsafe X509_free(certificate) }
        return unsafe DER.bytes { unsafe i2d_X509(certificate, $0) }
    }

    deinit { unsafe SSL_free(session) }

    private borrowing func flush(to socket: borrowing TCPStream) throws(TLSFailure) {
        let waiting = unsafe BIO_ctrl_pending(outgoing)
        guard waiting > 0 else { return }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
            count = Int(max(0, unsafe BIO_read(outgoing, buffer.baseAddress, Int32(clamping: waiting))))
        }
        do throws(SystemFailure) { try socket.write(bytes.span) } catch { throw .closed }
    }

    private borrowing func feed(from socket: borrowing TCPStream, within milliseconds: Int32) throws(TLSFailure) {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try socket.read(upTo: 32_768, within: milliseconds)
        } catch {
            throw error.isTimeout ? .timeout : .closed
        }
        guard !bytes.isEmpty else { throw .closed }
        hear?(bytes)
        guard unsafe BIO_write(incoming, bytes, Int32(bytes.count)) == bytes.count else {
            throw .broken("out of memory")
        }
    }

    private static func lastReason() -> String {
        guard case .library(_, let reason) = CryptoFailure.last("TLS") else { return "unknown" }
        return reason
    }
}
