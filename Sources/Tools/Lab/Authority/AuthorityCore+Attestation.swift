internal import PaviseAttestation
internal import PaviseCrypto
internal import PavisePrimitives

/// Attested devices (Documentation/Decisions/0012-device-attestation.md): enrolment, quotes, and what a sign-in must
/// bring along.
extension AuthorityCore {
    private static let attestationType = "oauth-client-attestation+jwt"
    private static let proofType = "oauth-client-attestation-pop+jwt"
    // Of our own: the draft leaves to the attester what it believes.
    private static let evidenceClaim = "pavise_evidence"
    /// An attestation is for the request after it.
    static let lifetime: Int64 = 60

    /// Gives a challenge (draft-ietf-oauth-attestation-based-client-auth, challenge endpoint).
    func challenge(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        return .json(JSONValue.fields(["attestation_challenge": .string(freshChallenge())]).text)
    }

    private func freshChallenge() -> String {
        let now = clock.wallSeconds
        let text = TokenText.fresh("attest", "lab")
        state.change { $0.attestation.give(text, at: now) }
        return text
    }

    /// The attester's endpoint: one step of a device's.
    func attest(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        do throws(AttestationRefusal) {
            guard let body = try? JSONValue.parse(request.body, limit: 2 << 20, depth: 8) else {
                throw AttestationRefusal(code: "invalid_request")
            }
            switch body["step"]?.string {
            case "enrol": return try enrol(body)
            case "activate": return try activate(body)
            case "quote": return try quote(body)
            case "app-enrol": return try enrolApp(body)
            case "app-assert": return try assertApp(body)
            default: throw AttestationRefusal(code: "invalid_request", reason: "unknown step")
            }
        } catch {
            state.change { $0.ledger.counters.refusedAttestations += 1 }
            return .json(AuthorityFault.text(error.code, error.reason), status: error.status)
        }
    }

    private func enrol(_ body: JSONValue) throws(AttestationRefusal) -> LabResponse {
        let enrolment = TPMEnrolment(
            endorsementKey: try bytes(body["endorsement_key"]),
            certificates: try list(body["certificates"]), attestationKey: try bytes(body["attestation_key"]))
        let now = clock.wallSeconds
        let challenge = try refusing { () throws(TPMAttestationFailure) in
            try quoteVerifier.challenge(for: enrolment, at: now)
        }
        let handle = TokenText.fresh("enrolment", "lab")
        state.change { $0.attestation.enrolments[handle] = challenge }
        let answer = JSONValue.fields([
            "enrolment": .string(handle), "credential": .string(Base64URL.encode(challenge.credential)),
            "seed": .string(Base64URL.encode(challenge.seed)),
        ])
        return .json(answer.text)
    }

    // A handle holds for one answer, right or wrong.
    private func activate(_ body: JSONValue) throws(AttestationRefusal) -> LabResponse {
        let secret = try bytes(body["secret"])
        let handle = body["enrolment"]?.string ?? ""
        guard let challenge = state.change({ $0.attestation.enrolments.removeValue(forKey: handle) }) else {
            throw AttestationRefusal(code: "invalid_request", reason: "unknown enrolment")
        }
        let key = try refusing { () throws(TPMAttestationFailure) in
            try quoteVerifier.key(from: secret, for: challenge)
        }
        let device = Base64URL.encode(Hash.digest(.sha256, key.name))
        state.change { state in
            if state.attestation.devices[device] == nil { state.attestation.devices[device] = .init(key: key) }
            state.ledger.counters.enrolments += 1
        }
        return .json(JSONValue.fields(["device": .string(device)]).text, status: 201)
    }

    private func quote(_ body: JSONValue) throws(AttestationRefusal) -> LabResponse {
        guard let name = body["device"]?.string, let device = state.value.attestation.devices[name] else {
            throw AttestationRefusal(code: "unknown_device", status: 404)
        }
        guard let challenge = body["challenge"]?.string, let client = body["client_id"]?.string,
            let jwk = body["key"], ProofKeyReading.key(jwk) != nil, let thumbprint = ProofKeyReading.thumbprint(jwk)
        else { throw AttestationRefusal(code: "invalid_request") }
        let end = try take(challenge)
        var registers: [Int: [UInt8]] = [:]
        for member in body["registers"]?.members ?? [] {
            guard let number = Int(member.name) else { throw AttestationRefusal(code: "invalid_request") }
            registers[number] = try bytes(member.value)
        }
        let log: [UInt8]? = if let member = body["event_log"] { try bytes(member) } else { nil }
        let evidence = TPMQuoteEvidence(
            quote: try bytes(body["quote"]), signature: try bytes(body["signature"]), registers: registers,
            eventLog: log)
        let policy = TPMRegisterPolicy(values: (device.registers ?? [:]).mapValues { [$0] })
        let report = try refusing { () throws(TPMAttestationFailure) in
            try quoteVerifier.verify(
                evidence, nonce: DeviceAttestation.nonce(challenge, thumbprint), by: device.key, policy)
        }
        state.change { state in
            if device.registers == nil { state.attestation.devices[name]?.registers = report.registers }
            state.attestation.challenges[challenge] = .init(expires: end, thumbprint: thumbprint)
            state.ledger.counters.quotes += 1
        }
        let answer = JSONValue.fields([
            "client_attestation": .string(clientAttestation(for: client, key: jwk, by: .tpm)),
            "expires_in": .integer(Self.lifetime), "explained": .integer(report.explained.count),
            "events": .integer(report.eventCount), "reset_count": .integer(report.resetCount),
            "firmware_version": .string(String(report.firmwareVersion, radix: 16)),
        ])
        return .json(answer.text)
    }

