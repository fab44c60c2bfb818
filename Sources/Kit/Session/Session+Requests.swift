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
        let answer = try await answer(to: request, first)
        if let answer, !answer.isRefusedToken { return answer }
        let second = try await token(.refused(first.stamp))
        return try Self.provable(try await self.answer(to: request, second))
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
        if let answer, !answer.isRefusedToken { return answer }
        let second = try await token(.refused(first.stamp))
        return try Self.provable(try await stream(request, second, head, receive))
    }

    /// Sends `request` with the session's access token and returns as soon as the head is there. As ``send(_:)``.
    package nonisolated func open(
        _ request: HTTPRequest
    ) async throws(SessionFailure) -> (HTTPResponse, BodyStream) {
        let first = try await token(for: request)
        let opened = try await open(request, first)
        if let opened, !opened.0.isRefusedToken { return opened }
        let second = try await token(.refused(first.stamp))
        return try Self.provable(try await open(request, second))
    }

    /// Sends the token; where the session is bound to a key, with a proof.
    nonisolated func sender(of token: AccessToken) -> TokenSender {
        TokenSender(client, binding: token.proving ?? given)
    }

    /// What `send` gives; `nil` where the key that the token is bound to is lost, so that nothing was sent.
    nonisolated func unlessKeyIsLost<Answer>(
        _ send: () async throws(TokenSendFailure) -> Answer
    ) async throws(SessionFailure) -> Answer? {
        do throws(TokenSendFailure) { return try await send() } catch {
            switch error {
            case .keyLost: return nil
            case .transport(let failure): throw .transport(failure)
            }
        }
    }

    /// The answer to a second try.
    static func provable<Answer>(_ answer: Answer?) throws(SessionFailure) -> Answer {
        guard let answer else { throw .reloginNeeded(.keyLost) }
        return answer
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

    private nonisolated func answer(
        to request: HTTPRequest, _ token: AccessToken
    ) async throws(SessionFailure) -> HTTPResponse? {
        try await unlessKeyIsLost { () async throws(TokenSendFailure) in
            try await sender(of: token).send(request, with: token.shown)
        }
    }

    private nonisolated func open(
        _ request: HTTPRequest, _ token: AccessToken
    ) async throws(SessionFailure) -> (HTTPResponse, BodyStream)? {
        try await unlessKeyIsLost { () async throws(TokenSendFailure) in
            try await sender(of: token).open(request, with: token.shown)
        }
    }

    private nonisolated func stream(
        _ request: HTTPRequest, _ token: AccessToken, _ head: @Sendable (HTTPResponse) throws -> Bool,
        _ receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse? {
        try await unlessKeyIsLost { () async throws(TokenSendFailure) in
            try await sender(of: token).stream(request, with: token.shown, head: head, receive: receive)
        }
    }
}

extension AccessToken {
    var shown: ShownCredential { shown(to: origin) }

    /// The same for another server that its authority names. Who calls this has compared the authority.
    func shown(to origin: Origin) -> ShownCredential { ShownCredential(token: secret, for: origin) }
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
