#if os(Linux)
public import Foundation
public import PaviseTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension HTTPClient {
    /// Sends a `URLRequest` and collects the answer, in the types that Foundation's users have.
    ///
    /// ```swift
    /// let (data, response) = try await client.data(for: URLRequest(url: url))
    /// ```
    ///
    /// An `Authorization` or `Cookie` field goes to the request's own origin only, and only with TLS.
    ///
    /// - Parameters:
    ///   - request: Method, address, fields, body and time-out are used.
    ///   - redirects: How far redirects are followed. By default nowhere.
    ///   - limit: The greatest body that is accepted, in bytes: 64 MiB unless told. What may be larger is read with
    ///   ``bytes(for:)`` or downloaded.
    /// - Throws: `URLError` with Apple's codes, `dataLengthExceedsMaximum` for a body above the limit;
    ///   `URLError.transportFailure` has the reason.
    public func data(
        for request: URLRequest, redirects: RedirectPolicy = .report, limit: Int = 64 << 20
    ) async throws -> (Data, HTTPURLResponse) {
        try await throwingURLErrors(request.url) { () throws(TransportFailure) in
            let message = try collected(request, limit)
            let outcome = try await follow(message.request, carrying: message.lines, redirects, nil)
            if let stop = outcome.stop, let refusal = RedirectingExchange.refusal(stop, outcome.hops.last) {
                throw refusal
            }
            let place = outcome.response.redirect?.from ?? outcome.hops.last?.to ?? message.request.url
            return (Data(outcome.response.body), try Self.head(outcome.response, of: loaded(place)))
        }
    }

    /// Sends a `URLRequest` and returns with the head; the body is read from the stream at the reader's pace.
    ///
    /// ```swift
    /// let (bytes, head) = try await client.bytes(for: request)
    /// for try await piece in bytes { print(head, piece) }
    /// ```
    ///
    /// Redirects are reported, not followed.
    public func bytes(for request: URLRequest) async throws -> (BodyStream, HTTPURLResponse) {
        try await throwingURLErrors(request.url) { () throws(TransportFailure) in
            let message = try OutgoingMessage(request)
            let (answer, body) = try await open(message.request, carrying: message.lines)
            return (body, try Self.head(answer, of: loaded(message.request.url)))
        }
    }

    /// Sends a `URLRequest` with the content of a file as its body, read while it is sent.
    ///
    /// - Parameters:
    ///   - request: Method, address, fields and time-out are used.
    ///   - file: The body. An address that is not a file's is refused: the path of a link names another file here.
    ///   - limit: The greatest body of the answer that is accepted, in bytes: 64 MiB unless told.
    /// - Throws: As ``data(for:redirects:limit:)``.
    public func upload(
        for request: URLRequest, fromFile file: URL, limit: Int = 64 << 20
    ) async throws -> (Data, HTTPURLResponse) {
        try await throwingURLErrors(request.url) { () throws(TransportFailure) in
            guard file.isFileURL else { throw .unusableRequest("The body to upload is no file of this machine.") }
            var message = try collected(request, limit)
            message.request.body = nil
            message.request.upload = try UploadFile(path: file.path)
            let answer = try await exchange(message.request, carrying: message.lines)
            return (Data(answer.body), try Self.head(answer, of: loaded(message.request.url)))
        }
    }

    // An answer that lies in memory as a whole has a bound: the server decides how long it is.
    private func collected(_ request: URLRequest, _ limit: Int) throws(TransportFailure) -> OutgoingMessage {
        var message = try OutgoingMessage(request)
        message.request.limits.body = limit
        return message
    }

    private static func head(_ answer: HTTPResponse, of url: WebURL) throws(TransportFailure) -> HTTPURLResponse {
        guard let response = HTTPURLResponse(answer, of: url, hidingChallenge: false) else {
            throw .malformed("Foundation cannot hold the answer's head.")
        }
        return response
    }

    private func throwingURLErrors<Result>(
        _ url: URL?, _ body: () async throws(TransportFailure) -> Result
    ) async throws -> Result {
        do throws(TransportFailure) { return try await body() } catch { throw URLError(error, loaded(url)) }
    }
}
#endif
