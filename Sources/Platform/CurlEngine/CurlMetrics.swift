internal import CPaviseCurl

/// How long the parts of one exchange took, in microseconds since it began. 0 for a part that did not happen.
package struct CurlMetrics: Hashable, Sendable {
    /// The name was resolved.
    package let nameLookup: Int64
    /// The connection to the server, or to the proxy, was there.
    package let connect: Int64
    /// The TLS handshake was done.
    package let tls: Int64
    /// The request began to leave.
    package let request: Int64
    /// The first byte of the answer arrived.
    package let firstByte: Int64
    /// The end.
    package let total: Int64
    /// Bytes of the body that were sent.
    package let sent: Int64
    /// Bytes of the body that arrived, as they travelled.
    package let received: Int64
    /// How many new connections were made for it; 0 for a pooled one.
    package let connections: Int
}

extension CurlTransfer {
    /// The times of the transfer, when its request asks for them.
    var metrics: CurlMetrics? {
        guard let exchange, exchange.request.isMeasured else { return nil }
        var connections = 0
        _ = unsafe pavise_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &connections)
        return CurlMetrics(
            nameLookup: number(CURLINFO_NAMELOOKUP_TIME_T), connect: number(CURLINFO_CONNECT_TIME_T),
            tls: number(CURLINFO_APPCONNECT_TIME_T), request: number(CURLINFO_PRETRANSFER_TIME_T),
            firstByte: number(CURLINFO_STARTTRANSFER_TIME_T), total: number(CURLINFO_TOTAL_TIME_T),
            sent: number(CURLINFO_SIZE_UPLOAD_T), received: number(CURLINFO_SIZE_DOWNLOAD_T), connections: connections)
    }

    private func number(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = unsafe pavise_curl_get_offset(easy, info, &value)
        return Int64(value)
    }
}
