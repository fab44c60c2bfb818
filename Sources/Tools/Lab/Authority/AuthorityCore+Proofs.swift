internal import PavisePrimitives

extension AuthorityCore {
    /// The key that a request at `address` proves to hold; `nil` where the configuration demands no proof.
    func proof(
        _ request: LabRequest, at address: String, token: String? = nil
    ) throws(ProofCheck.Refusal) -> String? {
        let now = state.value
        guard now.configuration.demandsProof else { return nil }
        let wanted = now.configuration.proofNonces == .none ? nil : now.proofNonce
        let check = ProofCheck(
            method: request.method, address: address, seconds: clock.wallSeconds, nonce: wanted, token: token)
        let (thumbprint, name) = try check.check(request)
        guard now.configuration.proofNonces != .neverRight else { throw .nonce }
        // RFC 9449 §11.1: a proof is good once.
        guard state.change({ $0.proofNames.insert(name).inserted }) else { throw .invalid }
        return thumbprint
    }

    /// An answer that tells the nonce for the next proof.
    func withNonce(_ response: LabResponse) -> LabResponse {
        let configuration = state.value.configuration
        guard configuration.demandsProof, configuration.proofNonces != .none else { return response }
        if configuration.proofNonces != .kept {
            state.change { $0.proofNonce = TokenText.fresh("nonce", "lab") }
        }
        return response.with("DPoP-Nonce", state.value.proofNonce)
    }
}
