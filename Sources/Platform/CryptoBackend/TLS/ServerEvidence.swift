internal import CPaviseOpenSSL

/// What a server of the lab sends along with its certificate, as it is given: nothing of it is checked here.
package final class ServerEvidence: Sendable {
    /// A status answer (RFC 6066 §8), DER; empty sends none.
    package let staple: [UInt8]
    /// A list of certificate timestamps (RFC 6962 §3.3); empty sends none.
    package let timestamps: [UInt8]

    /// Nothing, or what is given.
    package init(staple: [UInt8] = [], timestamps: [UInt8] = []) {
        self.staple = staple
        self.timestamps = timestamps
    }

    /// Makes connections of `context` send it to clients that ask. It must live as long as they do.
    func put(into context: OpaquePointer) throws(CryptoFailure) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        if !staple.isEmpty { unsafe pavise_ssl_ctx_give_status(context, giveStatus, me) }
        guard !timestamps.isEmpty else { return }
        let places =
            UInt32(SSL_EXT_CLIENT_HELLO) | UInt32(SSL_EXT_TLS1_2_SERVER_HELLO) | UInt32(SSL_EXT_TLS1_3_CERTIFICATE)
        guard
            unsafe SSL_CTX_add_custom_ext(context, 18, places, giveTimestamps, nil, me, ignoreQuestion, nil) == 1
        else { throw CryptoFailure.last("timestamps") }
    }
}

private func evidence(_ user: UnsafeMutableRawPointer?) -> ServerEvidence? {
    unsafe user.map { unsafe Unmanaged<ServerEvidence>.fromOpaque($0).takeUnretainedValue() }
}

private let giveStatus: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, user in
    guard let ssl = unsafe ssl, let staple = unsafe evidence(user)?.staple else { return SSL_TLSEXT_ERR_NOACK }
    return unsafe pavise_ssl_set_status(ssl, staple, staple.count) == 1
        ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
}

// Beside the server's own certificate only, not beside those that follow it.
private let giveTimestamps: SSL_custom_ext_add_cb_ex = { _, _, context, out, count, _, index, _, user in
    guard let evidence = unsafe evidence(user), index == 0 else { return 0 }
    // The array never changes and lives as long as the context: its storage stays where it is.
    unsafe evidence.timestamps.withUnsafeBufferPointer { bytes in
        unsafe out?.pointee = bytes.baseAddress
        unsafe count?.pointee = bytes.count
    }
    return 1
}

private let ignoreQuestion: SSL_custom_ext_parse_cb_ex = { _, _, _, _, _, _, _, _, _ in 1 }
