internal import CPaviseOpenSSL
package import PavisePrimitives

/// A handshake that finds out what a server speaks. It judges nothing and sends nothing after it: never for a person's
/// data.
///
/// It offers what no other client of ours does (TLS 1.0, weak keys and hashes at security level 0), because a server
/// that needs them would otherwise look as if it were down.
@safe
package final class DiagnosticHandshake: Sendable {
    /// What is offered.
    package struct Offer: Hashable, Sendable {
        /// Suites up to TLS 1.2, in OpenSSL's words.
        package let suites: String
        /// Suites of TLS 1.3.
        package let modernSuites: String

        package init(suites: String, modernSuites: String) {
            self.suites = suites
            self.modernSuites = modernSuites
        }

        /// Every suite that authenticates and encrypts.
        package static let everything = Offer(
            suites: "ALL:COMPLEMENTOFALL:!aNULL:!eNULL:!PSK:!SRP",
            modernSuites:
                "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256"
        )
    }

    /// What a completed handshake shows.
    package struct Shown: Hashable, Sendable {
        /// For example `TLSv1.2`.
        package let version: String
        /// The suite in OpenSSL's words.
        package let suite: String
        /// The chain as it was sent, DER, the server's own certificate first.
        package let chain: [[UInt8]]
    }

    // Safe to share: OpenSSL counts references with atomics; nothing is set after `init`.
    private nonisolated(unsafe) let handle: OpaquePointer

    /// Prepares a client that offers `offer` in every version from TLS 1.0 on.
    package init(_ offer: Offer) throws(CryptoFailure) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw CryptoFailure.last("TLS context") }
        unsafe handle = context
        unsafe SSL_CTX_set_security_level(context, 0)
        let settings = unsafe [
            pavise_ssl_ctx_set_min_version(context, TLSParameters.Version.tls10.rawValue) == 1,
            SSL_CTX_set_cipher_list(context, offer.suites + ":@SECLEVEL=0") == 1,
            SSL_CTX_set_ciphersuites(context, offer.modernSuites) == 1,
            pavise_ssl_ctx_set_groups(context, "X25519:P-256:P-384:P-521") == 1,
        ]
        guard settings.allSatisfy({ $0 }) else { throw CryptoFailure.last("TLS settings") }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        unsafe pavise_ssl_ctx_allow_old_servers(context)
    }

    deinit { unsafe SSL_CTX_free(handle) }

    /// Does the handshake over `socket`, in at most `milliseconds` for the whole.
    ///
    /// - Parameter serverName: The name to ask for; `nil` for an address, which has none (RFC 6066 §3).
    package func perform(
        over socket: borrowing TCPStream, serverName: String?, within milliseconds: Int32
    ) throws(TLSFailure) -> Shown {
        let stream = unsafe try TLSStream.open(handle)
        stream.becomeClient(serverName: serverName)
        try stream.handshake(over: socket, within: milliseconds, inAll: .milliseconds(Int64(milliseconds)))
        return Shown(version: stream.version, suite: stream.suite, chain: stream.peerChain)
    }
}
