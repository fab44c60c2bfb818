internal import PavisePrimitives

/// Answers whether a redirect to another origin may be followed, from the hop and what the target's handshake showed.
public typealias RedirectConsent = @Sendable (HopRecord, ServerInspection) async -> Bool

extension Carrier {
    /// The same with lines that belong to the first origin.
    package func follow(
        _ request: HTTPRequest, carrying lines: SecretFields, _ policy: RedirectPolicy, _ consent: RedirectConsent?
    ) async throws(TransportFailure) -> FollowedResponse {
        var walk = walk(policy)
        var patience = Patience(for: request)
        var request = request
        var lines = lines
        var answer = try await exchange(request, carrying: lines, &patience)
        while true {
            switch walk.step(after: answer, to: request) {
            case .finish: return FollowedResponse(response: answer, hops: walk.hops)
            case .follow(let next, let carries):
                if !carries { lines = .none }
                request = next
                answer = try await exchange(request, carrying: lines, &patience)
            case .ask(let next):
                lines = .none
                let target = try await ask(next.url.origin, &walk, consent, patience.limiting(next).limits)
                guard let target else { return FollowedResponse(response: answer, hops: walk.hops) }
                let redirect = answer
                request = next
                answer = try await exchange(request, carrying: lines, &patience)
                guard answer.connection.leafSPKI == target.path.first?.base64 else {
                    walk.note(.certificateChanged(next.url.origin))
                    return FollowedResponse(response: redirect, hops: walk.hops)
                }
            }
        }
    }

    private func exchange(
        _ request: HTTPRequest, carrying lines: SecretFields, _ patience: inout Patience
    ) async throws(TransportFailure) -> HTTPResponse {
        let start = time.bootMilliseconds
        let answer = try await exchange(patience.limiting(request), carrying: lines)
        patience.spend(from: start, to: time.bootMilliseconds)
        return answer
    }

    /// A walk whose hops are decided by this client's App Transport Security.
    package func walk(_ policy: RedirectPolicy) -> RedirectWalk {
        RedirectWalk(policy) { [gate] in gate.decision(about: $0) }
    }

    /// Shows the target and asks.
    ///
    /// - Returns: What the target showed; `nil` when the hop must not be taken.
    package func ask(
        _ origin: Origin, _ walk: inout RedirectWalk, _ consent: RedirectConsent?, _ limits: HTTPRequest.Limits
    ) async throws(TransportFailure) -> ServerInspection? {
        guard let consent, origin.scheme == .https, let hop = walk.hops.last else {
            walk.note(.refused, target: nil)
            return nil
        }
        let target = try await inspect(origin, limits: limits)
        if let refusal = target.decision.refusal { throw .untrusted(refusal) }
        let isGiven = await consent(hop, target)
        walk.note(isGiven ? .given : .refused, target: target)
        return isGiven ? target : nil
    }
}