    /// What the attester gives for evidence that it believed: it vouches for `key`, and says what the evidence was.
    func clientAttestation(for client: String, key: JSONValue, by kind: AttestationKind) -> String {
        let now = clock.wallSeconds
        let claims = JSONValue.fields([
            "iss": .string(state.value.issuer), "sub": .string(client), "iat": .integer(now),
            "exp": .integer(now + Self.lifetime), "cnf": .fields(["jwk": key]),
            Self.evidenceClaim: .string(kind.rawValue),
        ])
        return attester.token(Self.attestationType, claims)
    }

    /// Uses a challenge up: it is good for one piece of evidence, right or wrong. Where a quote or an assertion is
    /// believed, it goes to the key that this covers.
    ///
    /// - Returns: When the challenge ends.
    func take(_ challenge: String) throws(AttestationRefusal) -> Int64 {
        let now = clock.wallSeconds
        let end = state.change { state -> Int64? in
            guard let known = state.attestation.challenges[challenge], known.thumbprint == nil else { return nil }
            state.attestation.challenges[challenge] = nil
            return known.expires > now ? known.expires : nil
        }
        guard let end else { throw AttestationRefusal(code: "use_attestation_challenge", reason: "stale or used") }
        return end
    }

    private var quoteVerifier: TPMQuoteVerifier {
        let makers = state.value.configuration.deviceMakers
        let roots = makers.filter { der in (try? X509Certificate(der: der))?.isSelfIssued ?? false }
        return TPMQuoteVerifier(roots: roots, intermediates: makers.filter { !roots.contains($0) })
    }

    private func refusing<Value>(
        _ body: () throws(TPMAttestationFailure) -> Value
    ) throws(AttestationRefusal) -> Value {
        do throws(TPMAttestationFailure) { return try body() } catch {
            guard error != .unavailable else { throw AttestationRefusal(code: "temporarily_unavailable", status: 503) }
            throw AttestationRefusal(code: "invalid_evidence", reason: error.description, status: 403)
        }
    }

    func bytes(_ value: JSONValue?) throws(AttestationRefusal) -> [UInt8] {
        guard let bytes = value?.string.flatMap({ Base64URL.decode($0) }) else {
            throw AttestationRefusal(code: "invalid_request")
        }
        return bytes
    }

    private func list(_ value: JSONValue?) throws(AttestationRefusal) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for element in value?.array ?? [] { all.append(try bytes(element)) }
        return all
    }

    // MARK: A sign-in

    /// Why a request of a sign-in is not worked on; `nil` where it shows an attested device, or needs none.
    func withoutAttestation(_ request: LabRequest, of client: String) -> LabResponse? {
        guard state.value.configuration.demandsAttestation else { return nil }
        let shown = request.fields.filter { $0.name.lowercased() == "oauth-client-attestation" }.map(\.value)
        let proofs = request.fields.filter { $0.name.lowercased() == "oauth-client-attestation-pop" }.map(\.value)
        guard !shown.isEmpty || !proofs.isEmpty else { return askForAttestation() }
        guard shown.count == 1, proofs.count == 1, isAttested(shown[0], proofs[0], client) else {
            state.change { $0.ledger.counters.refusedAttestations += 1 }
            return .json(AuthorityFault.text("invalid_client_attestation"), status: 401)
        }
        state.change { $0.ledger.counters.attestedRequests += 1 }
        return nil
    }

    private func askForAttestation() -> LabResponse {
        .json(AuthorityFault.text("use_attestation_challenge"), status: 400)
            .with("OAuth-Client-Attestation-Challenge", freshChallenge())
    }

    private func isAttested(_ attestation: String, _ proof: String, _ client: String) -> Bool {
        let now = clock.wallSeconds
        guard let claims = attester.claims(of: attestation, type: Self.attestationType),
            let kind = claims[Self.evidenceClaim]?.string.flatMap({ AttestationKind(rawValue: $0) }),
            state.value.configuration.takesAttestations.contains(kind),
            claims["sub"]?.string == client, let end = claims["exp"]?.integer, end > now,
            let jwk = claims["cnf"]?["jwk"], let key = ProofKeyReading.key(jwk),
            let thumbprint = ProofKeyReading.thumbprint(jwk),
            let proved = CompactJWS(proof)?.claims(Self.proofType, by: key),
            proved["iss"]?.string == client, proved["aud"]?.string == state.value.issuer,
            let issued = proved["iat"]?.integer, (-60...60).contains(issued - now),
            let name = proved["jti"]?.string, let challenge = proved["challenge"]?.string
        else { return false }
        return state.change { state in
            // The challenge of the quote, once.
            guard let known = state.attestation.challenges.removeValue(forKey: challenge), known.expires > now,
                known.thumbprint == thumbprint
            else { return false }
            return state.attestation.proofNames.insert(name).inserted
        }
    }
}
