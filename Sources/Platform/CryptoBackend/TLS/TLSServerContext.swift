internal import CPaviseOpenSSL

/// The settings and the certificate of a TLS server, shared by its connections.
@safe
package final class TLSServerContext: Sendable {
    // Safe to share: OpenSSL counts references with atomics; nothing is set after `init`.
    nonisolated(unsafe) let handle: OpaquePointer
    private let protocols: ProtocolList
    private let evidence: ServerEvidence

    /// Prepares a server.
    ///
    /// - Parameters:
    ///   - chain: Certificates in DER, the server's own first, without the root.
    ///   - key: The key of the first certificate.
    ///   - evidence: What goes along with the certificate.
    package init(
        _ parameters: TLSParameters, chain: [[UInt8]], key: IssuingKey, evidence: ServerEvidence = ServerEvidence()
    ) throws(CryptoFailure) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw CryptoFailure.last("TLS context") }
        unsafe handle = context
        protocols = ProtocolList(parameters.wireProtocols)
        self.evidence = evidence
        unsafe try TLSContextSetup.apply(parameters, to: context)
        unsafe try Self.use(chain, key, in: context)
        if let root = parameters.clientAuthority {
            unsafe try Self.ask(for: root, parameters, in: context)
        }
        unsafe try evidence.put(into: context)
        guard !parameters.protocols.isEmpty else { return }
        // The list lives as long as the context: `self` holds both.
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseProtocol, Unmanaged.passUnretained(protocols).toOpaque())
    }

    deinit { unsafe SSL_CTX_free(handle) }

    private static func ask(
        for root: [UInt8], _ parameters: TLSParameters, in context: OpaquePointer
    ) throws(CryptoFailure) {
        guard let certificate = unsafe CertificateIssuing.parse(root) else { throw CryptoFailure.last("client root") }
        defer { unsafe X509_free(certificate) }
        guard unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate) == 1,
            unsafe SSL_CTX_add_client_CA(context, certificate) == 1
        else { throw CryptoFailure.last("client root") }
        guard !parameters.asksClientLate else { return }
        let demands = parameters.demandsClient
        unsafe SSL_CTX_set_verify(
            context, SSL_VERIFY_PEER | (demands ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nil)
    }

    private static func use(_ chain: [[UInt8]], _ key: IssuingKey, in context: OpaquePointer) throws(CryptoFailure) {
        for (index, der) in chain.enumerated() {
            guard let certificate = unsafe CertificateIssuing.parse(der) else { throw CryptoFailure.last("chain") }
            defer { unsafe X509_free(certificate) }
            let added =
                index == 0
                ? unsafe SSL_CTX_use_certificate(context, certificate)
                : Int32(unsafe pavise_ssl_ctx_add_chain_certificate(context, certificate))
            guard added == 1 else { throw CryptoFailure.last("chain") }
        }
        guard unsafe SSL_CTX_use_PrivateKey(context, key.handle) == 1 else { throw CryptoFailure.last("server key") }
    }
}

/// The server's ALPN list where the C callback can reach it.
final class ProtocolList: Sendable {
    let wire: [UInt8]
    init(_ wire: [UInt8]) { self.wire = wire }
}

// Takes the first of the server's protocols that the client offers; without one the extension is left out.
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, out, outCount, offered, offeredCount, list in
    guard let list = unsafe list, let offered = unsafe offered else { return SSL_TLSEXT_ERR_NOACK }
    let own = unsafe Unmanaged<ProtocolList>.fromOpaque(list).takeUnretainedValue()
    let status = unsafe own.wire.withUnsafeBufferPointer { wire in
        unsafe out?.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 1) { target in
            unsafe SSL_select_next_proto(target, outCount, wire.baseAddress, UInt32(wire.count), offered, offeredCount)
        }
    }
    return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
}

/// Settings that servers and clients of the lab share.
enum TLSContextSetup {
    static func apply(_ parameters: TLSParameters, to context: OpaquePointer) throws(CryptoFailure) {
        unsafe SSL_CTX_set_security_level(context, parameters.securityLevel)
        let suites = parameters.suites ?? "DEFAULT"
        guard unsafe pavise_ssl_ctx_set_min_version(context, parameters.minimum.rawValue) == 1,
            unsafe pavise_ssl_ctx_set_max_version(context, parameters.maximum.rawValue) == 1,
            unsafe SSL_CTX_set_cipher_list(context, "\(suites):@SECLEVEL=\(parameters.securityLevel)") == 1
        else { throw CryptoFailure.last("TLS settings") }
        // Without numbers of its own a server agrees on no suite over a finite field, whatever its list says.
        guard suites.split(separator: ":").contains(where: { $0.hasPrefix("DHE-") }) else { return }
        unsafe pavise_ssl_ctx_allow_finite_fields(context)
    }
}
