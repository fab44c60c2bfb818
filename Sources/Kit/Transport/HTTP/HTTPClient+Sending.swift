extension HTTPClient {
    /// Sends `request` without credentials and collects the whole answer.
    ///
    /// Never follows a redirect, never uses a cache, and stores no cookie unless ``ClientOptions/cookies`` is there.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: .none)
    }

    /// Sends `request` with a credential for its own origin.
    ///
    /// - Throws: ``TransportFailure/credentialRefused(_:)`` before anything is sent, when the origin differs or is not
    ///   https.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: try lines(authorization, for: request))
    }

    /// Sends `request` and lends the body to `receive` piece by piece as it arrives; a 10 GB answer needs no 10 GB.
    ///
    /// - Parameters:
    ///   - head: Called once, before the first piece, with the answer's head; returning `false` stops the transfer
    ///     (for example at a 401, whose body nobody wants).
    ///   - receive: Called for each piece in order.
    ///   - request: What to send.
    ///   - authorization: The credential, bound to its origin.
    /// - Returns: The head again, with an empty body.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await stream(request, carrying: try lines(authorization, for: request), head: head, receive: receive)
    }

    /// The same without credentials.
    public func stream(
        _ request: HTTPRequest, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await stream(request, carrying: .none, head: head, receive: receive)
    }

    /// Sends `request` and returns as soon as the head is there; the body is read from the stream.
    public func open(_ request: HTTPRequest) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await open(request, carrying: .none)
    }

    /// The same with a credential for the request's origin.
    public func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await open(request, carrying: try lines(authorization, for: request))
    }

    /// The line of a credential for the origin of `request`.
    package func lines(
        _ authorization: borrowing Authorization, for request: HTTPRequest
    ) throws(TransportFailure) -> SecretFields {
        SecretFields(authorization: try RequestRules.credential(authorization, for: request.url.origin))
    }
}
