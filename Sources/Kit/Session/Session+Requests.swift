internal import PavisePrimitives
public import PaviseTransport
internal import PaviseVault

extension Session {
    /// Sends `request` with the session's access token and collects the answer.
    ///
    /// At a 401 the token is refreshed (once for all callers) and the request sent once more. A 403, and a 401 that
    /// asks for another scope, are answers like any other (RFC 6750 §3.1).
    ///
    /// - Throws: ``SessionFailure/foreignOrigin(_:)`` before anything is sent, when the address is not of the session's
    ///   origin.
    public nonisolated func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        let first = try await token(for: request)
        let answer = try await send(request, first)
        guard answer.isRefusedToken else { return answer }
        let second = try await token(.refused(first.stamp))
        return try await send(request, second)
    }

    /// Sends `request` with the session's access token and lends the body piece by piece.
    ///
    /// As ``send(_:)``; `head` and `receive` see the final answer only, never that of a refused token.
    public nonisolated func stream(
        _ request: HTTPRequest, head: @escaping @Sendable (HTTPResponse) throws -> Bool,
        receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse {
        let first = try await token(for: request)
        let answer = try await stream(request, first, { try !$0.isRefusedToken && head($0) }, receive)
        guard answer.isRefusedToken else { return answer }
        let second = try await token(.refused(first.stamp))
        return try await stream(request, second, head, receive)
    }

    /// Sends `request` with the session's access token and returns as soon as the head is there. As ``send(_:)``.
    package nonisolated func open(
        _ request: HTTPRequest
    ) async throws(SessionFailure) -> (HTTPResponse, BodyStream) {
        let first = try await token(for: request)
        let (answer, body) = try await open(request, first)
        guard answer.isRefusedToken else { return (answer, body) }
        let second = try await token(.refused(first.stamp))
        return try await open(request, second)
    }

    private nonisolated func open(
        _ request: HTTPRequest, _ token: AccessToken
    ) async throws(SessionFailure) -> (HTTPResponse, BodyStream) {
        do throws(TransportFailure) {
            return try await (token.proving ?? client).opened(request, with: token.authorization)
        } catch {
            throw .transport(error)
        }
    }

    // Who comes right after somebody else does not wait for the actor.
    private nonisolated func token(for request: HTTPRequest) async throws(SessionFailure) -> AccessToken {
        guard environment.gate?.isOpen ?? true, let token = lent.token(at: ClockReading(environment.time)),
            token.origin == request.url.origin,
            token.origin.scheme == .https
        else {
            return try await decidedToken(for: request)
        }
        return token
    }

    private func decidedToken(for request: HTTPRequest) async throws(SessionFailure) -> AccessToken {
        try load()
        guard let record else { throw .signedOut }
        guard request.url.origin == record.resource, record.resource.scheme == .https else {
            throw .foreignOrigin(request.url.origin)
        }
        return try await token(.token)
    }

    private nonisolated func send(_ request: HTTPRequest, _ token: AccessToken) async throws(SessionFailure)
        -> HTTPResponse
    {
        do {
            return try await (token.proving ?? client).send(request, with: token.authorization)
        } catch {
            throw .transport(error)
        }
    }

    private nonisolated func stream(
        _ request: HTTPRequest, _ token: AccessToken, _ head: @Sendable (HTTPResponse) throws -> Bool,
        _ receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse {
        do {
            let sender = token.proving ?? client
            return try await sender.stream(request, with: token.authorization, head: head, receive: receive)
        } catch {
            throw .transport(error)
        }
    }
}

extension AccessToken {
    var authorization: Authorization { authorization(for: origin) }

    /// The same for another server that its authority names. Who calls this has compared the authority.
    func authorization(for origin: Origin) -> Authorization {
        Authorization(scheme: isBound ? "DPoP" : "Bearer", credential: secret.duplicate(), origin: origin)
    }
}

extension HTTPResponse {
    /// Whether the server refuses the access token itself, so that a new one may help (oauth R4). A nonce that it
    /// misses in a proof says nothing about the token (RFC 9449 §9), and no fresh token shows a person again (RFC 9470
    /// §3).
    var isRefusedToken: Bool {
        guard status == 401 else { return false }
        guard ProofRefusal(self) != .nonce else { return false }
        guard StepUpDemand(self) == nil else { return false }
        return !fields.all("WWW-Authenticate").contains { $0.contains("insufficient_scope") }
    }
}
