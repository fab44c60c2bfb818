internal import PaviseAttestation
internal import PavisePrimitives

/// Installations of apps that Apple's App Attest vouches for (Documentation/Decisions/0012-device-attestation.md): the
/// same demand, challenge and attestation as for a TPM, with other evidence.
extension AuthorityCore {
    /// Makes an app's key known; the attestation answers a challenge of its own.
    func enrolApp(_ body: JSONValue) throws(AttestationRefusal) -> LabResponse {
        let keyID = try bytes(body["key_id"])
        let attestation = try bytes(body["attestation"])
        let challenge = body["challenge"]?.string ?? ""
        _ = try take(challenge)
        let now = clock.wallSeconds
        // Whichever app of the list it is; where it is none, what was wrong for the last one is said.
        var failure = AppAttestFailure.application
        for app in state.value.configuration.attestedApps {
            do throws(AppAttestFailure) {
                let key = try app.verifier.key(
                    from: attestation, named: keyID, challenge: Array(challenge.utf8), at: now)
                let name = Base64URL.encode(keyID)
                state.change { state in
                    // A key that is known keeps its counter.
                    if state.attestation.installations[name] == nil {
                        state.attestation.installations[name] = .init(app: app, key: key)
                    }
                    state.ledger.counters.enrolments += 1
                }
                return .json(JSONValue.fields(["device": .string(name)]).text, status: 201)
            } catch {
                failure = error
            }
        }
        throw AttestationRefusal(failure)
    }

    /// Judges an assertion over the challenge and the key that will use it; its counter has to rise.
    func assertApp(_ body: JSONValue) throws(AttestationRefusal) -> LabResponse {
        guard let name = body["device"]?.string, state.value.attestation.installations[name] != nil else {
            throw AttestationRefusal(code: "unknown_device", status: 404)
        }
        guard let challenge = body["challenge"]?.string, let client = body["client_id"]?.string,
            let jwk = body["key"], ProofKeyReading.key(jwk) != nil, let thumbprint = ProofKeyReading.thumbprint(jwk)
        else { throw AttestationRefusal(code: "invalid_request") }
        let assertion = try bytes(body["assertion"])
        let end = try take(challenge)
        // One transaction: of two assertions with one counter, one is taken.
        let failure = state.change { state -> AppAttestFailure? in
            guard let known = state.attestation.installations[name] else { return .key }
            do throws(AppAttestFailure) {
                state.attestation.installations[name]?.key = try known.app.verifier.verify(
                    assertion, over: Array("\(challenge).\(thumbprint)".utf8), by: known.key)
                state.attestation.challenges[challenge] = .init(expires: end, thumbprint: thumbprint)
                state.ledger.counters.assertions += 1
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw AttestationRefusal(failure) }
        let answer = JSONValue.fields([
            "client_attestation": .string(clientAttestation(for: client, key: jwk, by: .appAttest)),
            "expires_in": .integer(Self.lifetime),
        ])
        return .json(answer.text)
    }

}

/// Why a step of a device's is not taken.
struct AttestationRefusal: Error {
    let code: String
    var reason: String?
    var status = 400

    init(code: String, reason: String? = nil, status: Int = 400) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    init(_ failure: AppAttestFailure) {
        self.init(code: "invalid_evidence", reason: failure.description, status: 403)
    }
}

extension AttestedApp {
    var verifier: AppAttestVerifier {
        AppAttestVerifier(
            application: application, environment: isDevelopment ? .development : .production,
            anchors: anchors ?? [AppAttestVerifier.appleRoot])
    }
}
