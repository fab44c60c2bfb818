public import Foundation
public import PaviseTransport

extension AppSecurity {
    /// Looks at a server whose address is a `URL`: one handshake, nothing is sent. See `review(_:)` with a text.
    public func review(_ address: URL) async throws(PaviseError) -> ReviewedServer {
        try await review(address.absoluteString)
    }
}

extension Account {
    /// Sends the content of a file, which is read while it is sent.
    ///
    /// ```swift
    /// let answer = try await account.upload(report, to: "/files/report.pdf") { sent, total in print(sent, total) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: A regular file. It is opened once: another file of this name later is not sent.
    ///   - path: The path at the account's server, percent-encoded.
    ///   - method: `PUT`, `POST` or `PATCH`.
    ///   - type: The content's type, as the server wants it.
    ///   - progress: Called with the bytes that the connection has taken and the size, on any thread; must not wait.
    /// - Returns: The answer, whatever its status.
    public func upload(
        _ file: URL, to path: String, method: String = "PUT", type: String = "application/octet-stream",
        progress: (@Sendable (_ sent: Int, _ total: Int) -> Void)? = nil
    ) async throws(PaviseError) -> HTTPResponse {
        var request = try request(method, path, accepting: "*/*")
        request.fields.append("Content-Type", type)
        request.limits.total = .seconds(86_400)
        do throws(TransportFailure) {
            request.upload = try UploadFile(path: file.path, progress: progress)
        } catch {
            throw app.log.told(error)
        }
        return try await send(request)
    }
}

extension HTTPRequest {
    /// A request to a `URL`, with a body in `Data`. The body is copied; nobody wipes it.
    ///
    /// - Throws: ``PaviseError`` for an address that Pavise does not use.
    public init(_ method: String = "GET", url: URL, body: Data? = nil) throws(PaviseError) {
        do throws(WebURL.Problem) {
            self.init(method, try WebURL(url.absoluteString), body: body.map { [UInt8]($0) })
        } catch {
            throw PaviseError(ConnectRefusal.address(error.description))
        }
    }
}

extension HTTPResponse {
    /// The whole body. It is a copy; nobody wipes it.
    public var data: Data { Data(body) }

    /// Reads the body as JSON.
    ///
    /// - Throws: ``PaviseError`` for a status other than 200 to 299, and for a body that does not fit `type`. Nothing
    ///   of the body is in the error.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(PaviseError) -> Value {
        guard (200...299).contains(status) else { throw PaviseError(AnswerUnreadable.status(status)) }
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw PaviseError(AnswerUnreadable.content)
        }
    }
}
