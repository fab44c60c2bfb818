internal import CPaviseOpenSSL
package import PavisePrimitives

/// Puts our judge into an OpenSSL client context that somebody else (libcurl) made for one connection.
package enum TLSClientContext {
    /// Sets versions, suites, groups and schemes, and replaces OpenSSL's certificate verification by `connection`.
    ///
    /// The server is asked for a status answer and for certificate timestamps, which the judge gets with the chain.
    ///
    /// Without a verdict there is no connection: the judge runs before the client's Finished message, so no byte of a
    /// request can have left when it refuses. Up to TLS 1.2 it runs when the server's first messages are all there,
    /// because the status answer follows the certificate; from TLS 1.3 on with the certificate itself. Sessions are
    /// neither stored nor resumed, so no handshake goes without it.
    ///
    /// - Parameter context: An `SSL_CTX *` that is used for this connection only.
    /// - Returns: `false` when OpenSSL refused a setting. The caller must give up the connection.
    package static func prepare(
        _ context: UnsafeMutableRawPointer, profile: TLSClientProfile, connection: JudgedConnection
    ) -> Bool {
        let context = OpaquePointer(context)
        let settings = unsafe [
            pavise_ssl_ctx_set_min_version(context, profile.minimumVersion.rawValue) == 1,
            pavise_ssl_ctx_set_max_version(context, 0) == 1,
            SSL_CTX_set_cipher_list(context, profile.suites) == 1,
            SSL_CTX_set_ciphersuites(context, profile.modernSuites) == 1,
            pavise_ssl_ctx_set_groups(context, profile.groups) == 1,
            pavise_ssl_ctx_set_signature_algorithms(context, profile.signatures) == 1,
            SSL_CTX_add_custom_ext(
                context, timestampsNumber, timestampsPlaces, nil, nil, nil, takeTimestamps, nil) == 1,
        ]
        unsafe pavise_ssl_ctx_ask_status(context, takeStatus)
        unsafe SSL_CTX_set_cert_cb(context, giveIdentity, nil)
        // libcurl asks for the keys of the connection where SSLKEYLOGFILE is set.
        unsafe SSL_CTX_set_keylog_callback(context, nil)
        if profile.minimumVersion < .tls12 {
            unsafe pavise_ssl_ctx_allow_old_versions(context)
        } else {
            unsafe SSL_CTX_set_security_level(context, 2)
        }
        unsafe pavise_ssl_ctx_harden(context)
        _ = unsafe pavise_ssl_ctx_set_session_cache_mode(context, 0)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, judgeChain, nil)
        guard settings.allSatisfy({ $0 }), slot >= 0 else { return false }
        let owned = unsafe Unmanaged.passRetained(connection)
        guard unsafe SSL_CTX_set_ex_data(context, slot, owned.toOpaque()) == 1 else {
            unsafe owned.release()
            return false
        }
        return true
    }

    /// The judged connection behind an `SSL *` whose context was prepared here; `nil` for any other.
    package static func connection(of ssl: UnsafeMutableRawPointer) -> JudgedConnection? {
        guard let context = unsafe SSL_get_SSL_CTX(OpaquePointer(ssl)),
            let pointer = unsafe SSL_CTX_get_ex_data(context, slot)
        else { return nil }
        return unsafe Unmanaged<JudgedConnection>.fromOpaque(pointer).takeUnretainedValue()
    }

    // OpenSSL frees the slot with the context, and the context with its last connection: one retain, one release.
    private static let slot: Int32 = unsafe CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil,
        { _, pointer, _, _, _, _ in
            guard let pointer = unsafe pointer else { return }
            unsafe Unmanaged<JudgedConnection>.fromOpaque(pointer).release()
        })
}

// OpenSSL calls this when the server asks who we are. It is judged before it learns that: up to TLS 1.2 its status
// answer is here by now. Without an identity that can sign, the client says that it has none, and the server decides.
private let giveIdentity: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    guard let ssl = unsafe ssl,
        let connection = unsafe TLSClientContext.connection(of: UnsafeMutableRawPointer(ssl)),
        unsafe goesOn(connection.decideHeld(staple: unsafe status(ssl)), connection, ssl)
    else { return 0 }
    connection.noteQuestion()
    guard let identity = connection.identity, let first = identity.chain.first,
        let certificate = unsafe CertificateIssuing.parse(first)
    else { return 1 }
    defer { unsafe X509_free(certificate) }
    guard let key = unsafe ExternalSignerKey.make(for: certificate, identity) else { return 1 }
    defer { unsafe EVP_PKEY_free(key) }
    guard unsafe SSL_use_certificate(ssl, certificate) == 1, unsafe SSL_use_PrivateKey(ssl, key) == 1 else { return 0 }
    for der in identity.chain.dropFirst() {
        guard let more = unsafe CertificateIssuing.parse(der) else { continue }
        defer { unsafe X509_free(more) }
        guard unsafe pavise_ssl_add_chain_certificate(ssl, more) == 1 else { return 0 }
    }
    return 1
}

