internal import PavisePrimitives

/// Answers whether a redirect to another origin may be followed, from the hop and what the target's handshake showed.
public typealias RedirectConsent = @Sendable (HopRecord, ServerInspection) async -> Bool

extension HTTPClient {
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

    /// The same with lines that belong to the first origin.
    package func follow(
        _ request: HTTPRequest, carrying lines: SecretFields, _ policy: RedirectPolicy, _ consent: RedirectConsent?
    ) async throws(TransportFailure) -> FollowedResponse {
        let end = try await walk(request, lines, policy, consent) { (request, lines) async throws(TransportFailure) in
            (try await exchange(request, carrying: lines), ())
        }
        return FollowedResponse(response: end.response, hops: end.hops)
    }

    /// The same with a body that the caller reads at its own pace. Bodies of redirects that are followed are not read.
    package func followOpening(
        _ request: HTTPRequest, carrying lines: SecretFields, _ policy: RedirectPolicy, _ consent: RedirectConsent?
    ) async throws(TransportFailure) -> WalkEnd<BodyStream> {
        try await walk(request, lines, policy, consent) { (request, lines) async throws(TransportFailure) in
            try await open(request, carrying: lines)
        }
    }

    // The one place where redirects are followed.
    private func walk<Body>(
        _ first: HTTPRequest, _ firstLines: SecretFields, _ policy: RedirectPolicy, _ consent: RedirectConsent?,
        _ send: (HTTPRequest, SecretFields) async throws(TransportFailure) -> (HTTPResponse, Body)
    ) async throws(TransportFailure) -> WalkEnd<Body> {
        var walk = RedirectWalk(policy) { [gate] in gate.decision(about: $0) }
        var patience = Patience(for: first)
        var (request, lines) = (first, firstLines)
        /// The redirect that led to another origin, and the key that was agreed to there.
        var agreed: (redirect: WalkEnd<Body>, leaf: String?)?
        while true {
            let start = time.bootMilliseconds
            let (answer, body) = try await send(patience.limiting(request), lines)
            patience.spend(from: start, to: time.bootMilliseconds)
            if let agreed, answer.connection.leafSPKI != agreed.leaf {
                walk.note(.certificateChanged(request.url.origin))
                return agreed.redirect.with(walk.hops)
            }
            agreed = nil
            let step = walk.step(after: answer, to: request)
            let end = WalkEnd(response: answer, body: body, url: upgraded(request).url, hops: walk.hops)
            switch step {
            case .finish: return end
            case .follow(let next, let carries):
                if !carries { lines = .none }
                request = next
            case .ask(let next):
                lines = .none
                let target = try await ask(about: next, &walk, &patience, consent)
                guard let target else { return end.with(walk.hops) }
                agreed = (end, target.path.first?.base64)
                request = next
                request.agreedLeaf = agreed?.leaf
            }
        }
    }

    // Shows the target and asks. `nil`: the hop must not be taken.
    private func ask(
        about next: HTTPRequest, _ walk: inout RedirectWalk, _ patience: inout Patience, _ consent: RedirectConsent?
    ) async throws(TransportFailure) -> ServerInspection? {
        let origin = next.url.origin
        guard let consent, origin.scheme == .https, let hop = walk.hops.last else {
            walk.note(.refused, target: nil)
            return nil
        }
        let limits = try patience.limiting(next).limits
        let start = time.bootMilliseconds
        let target = try await inspect(origin, limits: limits)
        patience.spend(from: start, to: time.bootMilliseconds)
        if let refusal = target.decision.refusal { throw .untrusted(refusal) }
        let isGiven = await consent(hop, target)
        walk.note(isGiven ? .given : .refused, target: target)
        return isGiven ? target : nil
    }
}

/// Where redirects have led.
package struct WalkEnd<Body> {
    /// The last answer; a redirect that was not followed is one too.
    package let response: HTTPResponse
    /// Its body.
    package let body: Body
    /// The address that gave it.
    package let url: WebURL
    /// Every redirect in its order; the last one may not have been followed.
    package let hops: [HopRecord]

    func with(_ hops: [HopRecord]) -> WalkEnd { WalkEnd(response: response, body: body, url: url, hops: hops) }
}
