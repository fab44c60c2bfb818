internal import CPaviseCurl
internal import PavisePrimitives

/// What the last exchange of a handle asked for. The same is not said twice.
struct AppliedOptions {
    let url: String
    let offersHTTP2: Bool
    let isHandshakeOnly: Bool
    let isPlainGet: Bool
    let hasBody: Bool
    let isIdempotent: Bool
}

extension CurlTransfer {
    /// The options that never change. What stands here is the list of things libcurl would do by itself and must not:
    /// follow, remember, log in, look for a proxy, speak other protocols.
    func configure(_ message: UnsafeMutablePointer<CChar>) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA,
            CURLOPT_SSL_CTX_DATA, CURLOPT_PRIVATE,
        ] {
            _ = unsafe pavise_curl_set_pointer(easy, option, me)
        }
        _ = unsafe pavise_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        _ = unsafe pavise_curl_set_data_function(easy, CURLOPT_WRITEFUNCTION, receiveBody)
        _ = unsafe pavise_curl_set_data_function(easy, CURLOPT_HEADERFUNCTION, receiveLine)
        _ = unsafe pavise_curl_set_data_function(easy, CURLOPT_READFUNCTION, sendBody)
        _ = unsafe pavise_curl_set_seek_function(easy, rewindBody)
        _ = unsafe pavise_curl_set_prereq_function(easy, beforeRequest)
        _ = unsafe pavise_curl_set_ssl_function(easy, newContext)
        for (option, text) in [
            (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_REDIR_PROTOCOLS_STR, ""), (CURLOPT_PROXY, ""),
            (CURLOPT_NOPROXY, "*"),
        ] { _ = unsafe pavise_curl_set_text(easy, option, text) }
        // Our judge decides about the chain and the name. Peer verification stays on without any anchor, so that a
        // connection whose judge were missing would be refused; libcurl's own name check would refuse approved servers.
        _ = unsafe pavise_curl_set_text(easy, CURLOPT_CAINFO, nil)
        _ = unsafe pavise_curl_set_text(easy, CURLOPT_CAPATH, nil)
        for (option, value) in [
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 0), (CURLOPT_SSL_SESSIONID_CACHE, 0),
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_PIPEWAIT, 1), (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_NETRC, 0), (CURLOPT_MAXLIFETIME_CONN, 600),
            // One record of TLS: more is never read at once, and each transfer has such a buffer.
            (CURLOPT_BUFFERSIZE, 16 << 10), (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        ] { _ = unsafe pavise_curl_set_long(easy, option, value) }
        // CURLOPT_QUICK_EXIT, which libcurl has from 7.87 on: a transfer that is cancelled while its name is looked up
        // leaves that thread to itself, which ends and cleans up when the system answers. Without it the loop, and
        // every other transfer, would wait for the answer.
        _ = unsafe pavise_curl_set_long(easy, CURLoption(rawValue: 322), 1)
    }

    /// The options of one exchange.
    func apply(_ request: CurlRequest, offersHTTP2: Bool) {
        let way = AppliedOptions(
            url: request.url, offersHTTP2: offersHTTP2, isHandshakeOnly: request.handshakeOnly,
            isPlainGet: request.method == "GET" && request.bodyCount == nil,
            hasBody: request.bodyCount != nil, isIdempotent: request.isIdempotent)
        if way.url != applied?.url { _ = unsafe pavise_curl_set_text(easy, CURLOPT_URL, request.url) }
        if way.offersHTTP2 != applied?.offersHTTP2 {
            _ = unsafe pavise_curl_set_long(
                easy, CURLOPT_HTTP_VERSION, offersHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        }
        if way.isHandshakeOnly != applied?.isHandshakeOnly {
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_FRESH_CONNECT, request.handshakeOnly ? 1 : 0)
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_FORBID_REUSE, request.handshakeOnly ? 1 : 0)
        }
        // The head goes through this buffer too, made and given back for each exchange: with 64 KiB the C library's
        // heap would shrink and grow every time.
        if way.hasBody != applied?.hasBody {
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, way.hasBody ? 64 << 10 : 16 << 10)
        }
        // Seconds for which a kept connection may have rested. libcurl does not notice that the server has ended one
        // with TLS's own goodbye, and what cannot be sent again is lost there: the usual servers wait 5 s or longer.
        if way.isIdempotent != applied?.isIdempotent {
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_MAXAGE_CONN, way.isIdempotent ? 90 : 3)
        }
        if !way.isPlainGet || applied?.isPlainGet != true { applyMethod(request) }
        applied = way
        applyLines(request)
        applyWay(request)
    }

    // Handles are used again: what one exchange asked for must not stay for the next.
    private func applyWay(_ request: CurlRequest) {
        if request.proxy != nil || usesProxy {
            _ = unsafe pavise_curl_set_text(easy, CURLOPT_PROXY, request.proxy ?? "")
            _ = unsafe pavise_curl_set_text(easy, CURLOPT_NOPROXY, request.proxy == nil ? "*" : "")
            usesProxy = request.proxy != nil
        }
        if request.acceptsCompressed != isUnpacking {
            _ = unsafe pavise_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, request.acceptsCompressed ? "" : nil)
            isUnpacking = request.acceptsCompressed
        }
    }

    private func applyMethod(_ request: CurlRequest) {
        let bodyIsUsual = request.method == "POST" || request.method == "PUT" || request.method == "PATCH"
        let standard: String
        if request.bodyCount != nil || bodyIsUsual {
            standard = "POST"
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_POST, 1)
            _ = unsafe pavise_curl_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
            _ = unsafe pavise_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, request.bodyCount ?? 0)
        } else {
            _ = unsafe pavise_curl_set_long(easy, CURLOPT_HTTPGET, 1)
            standard = request.method == "HEAD" ? "HEAD" : "GET"
            if standard == "HEAD" { _ = unsafe pavise_curl_set_long(easy, CURLOPT_NOBODY, 1) }
        }
        _ = unsafe pavise_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method == standard ? nil : request.method)
    }

    private func applyLines(_ request: CurlRequest) {
        let bytes =
            request.lines.reduce(128) { $0 + $1.utf8.count } + (request.credential?.count ?? 0)
            + (request.cookie?.count ?? 0)
        arena.reserve(bytes: bytes, lines: request.lines.count + 4)
        for line in request.lines { arena.append(line) }
        request.credential?.withBytes { arena.append($0) }
        request.cookie?.withBytes { arena.append($0) }
        if request.bodyCount != nil {
            arena.append("Expect:")
            let names = request.lines.map { $0.prefix { $0 != ":" && $0 != ";" }.lowercased() }
            if !names.contains("content-type") { arena.append("Content-Type:") }
        }
        _ = unsafe pavise_curl_set_list(easy, CURLOPT_HTTPHEADER, arena.list)
    }
}