// OpenSSL calls this in place of its own verification; 1 goes on, 0 ends the handshake with a certificate alert.
private let judgeChain: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, _ in
    guard let store = unsafe store else { return 0 }
    unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
    guard
        let raw = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let connection = unsafe TLSClientContext.connection(of: raw),
        let certificates = unsafe presented(store),
        unsafe judge(connection, OpaquePointer(raw), certificates)
    else { return 0 }
    unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
    return 1
}

private func judge(_ connection: JudgedConnection, _ ssl: OpaquePointer, _ certificates: [[UInt8]]) -> Bool {
    var chain = unsafe describe(ssl, certificates)
    guard unsafe SSL_version(ssl) >= TLSClientProfile.Version.tls13.rawValue else {
        connection.hold(chain)
        return true
    }
    chain.staple = unsafe status(ssl)
    return unsafe goesOn(connection.decide(on: chain), connection, ssl)
}

// Where somebody else is asked, the handshake goes on behind a gate: nothing is written until the answer is there.
private func goesOn(_ isAccepted: Bool, _ connection: JudgedConnection, _ ssl: OpaquePointer) -> Bool {
    guard isAccepted, connection.isWaiting else { return isAccepted }
    return unsafe WriteGate.install(on: ssl, for: connection)
}

// OpenSSL calls this when the server's first messages are all there, before the client's answer, whether a status came
// or not; 0 ends the handshake.
private let takeStatus: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    guard let ssl = unsafe ssl,
        let connection = unsafe TLSClientContext.connection(of: UnsafeMutableRawPointer(ssl))
    else { return 0 }
    return unsafe goesOn(connection.decideHeld(staple: unsafe status(ssl)), connection, ssl) ? 1 : 0
}

// The answer as it came; OpenSSL bounds it by the size of a handshake message.
private func status(_ ssl: OpaquePointer) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    let count = unsafe pavise_ssl_status(ssl, &start)
    guard count > 0, let start = unsafe start else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

// signed_certificate_timestamp (RFC 6962 §3.3.1): an empty one asks, the answer stands beside the server's certificate
// from TLS 1.3 on and in the server's hello before. OpenSSL's own checks of timestamps stay off.
private let timestampsNumber: UInt32 = 18
private let timestampsPlaces =
    UInt32(SSL_EXT_CLIENT_HELLO) | UInt32(SSL_EXT_TLS1_2_SERVER_HELLO) | UInt32(SSL_EXT_TLS1_3_CERTIFICATE)

private let takeTimestamps: SSL_custom_ext_parse_cb_ex = { ssl, _, _, bytes, count, _, index, _, _ in
    guard let ssl = unsafe ssl,
        let connection = unsafe TLSClientContext.connection(of: UnsafeMutableRawPointer(ssl))
    else { return 0 }
    if index == 0, count > 0, let bytes = unsafe bytes {
        connection.note(timestamps: unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
    return 1
}

private func describe(_ ssl: OpaquePointer, _ certificates: [[UInt8]]) -> PresentedChain {
    let cipher = unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
    return unsafe PresentedChain(
        certificates: certificates,
        version: String(cString: SSL_get_version(ssl)),
        suite: cipher.map { unsafe String(cString: SSL_CIPHER_get_name($0)) } ?? "")
}

// The server's list starts with the leaf; OpenSSL bounds it to 100 KiB.
private func presented(_ store: OpaquePointer) -> [[UInt8]]? {
    guard let stack = unsafe X509_STORE_CTX_get0_untrusted(store) else { return nil }
    var chain: [[UInt8]] = []
    for index in 0..<(unsafe pavise_x509_count(stack)) {
        guard let certificate = unsafe pavise_x509_at(stack, index), let der = unsafe encoded(certificate) else {
            return nil
        }
        chain.append(der)
    }
    return chain.isEmpty ? nil : chain
}

private func encoded(_ certificate: OpaquePointer) -> [UInt8]? {
    let count = unsafe Int(i2d_X509(certificate, nil))
    guard count > 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
        var cursor = buffer.baseAddress
        written = unsafe max(0, Int(i2d_X509(certificate, &cursor)))
    }
}
