internal import CPaviseCurl
internal import PavisePrimitives

extension CurlTransfer {
    /// What the transfer came to, from libcurl's code and from what the callbacks saw.
    func result(of code: CURLcode) -> Result<CurlResponse, CurlFailure> {
        guard code == CURLE_OK else { return .failure(failure(reason(of: code))) }
        guard isHeadDone else { return .failure(failure(.notHTTP)) }
        guard isAnswerSecret else {
            return .success(CurlResponse(head: finishedHead(), body: body, metrics: metrics))
        }
        let secret = SharedSecretBytes(SecretBytes(copying: body.span))
        return .success(CurlResponse(head: finishedHead(), body: [], secretBody: secret, metrics: metrics))
    }

    func failure(_ reason: CurlFailure.Reason) -> CurlFailure {
        CurlFailure(reason: reason, detail: detail, sent: sent, connection: connection)
    }

    private func reason(of code: CURLcode) -> CurlFailure.Reason {
        if let stop { return stop }
        if let verdict = connection?.verdict, !verdict.isAccepted { return .refused }
        switch code {
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            return .tls(reason: opensslReason)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .nameNotFound
        case CURLE_COULDNT_CONNECT: return .notConnected
        case CURLE_OPERATION_TIMEDOUT: return .timeout
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: return .connectionLost
        case CURLE_RECV_ERROR: return isHeadDone ? .truncated : .connectionLost
        case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: return .truncated
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return .notHTTP
        default: return .other(code: Int(code.rawValue))
        }
    }

    // libcurl quotes OpenSSL's error as "error:0A00042E:SSL routines::…"; the low 23 bits are the reason.
    private var opensslReason: Int {
        guard let mark = detail.firstRange(of: "error:") else { return 0 }
        let digits = detail[mark.upperBound...].prefix { $0.isHexDigit }
        return Int(digits, radix: 16).map { $0 & 0x7F_FFFF } ?? 0
    }
}
