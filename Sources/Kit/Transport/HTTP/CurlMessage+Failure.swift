#if os(Linux)
internal import PaviseCurl
internal import PavisePrimitives

extension CurlMessage {
    /// The failure in the words of a person who has to do something about it.
    ///
    /// - Parameters:
    ///   - floor: The lowest version that was offered.
    ///   - proxy: What the request went through.
    static func failure(
        _ failure: CurlFailure, to origin: Origin, body limit: Int, under floor: TLSClientProfile.Version = .tls12,
        through proxy: String? = nil
    ) -> TransportFailure {
        if let proxy = proxy.flatMap({ ProxyEndpoint($0) }), failure.endsAtProxy {
            return .network(TransportFailure.unreached(through: proxy, origin), sent: false)
        }
        return switch failure.reason {
        case .unusableRequest: .unusableRequest("The method or a field holds a forbidden character.")
        case .cancelled: .cancelled(sent: failure.sent)
        case .timeout: .timeout(sent: failure.sent)
        case .bodyTooLarge: .bodyTooLarge(limit: limit)
        case .headTooLarge: .malformed("The head of the answer is larger than 64 KiB.")
        case .bodyUnreadable: .unusableRequest("The file to send became shorter or unreadable.")
        case .refused: refusal(failure, origin)
        case .tls(let reason):
            .tls(
                failure.lacksIdentity ? noIdentity : words(tls: reason, detail: failure.detail, under: floor),
                code: ATSFailureCode(tls: reason))
        case .nameNotFound: .unknownName(origin.host)
        case .notConnected:
            .network(
                "Nobody answers at \(origin.host) port \(origin.port). Check the port, the server and the network.",
                sent: false)
        case .connectionLost where failure.lacksIdentity: .network(noIdentity, sent: failure.sent)
        case .connectionLost: .network("The connection was lost before the answer came.", sent: failure.sent)
        case .truncated: .network("The connection was lost in the middle of the answer.", sent: failure.sent)
        case .notHTTP: .malformed("The answer is no HTTP.")
        case .handshakeDone: .malformed("Only the handshake was asked for.")
        case .other(let code): .network("libcurl stopped with code \(code): \(failure.detail)", sent: failure.sent)
        }
    }

    // From TLS 1.3 on the server says so only after the client's first bytes.
    private static let noIdentity = "The server demands a client certificate."

    private static func refusal(_ failure: CurlFailure, _ origin: Origin) -> TransportFailure {
        let verdict = failure.connection?.verdict as? ServerVerdict
        return verdict?.failure(at: origin) ?? .tls("The connection has no verdict; nothing was sent.")
    }

    // OpenSSL's reason numbers (openssl/sslerr.h); those above 1000 are alerts of the server.
    private static func words(
        tls reason: Int, detail: String, under floor: TLSClientProfile.Version
    ) -> String {
        switch reason {
        case 1070, 258, 266, 191: "The server offers no \(floor.name) or later."
        case 1040, 193:
            """
            The server and App Transport Security have no cipher suite in common; it may offer RSA key exchange only, \
            without forward secrecy.
            """
        case 267, 156, 1047: "The server does not speak TLS on this port."
        case 394, 397, 399: "The server's key for the exchange is too short."
        case 370, 118: "The server signs the handshake with a scheme weaker than SHA-256."
        case 1116, 1042: noIdentity
        case 1112: "The server does not know this host name."
        case 294: "The server ended the connection in the middle of the handshake."
        default: "The handshake failed: \(TLSReason.plain(detail))"
        }
    }
}

extension ATSFailureCode {
    // Facts on ATS, section 6. What the client itself finds too old or too weak has ATS's number, what the server says
    // in an alert (above 1000) has that of the peer.
    init(tls reason: Int) {
        self =
            switch reason {
            case 1070: .peerProtocolVersion
            case 258, 266, 191: .minimumVersion
            case 1040: .peerHandshakeFailure
            case 193, 261: .cipherSuite
            case 370, 118, 394, 397, 399, 294: .handshakeFailed
            case 1001...1255: .fatalAlert
            default: .secureConnectionFailed
            }
    }
}

extension CurlFailure {
    fileprivate var lacksIdentity: Bool { connection?.lacksIdentity == true }

    /// Whether it is the proxy, where there is one, that is not known, does not answer or lets nobody through: no TLS
    /// was begun behind it, and nothing was sent.
    fileprivate var endsAtProxy: Bool {
        !sent && connection == nil && [.nameNotFound, .notConnected, .connectionLost].contains(reason)
    }
}

extension TLSClientProfile.Version {
    fileprivate var name: String {
        switch self {
        case .tls10: "TLS 1.0"
        case .tls11: "TLS 1.1"
        case .tls12: "TLS 1.2"
        case .tls13: "TLS 1.3"
        }
    }
}
#endif
