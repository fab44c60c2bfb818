package import PaviseTransport
internal import Synchronization

/// Sends what has to do with tokens: forms to an authority's endpoints, and requests with an access token. Where the
/// tokens are bound to a key, each request carries a proof for it (RFC 9449).
package struct TokenSender: Sendable {
    private enum Proofs {
        /// Bearer tokens.
        case none
        /// Made for each request.
        case made(DPoPBinding)
        /// Made while the key was there.
        case prepared(RevocationProofs)
    }
    /// What sends.
    package let client: HTTPClient
    private let proofs: Proofs

    /// Sends through `client`, with proofs of `binding`; without one, bearer tokens.
    package init(_ client: HTTPClient, binding: DPoPBinding? = nil) {
        self.client = client
        proofs = binding.map { .made($0) } ?? .none
    }

    /// Sends through `client`, with proofs that were made before: to their own address only.
    init(_ client: HTTPClient, prepared: RevocationProofs) {
        self.client = client
        proofs = .prepared(prepared)
    }

    /// Whether tokens are bound: any other than those of the type `DPoP` are refused then (oauth D4).
    var isBound: Bool {
        guard case .none = proofs else { return true }
        return false
    }

    /// Sends `request`: a form of the token or revocation endpoint, beside which the client's own password may stand,
    /// or any request with an access token.
    package func send(
        _ request: HTTPRequest, with credential: ShownCredential? = nil
    ) async throws(TokenSendFailure) -> HTTPResponse {
        try await exchange(request, credential) { (proved, credential) async throws(TransportFailure) in
            guard let credential else { return (try await client.send(proved), ()) }
            return (try await client.send(proved, with: credential.authorization(isBound: isBound)), ())
        }.answer
    }

    /// The same with an access token, and the body read at the caller's pace.
    func open(
        _ request: HTTPRequest, with token: ShownCredential
    ) async throws(TokenSendFailure) -> (HTTPResponse, BodyStream) {
        let (answer, body) = try await exchange(request, token) { (proved, _) async throws(TransportFailure) in
            try await client.open(proved, with: token.authorization(isBound: isBound))
        }
        return (answer, body)
    }

    /// The same with the body in pieces. A refusal that one more try can mend is answered before the caller sees
    /// anything.
    func stream(
        _ request: HTTPRequest, with token: ShownCredential, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TokenSendFailure) -> HTTPResponse {
        var tries = DPoPRetries()
        while true {
            let (proved, used) = try prove(request, token)
            let before = tries
            let verdict = Verdict()
            let answer: HTTPResponse
            do throws(TransportFailure) {
                answer = try await client.stream(
                    proved, with: token.authorization(isBound: isBound),
                    head: { response in
                        let refusal = learn(from: response, to: request, used).flatMap { before.allow($0) ? $0 : nil }
                        verdict.refusal.withLock { $0 = refusal }
                        return try refusal == nil && head(response)
                    }, receive: receive)
            } catch {
                throw .transport(error)
            }
            guard let refusal = verdict.refusal.withLock({ $0 }) else { return answer }
            tries.note(refusal)
        }
    }

    // Each reason for another try counts once, but for a nonce that others took (``DPoPRetries``).
    private func exchange<Body>(
        _ request: HTTPRequest, _ credential: ShownCredential?,
        _ send: (HTTPRequest, ShownCredential?) async throws(TransportFailure) -> (answer: HTTPResponse, body: Body)
    ) async throws(TokenSendFailure) -> (answer: HTTPResponse, body: Body) {
        var tries = DPoPRetries()
        while true {
            let (proved, used) = try prove(request, credential)
            let found: (answer: HTTPResponse, body: Body)
            do throws(TransportFailure) { found = try await send(proved, credential) } catch {
                throw .transport(error)
            }
            guard let refusal = learn(from: found.answer, to: request, used), tries.allow(refusal) else {
                return found
            }
            tries.note(refusal)
        }
    }

    private func prove(
        _ request: HTTPRequest, _ credential: ShownCredential?
    ) throws(TokenSendFailure) -> (request: HTTPRequest, nonce: String?) {
        switch proofs {
        case .none: return (request, nil)
        case .made(let binding): return try binding.prove(request, digest: credential?.digest)
        case .prepared(let proofs):
            do throws(TransportFailure) { return (try proofs.prove(request, credential), nil) } catch {
                throw .transport(error)
            }
        }
    }

    // Only a proof that was made for the request is worth another one.
    private func learn(from answer: HTTPResponse, to request: HTTPRequest, _ used: String?) -> DPoPRetries.Reason? {
        guard case .made(let binding) = proofs else { return nil }
        return binding.learn(from: answer, to: request, used)
    }
}

/// What the head of a streamed answer said.
private final class Verdict: Sendable {
    let refusal = Mutex<DPoPRetries.Reason?>(nil)
}
