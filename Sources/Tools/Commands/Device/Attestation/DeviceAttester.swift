internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives
package import PaviseSession
package import PaviseTransport

/// Answers an authority that signs in attested devices alone, where `pavise device attest` enrolled this one: with a
/// quote of its TPM over the authority's challenge.
package struct DeviceAttester: ClientAttester {
    let home: PaviseHome
    let time: TimeSource
    let makeAttestor: @Sendable (_ verifier: String) throws -> TPMAttestor?

    package func attestation(
        for demand: AttestationDemand, through client: HTTPClient
    ) async -> ClientAttestation? {
        // What went wrong shows in `pavise device attest`; here the authority's refusal stands.
        guard let record = try? AttestationRecord.read(home, issuer: demand.issuer),
            let attestor = try? makeAttestor(demand.issuer), let key = try? AttestedClientKey()
        else { return nil }
        defer { attestor.disconnect() }
        let exchange = AttestationExchange(client: client, endpoint: record.endpoint, attestor: attestor)
        let verdict = try? await exchange.quote(
            demand.challenge, device: record.device, clientID: demand.clientID, key: key)
        guard let verdict, let name = try? Entropy.kernel.bytes(16) else { return nil }
        let claims = JSONValue.fields([
            "iss": .string(demand.clientID), "aud": .string(demand.issuer), "jti": .string(Base64URL.encode(name)),
            "iat": .integer(time.wallSeconds), "challenge": .string(demand.challenge),
        ])
        guard let proof = try? key.token("oauth-client-attestation-pop+jwt", claims) else { return nil }
        return ClientAttestation(attestation: verdict.attestation, proof: proof)
    }
}

extension Environment {
    /// Answers authorities for this device.
    package var attester: DeviceAttester {
        DeviceAttester(
            home: home, time: time,
            makeAttestor: { [findTPM] verifier in
                guard case .address(let address) = try findTPM() else { return nil }
                return TPMAttestor(address, verifier: verifier)
            })
    }
}
