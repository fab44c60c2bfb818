#if os(Linux)
extension CurlTransport {
    /// Answers whether a redirect to another origin may be followed.
    public typealias RedirectConsent = PaviseTransport.RedirectConsent

    /// Sends `request` and follows redirects as `policy` says. Every hop is decided anew by App Transport Security,
    /// trust and pins. The request's total time holds for all hops together.
    ///
    /// ```swift
    /// let outcome = try await client.send(request, following: .withConsent) { hop, target in
    ///     await askThePerson(hop.to, target.summary)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: What to send first.
    ///   - policy: How far to go.
    ///   - consent: Asked before the first byte goes to another origin, with a handshake that was made for the question
    ///     alone. The answer's key must be the one that was shown. Without a closure the answer is no.
    /// - Returns: The last answer, which may be a redirect that was not followed, and every hop.
    public func send(
        _ request: HTTPRequest, following policy: RedirectPolicy, consent: RedirectConsent? = nil
    ) async throws(TransportFailure) -> FollowedResponse {
        try await follow(request, carrying: .none, policy, consent)
    }

    /// The same with a credential for the first origin. It goes along within that origin only, and never again once a
    /// redirect has left it (connections C23).
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization, following policy: RedirectPolicy,
        consent: RedirectConsent? = nil
    ) async throws(TransportFailure) -> FollowedResponse {
        try await follow(request, carrying: try lines(authorization, for: request), policy, consent)
    }
}
#endif
