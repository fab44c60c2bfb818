internal import PavisePrimitives

extension AuthorityCore {
    /// The key that a request at `address` proves to hold; `nil` where the configuration demands no proof and there is
    /// none.
    func proof(
        _ request: LabRequest, at address: String, token: String? = nil, demandsNonce: Bool = true
    ) throws(ProofCheck.Refusal) -> String? {
        let now = state.value
        let isOffered = now.configuration.offersProof && request.field("DPoP") != nil
        guard now.configuration.demandsProof || isOffered else { return nil }
        let wanted = now.configuration.proofNonces == .none || !demandsNonce ? nil : now.proofNonce
        let check = ProofCheck(
            method: request.method, address: address, seconds: clock.wallSeconds, lead: now.configuration.proofLead,
            nonce: wanted, token: token)
        let (thumbprint, name) = try check.check(request)
        guard now.configuration.proofNonces != .neverRight || !demandsNonce else { throw .nonce }
        // RFC 9449 §11.1: a proof is good once.
        guard state.change({ $0.proofNames.insert(name).inserted }) else { throw .invalid }
        return thumbprint
    }

    /// RFC 7009 knows no proofs: a revocation may come without one. One that is there must be right and of the token's
    /// key.
    func checkProof(ofRevocation request: LabRequest, of token: String) throws(ProofCheck.Refusal) {
        guard request.field("DPoP") != nil else { return }
        // A client's password is no access token: a proof says nothing about it.
        let shown = Self.shown(request).flatMap { $0.scheme == "basic" ? nil : $0.token }
        let thumbprint = try proof(request, at: state.value.address(.revoke), token: shown, demandsNonce: false)
        let isRight = state.change { state in
            guard (try? state.ledger.checkBinding(of: token, to: thumbprint)) != nil else { return false }
            state.ledger.counters.provedRevocations += 1
            return true
        }
        guard isRight else { throw .invalid }
    }

    /// An answer that tells the nonce for the next proof.
    func withNonce(_ response: LabResponse) -> LabResponse {
        let configuration = state.value.configuration
        guard configuration.bindsTokens, configuration.proofNonces != .none else { return response }
        if configuration.proofNonces != .kept {
            state.change { $0.proofNonce = TokenText.fresh("nonce", "lab") }
        }
        return response.with("DPoP-Nonce", state.value.proofNonce)
    }
}
