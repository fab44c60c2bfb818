internal import PavisePrimitives

extension AuthorityCore {
    /// The endpoint for pushed requests (RFC 9126 §2): checks one and gives it a name that holds once.
    func push(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard isClient(request) else { return .json(AuthorityFault.text("invalid_client"), status: 401) }
        let parameters = request.formParameters
        // RFC 9126 §2.1: a pushed request does not refer to another one.
        guard request.form("request_uri") == nil else {
            return .json(AuthorityFault.text("invalid_request"), status: 400)
        }
        do {
            _ = try AuthorizationQuestion(parameters, state.value.configuration)
        } catch {
            return .json(AuthorityFault.text("invalid_request", error.reason), status: 400)
        }
        let name = TokenText.fresh("urn:ietf:params:oauth:request_uri:lab", state.value.configuration.canary)
        state.change {
            $0.pushed[name] = parameters
            $0.ledger.counters.pushedRequests += 1
        }
        return .json("{\"request_uri\":\"\(name)\",\"expires_in\":60}", status: 201)
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
            return try AuthorizationQuestion(brought, configuration)
        }
        let pushed = state.change { state in
            isFinal ? state.pushed.removeValue(forKey: name) : state.pushed[name]
        }
        guard let pushed else { throw AuthorizationQuestion.Refusal(reason: "unknown request_uri") }
        return try AuthorizationQuestion(pushed, configuration)
    }
}
