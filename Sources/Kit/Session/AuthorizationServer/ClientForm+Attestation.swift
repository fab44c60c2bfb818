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
    func send(
        through client: any HTTPClient, attestedBy source: AttestationSource
    ) async throws(TransportFailure) -> HTTPResponse {
        let first = try await send(through: client)
        guard let attester = source.attester, let challenge = first.attestationChallenge else { return first }
        let demand = AttestationDemand(issuer: source.issuer, clientID: source.clientID, challenge: challenge)
        guard let shown = await attester.attestation(for: demand, through: client) else { return first }
        return try await with([
            ("OAuth-Client-Attestation", shown.attestation), ("OAuth-Client-Attestation-PoP", shown.proof),
        ]).send(through: client)
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
