#if os(Linux)
internal import PaviseCurl
internal import PavisePrimitives

extension CurlTransport {
    /// Sends `request` with the lines that belong to its origin, and collects the answer.
    package func exchange(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> HTTPResponse {
        let request = upgraded(request)
        let pool = try pool(for: request.url.origin)
        let result = await pool.collect(try message(request, lines))
        if case .success(let answer) = result { try remember(answer.head, from: request) }
        return try CurlMessage.response(result, to: request, under: pool.floor)
    }

    /// The same with a body that is lent piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    package func stream(
        _ request: HTTPRequest, carrying lines: SecretFields, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let request = upgraded(request)
        let prepared = try prepare(request, lines)
        let result: Result<CurlResponse, CurlFailure>
        do {
            result = try await prepared.pool.stream(
                prepared.message,
                head: { found in
                    try remember(found, from: request)
                    return try head(CurlMessage.response(found, body: [], to: request))
                }, receive: receive)
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw .receiver("\(type(of: error))")
        }
        return try CurlMessage.response(result, to: request, under: prepared.pool.floor)
    }

    /// The same with a body that the caller reads at its own pace.
    package func open(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        let request = upgraded(request)
        let prepared = try prepare(request, lines)
        let stream = prepared.pool.open(prepared.message)
        switch await stream.next() {
        case .head(let head):
            try remember(head, from: request)
            let answer = try CurlMessage.response(head, body: [], to: request)
            return (answer, BodyStream(pieces: CurlPieces(stream, from: request.url.origin)))
        case .end(let failure?):
            throw CurlMessage.failure(
                failure, to: request.url.origin, body: request.limits.body, under: prepared.pool.floor)
        case .piece, .end(nil): throw .malformed("The answer has no head.")
        }
    }

    /// The proxy on the way to `origin`; `nil` goes straight there.
    func proxy(to origin: Origin) throws(TransportFailure) -> String? {
        switch options.proxies.way(to: origin) {
        case .direct: return nil
        case .proxy(let address): return address
        case .unusable(let variable):
            throw .unusableRequest("The variable \(variable) names no http proxy. Write http://host:port, or unset it.")
        }
    }

    private func prepare(_ request: HTTPRequest, _ lines: SecretFields) throws(TransportFailure) -> PreparedRequest {
        let pool = try pool(for: request.url.origin)
        return PreparedRequest(message: try message(request, lines), pool: pool)
    }

    // Before any connection: what management forbids, then what App Transport Security forbids. Then what a connection
    // to this origin has to keep chooses the pool.
    private func pool(for origin: Origin) throws(TransportFailure) -> ConnectionPool {
        let (managed, tls, gate) = demands
        if let refusal = managed?.refusal(of: origin) ?? tls.refusal(of: origin) { throw refusal }
        return pool(under: try gate.admit(origin))
    }

    private func message(_ request: HTTPRequest, _ lines: SecretFields) throws(TransportFailure) -> CurlRequest {
        var message = try CurlMessage.request(request, carrying: self.lines(lines, withCookiesFor: request.url))
        message.proxy = try proxy(to: request.url.origin)
        message.acceptsCompressed = options.acceptsCompressed
        message.isMeasured = options.isMeasured
        message.inquiry = inquiry(about: request.url.origin)
        return message
    }

    private func remember(_ head: CurlHead, from request: HTTPRequest) throws(TransportFailure) {
        guard remembersHeads else { return }
        remember(
            try HTTPFields(head: head.lines), under: (head.connection?.verdict as? ServerVerdict)?.decision,
            from: request.url)
    }
}

/// A request that is ready to go, and the pool whose connections keep what was decided about it.
private struct PreparedRequest {
    let message: CurlRequest
    let pool: ConnectionPool
}
#endif
