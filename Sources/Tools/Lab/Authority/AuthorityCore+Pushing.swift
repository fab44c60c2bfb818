internal import PavisePrimitives

/// A request that was pushed, for the one client that did so.
struct PushedParameters: Sendable {
    /// Seconds from the push to its end (RFC 9126 §2.2).
    static let lifetime: Int64 = 60

    let parameters: [LabRequest.Field]
    let client: String
    let expires: Int64
}

extension AuthorityCore {
    /// The endpoint for pushed requests (RFC 9126 §2): checks one and gives it a name that holds once.
    func push(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard let client = client(of: request) else { return .json(AuthorityFault.text("invalid_client"), status: 401) }
        if let refused = withoutAttestation(request, of: client) { return refused }
        var parameters = request.formParameters
        do throws(ProofCheck.Refusal) { try takeKey(of: request, into: &parameters) } catch {
            state.change { $0.ledger.counters.refusedProofs += 1 }
            return .json(AuthorityFault.text(error.rawValue), status: 400)
        }
        // RFC 9126 §2.1: a pushed request does not refer to another one.
        guard request.form("request_uri") == nil else {
            return .json(AuthorityFault.text("invalid_request"), status: 400)
        }
        do {
            _ = try AuthorizationQuestion(parameters, state.value.configuration(of: client))
        } catch {
            return .json(AuthorityFault.text("invalid_request", error.reason), status: 400)
        }
        let kept = parameters
        let name = TokenText.fresh("urn:ietf:params:oauth:request_uri:lab", state.value.configuration.canary)
        let (now, lifetime) = (clock.wallSeconds, PushedParameters.lifetime)
        state.change {
            $0.pushed = $0.pushed.filter { $0.value.expires > now }
            $0.pushed[name] = PushedParameters(parameters: kept, client: client, expires: now + lifetime)
            $0.ledger.counters.pushedRequests += 1
        }
        return .json("{\"request_uri\":\"\(name)\",\"expires_in\":\(lifetime)}", status: 201)
    }

    // RFC 9449 §10.1: a proof beside a pushed request names the key that its code is for, as `dpop_jkt` does.
    private func takeKey(
        of request: LabRequest, into parameters: inout [LabRequest.Field]
    ) throws(ProofCheck.Refusal) {
        guard request.field("DPoP") != nil,
            let key = try proof(request, at: state.value.address(.par), demandsNonce: false)
        else { return }
        let named = parameters.filter { $0.name == "dpop_jkt" }.map(\.value)
        guard named.allSatisfy({ $0 == key }) else { throw .invalid }
        if named.isEmpty { parameters.append(.init("dpop_jkt", key)) }
    }

    /// The parameters that a browser brings, or those that they name; `isFinal` uses the name up.
    func question(_ brought: [LabRequest.Field], isFinal: Bool) throws(AuthorizationQuestion.Refusal)
        -> AuthorizationQuestion
    {
        let configuration = state.value.configuration
        guard let name = brought.first(where: { $0.name == "request_uri" })?.value else {
            guard !configuration.demandsPushedRequests else {
                throw AuthorizationQuestion.Refusal(reason: "only pushed requests are taken")
            }
            return try registered(brought)
        }
        let client = brought.first { $0.name == "client_id" }?.value
        let now = clock.wallSeconds
        let pushed = state.change { state -> [LabRequest.Field]? in
            guard let known = state.pushed[name], known.client == client, known.expires > now else { return nil }
            if isFinal { state.pushed[name] = nil }
            return known.parameters
        }
        guard let pushed else { throw AuthorizationQuestion.Refusal(reason: "unknown request_uri") }
        return try registered(pushed)
    }

    // A registered client's codes go to its own redirect addresses, on any port (RFC 8252 §7.3).
    private func registered(_ parameters: [LabRequest.Field]) throws(AuthorizationQuestion.Refusal)
        -> AuthorizationQuestion
    {
        let now = state.value
        let name = parameters.first { $0.name == "client_id" }?.value
        let question = try AuthorizationQuestion(parameters, now.configuration(of: name))
        guard let client = now.clients[question.client] else { return question }
        guard client.redirects.contains(where: { RegisteredClient.isSame($0, question.redirect) }) else {
            throw AuthorizationQuestion.Refusal(reason: "redirect_uri is not registered for this client")
        }
        return question
    }
}
