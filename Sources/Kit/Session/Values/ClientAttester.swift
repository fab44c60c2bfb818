package import PaviseTransport

/// Answers an authority that signs in attested devices alone (draft-ietf-oauth-attestation-based-client-auth).
///
/// Nothing is sent before the authority asks, and nothing to one that this device was not enrolled with: whoever
/// answers decides that.
package protocol ClientAttester: Sendable {
    /// What goes along with the one more try of a request.
    ///
    /// - Parameter client: Reaches the authority.
    /// - Returns: `nil` where this device has nothing to show there; the authority's refusal stands then.
    func attestation(
        for demand: AttestationDemand, through client: HTTPClient
    ) async -> ClientAttestation?
}

/// What an authority asked.
package struct AttestationDemand: Hashable, Sendable {
    /// The issuer, as its metadata has it.
    package let issuer: String
    /// The client that signs in.
    package let clientID: String
    /// What the attestation has to be about: good once.
    package let challenge: String

    /// A demand from its parts.
    package init(issuer: String, clientID: String, challenge: String) {
        self.issuer = issuer
        self.clientID = clientID
        self.challenge = challenge
    }
}

/// What a device shows: two compact JWTs.
package struct ClientAttestation: Hashable, Sendable {
    /// By the attester: it vouches for a key.
    package let attestation: String
    /// By that key, over the challenge.
    package let proof: String

    /// An attestation from its parts.
    package init(attestation: String, proof: String) {
        self.attestation = attestation
        self.proof = proof
    }
}
