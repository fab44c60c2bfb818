#if os(Linux)
extension CurlTransport {
    /// Downloads into a file, and goes on where an earlier try ended.
    ///
    /// ```swift
    /// let outcome = try await client.download(HTTPRequest("GET", url), to: "report.pdf") { print($0.received) }
    /// ```
    ///
    /// The bytes go to `path` with `.partial` behind it (mode 0600), and get their name when all of them are there and
    /// on the disk. What lies there before is taken over only where an earlier download of this user wrote it: a file
    /// of hers alone, with bytes that fit the digest which that download left beside it; anything else is replaced by a
    /// new file. When the server names a strong `ETag`, an interrupted download is continued by `Range` and `If-Range`:
    /// a content that has changed meanwhile begins anew, never a file of two versions (RFC 9110 §13.1.5, §14). The
    /// memory that is used does not grow with the file. The limit of ``HTTPRequest/Limits/body`` does not count here.
    ///
    /// - Parameters:
    ///   - request: A GET. Redirects are an answer, not followed.
    ///   - path: Where the file is to be.
    ///   - progress: Called for each piece.
    /// - Throws: ``TransportFailure``; what came so far stays for the next try. ``TransportFailure/receiver(_:)`` when
    ///   the file cannot be written, or another process is writing it.
    public func download(
        _ request: HTTPRequest, to path: String, progress: @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(TransportFailure) -> DownloadOutcome {
        try await download(request, carrying: .none, to: path, progress)
    }

    /// The same with a credential for the request's origin.
    public func download(
        _ request: HTTPRequest, with authorization: borrowing Authorization, to path: String,
        progress: @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(TransportFailure) -> DownloadOutcome {
        try await download(request, carrying: try lines(authorization, for: request), to: path, progress)
    }
}
#endif
