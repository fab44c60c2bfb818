#if os(Linux)
import PaviseCommands
import PaviseDevice
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import TestSupport
import Testing

/// What an authority that demands attestations takes, and what it does not: old, taken over, of another (IN14).
@Suite(.enabled(if: SoftwareTPMMaker.isInstalled, "swtpm-tools is not installed"))
struct AttestedRequestTests {
    let tpm: SoftwareTPM
    let stage: LabStage
    let time = ManualTime(wallSeconds: TimeSource.system.wallSeconds + 60)
    let client: HTTPClient

    init() async throws {
        let maker = try SoftwareTPMMaker()
        tpm = try SoftwareTPM(by: maker)
        var configuration = AuthorityConfiguration()
        configuration.demandsAttestation = true
        configuration.deviceMakers = [try maker.root(), try maker.intermediate()]
        let address = TPMAddress(tpm.address)
        stage = try LabStage(
            configuration, time: time.source,
            findTPM: { () throws(TPMFailure) in address.map { TPMAddress.Search.address($0) } ?? TPMAddress.Search.none
            }, clock: time.source)
        client = try HTTPClient(policy: TrustPolicy(anchors: .only([stage.certificates.anchor])))
        let enrolled = await stage.run(
            "device", "attest", stage.authority.issuer, "--approve-certificate", stage.identity.pin)
        #expect(enrolled.status == .done, "\(enrolled.messages)")
    }

    /// A token request with these fields; its answer. The gate is passed where the code is what is wrong.
    private func ask(_ shown: [(String, String)]) async throws -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/x-www-form-urlencoded")
        for (name, value) in shown { fields.append(name, value) }
        let form = "grant_type=authorization_code&client_id=pavise-lab&code=none&redirect_uri=x&code_verifier=y"
        return try await client.send(
            HTTPRequest("POST", try WebURL(stage.authority.address(.token)), fields: fields, body: Array(form.utf8)))
    }

    private func error(_ response: HTTPResponse) -> String? {
        (try? JSONValue.parse(response.body))?["error"]?.string
    }

    private func challenge() async throws -> String {
        let first = try await ask([])
        #expect(first.status == 400 && error(first) == "use_attestation_challenge")
        return try #require(first.fields["OAuth-Client-Attestation-Challenge"])
    }

    private func attestation(_ challenge: String, client id: String = "pavise-lab") async -> ClientAttestation? {
        let demand = AttestationDemand(issuer: stage.authority.issuer, clientID: id, challenge: challenge)
        return await stage.attester.attestation(for: demand, through: client)
    }

    private func fields(_ shown: ClientAttestation) -> [(String, String)] {
        [("OAuth-Client-Attestation", shown.attestation), ("OAuth-Client-Attestation-PoP", shown.proof)]
    }

    @Test func `IN14: an attestation passes once, and a replay does not`() async throws {
        let shown = try #require(await attestation(try await challenge()))
        #expect(error(try await ask(fields(shown))) == "invalid_grant")
        let replay = try await ask(fields(shown))
        #expect(replay.status == 401 && error(replay) == "invalid_client_attestation")
    }

    @Test func `IN14: a challenge is good for one quote, of the last minute`() async throws {
        let used = try await challenge()
        _ = try #require(await attestation(used))
        #expect(await attestation(used) == nil)
        let stale = try await challenge()
        time.advance(seconds: 61)
        #expect(await attestation(stale) == nil)
        #expect(await attestation("never-given") == nil)
        let late = try #require(await attestation(try await challenge()))
        time.advance(seconds: 61)
        #expect(error(try await ask(fields(late))) == "invalid_client_attestation")
    }

    @Test func `IN14: halves of two attestations, one half, two of one, and another client's do not pass`() async throws
    {
        let one = try #require(await attestation(try await challenge()))
        let other = try #require(await attestation(try await challenge()))
        let foreign = try #require(await attestation(try await challenge(), client: "another"))
        let mixed = ClientAttestation(attestation: one.attestation, proof: other.proof)
        for shown in [
            fields(mixed), fields(foreign), [fields(one)[0]], [fields(one)[1]], fields(one) + fields(one),
            [("OAuth-Client-Attestation", "a.b.c"), ("OAuth-Client-Attestation-PoP", one.proof)],
        ] {
            let answer = try await ask(shown)
            #expect(answer.status == 401 && error(answer) == "invalid_client_attestation")
        }
        // The untouched pair still passes: what was refused used nothing up.
        #expect(error(try await ask(fields(one))) == "invalid_grant")
    }

    @Test func `IN14: another TPM does not speak for an enrolled device`() async throws {
        try tpm.replace()
        #expect(await attestation(try await challenge()) == nil)
        #expect(stage.authority.counters.refusedAttestations == 1)
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"step":"enrol"}"#, #"{"step":"quote","device":"x"}"#, #"{"step":"activate"}"#,
            #"{"step":"enrol","endorsement_key":"AA","certificates":["AA"],"attestation_key":"AA"}"#,
        ])
    func `IN14: what is no step is refused and changes nothing`(_ body: String) async throws {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        let place = try WebURL(stage.authority.address(.attestation))
        let answer = try await client.send(HTTPRequest("POST", place, fields: fields, body: Array(body.utf8)))
        #expect([400, 403, 404].contains(answer.status) && error(answer) != nil)
        #expect(stage.authority.counters.enrolments == 1)
    }
}
#endif
