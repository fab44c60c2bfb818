internal import PavisePrimitives

extension HTTPClient {
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

    /// Downloads into the file at `path`, and goes on where an earlier try ended.
    ///
    /// Not on the caller's actor: files are written here, and each piece would have to wait its turn there.
    @concurrent
    package func download(
        _ request: HTTPRequest, carrying lines: SecretFields, to path: String,
        _ progress: @Sendable (DownloadProgress) -> Void
    ) async throws(TransportFailure) -> DownloadOutcome {
        var target = try DownloadTarget.open(path)
        var ticket = try target.resume(request.url)
        while true {
            let start = ticket == nil ? 0 : target.count
            let (answer, body) = try await open(request.continuing(from: start, ticket), carrying: lines)
            switch DownloadPlan(answer, from: start, ticket) {
            case .append: break
            case .restart: try target.restart(DownloadTicket(answer, url: request.url))
            case .askAgain:
                try target.restart(nil)
                ticket = nil
                continue
            case .answer: return .answer(answer)
            case .wrongRange:
                throw .malformed("The server sent another part of the file than the one that was asked for.")
            }
            let resumed = target.count
            let total = answer.wholeCount
            do throws(TransportFailure) {
                var pieces = body.makeAsyncIterator()
                while let piece = try await pieces.next(isolation: #isolation) {
                    try target.append(piece)
                    progress(DownloadProgress(received: target.count, total: total))
                }
            } catch {
                target.keep()
                throw error
            }
            guard total == nil || total == target.count else {
                target.keep()
                throw .network("The file is shorter than the server said.", sent: true)
            }
            try target.finish()
            return .file(answer, bytes: target.count, resumedFrom: resumed)
        }
    }
}

extension HTTPRequest {
    /// The same for what follows the first `start` bytes of the version that `ticket` names (RFC 9110 §14.2, §13.1.5).
    package func continuing(from start: Int, _ ticket: DownloadTicket?) -> HTTPRequest {
        guard let ticket, start > 0 else { return self }
        var request = self
        request.fields.append("Range", "bytes=\(start)-")
        request.fields.append("If-Range", ticket.tag)
        return request
    }
}

extension HTTPResponse {
    /// The size of the whole content, as far as the head says it.
    package var wholeCount: Int? {
        if status == 206 { return fields["Content-Range"].flatMap(ContentRange.init)?.total }
        guard fields["Content-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int($0) }
    }
}
