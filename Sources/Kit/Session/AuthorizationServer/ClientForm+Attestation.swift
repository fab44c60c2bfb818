internal import PavisePrimitives
internal import PaviseTransport

/// Who answers, and for which authority.
struct AttestationSource: Sendable {
    let attester: (any ClientAttester)?
    let issuer: String
    let clientID: String
}

extension ClientForm {
    /// Sends the form, and once more with an attestation where the authority wants one.
    ///
    /// - Parameters:
    ///   - client: Reaches the authority, for what the attester has to ask.
    ///   - send: Sends a form.
    func attested<Failure>(
        by source: AttestationSource, through client: HTTPClient,
        _ send: (ClientForm) async throws(Failure) -> HTTPResponse
    ) async throws(Failure) -> HTTPResponse {
        let first = try await send(self)
        guard let attester = source.attester, let challenge = first.attestationChallenge else { return first }
        let demand = AttestationDemand(issuer: source.issuer, clientID: source.clientID, challenge: challenge)
        guard let shown = await attester.attestation(for: demand, through: client) else { return first }
        return try await send(
            with([
                ("OAuth-Client-Attestation", shown.attestation), ("OAuth-Client-Attestation-PoP", shown.proof),
            ]))
    }
}

extension HTTPResponse {
    /// The challenge of an authority that wants an attestation; `nil` for every other answer.
    var attestationChallenge: String? {
        guard status == 400 || status == 401, jsonObject?["error"]?.string == "use_attestation_challenge" else {
            return nil
        }
        let challenges = fields.all("OAuth-Client-Attestation-Challenge")
        guard challenges.count == 1, (1...512).contains(challenges[0].utf8.count),
            challenges[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return challenges[0]
    }
}
