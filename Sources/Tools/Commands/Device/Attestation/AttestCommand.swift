internal import Pavise
internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

/// `pavise device attest`: makes this device's TPM known to an authority, and has a quote of it judged.
enum AttestCommand {
    private static let authority = Argument(
        "ISSUER", help: "The authority, as its metadata names itself, such as https://id.example.org."
    ) { text throws(Parameter.Invalid) -> String in
        guard let url = try? WebURL(text), url.query == nil, url.fragment == nil else {
            throw Parameter.Invalid("takes an address such as https://id.example.org")
        }
        return text
    }
    private static let isFresh = Flag("enrol", help: "Enrol again, for example after the authority forgot this device.")

    static let action = Action(
        Command(
            "attest", abstract: "Have an authority judge a quote of this machine's TPM.",
            discussion: """
                The first time, this device is enrolled: the authority gets the certificate of the TPM's endorsement \
                key, which names this machine for ever, and makes sure that the TPM holds the key that will sign. \
                Nothing of that is sent without this command. Then the registers 0 to 7 (firmware, its settings, boot \
                loader, Secure Boot) are quoted over a challenge of the authority's, with the firmware's event log \
                where this user may read it.

                From then on “pavise connect” shows such a quote where this authority asks for one. A quote proves \
                which firmware and boot loader were measured on which TPM. It does not prove that the running system \
                is untouched.

                Exit status: 0 believed, 1 failed (no TPM, no answer), 2 usage, 3 the authority, or its server's \
                certificate, was refused, or it refuses the evidence.
                """,
            parameters: [authority, isFresh, ConnectOptions.approval, Shared.json],
            examples: [
                .init("pavise device attest https://id.example.org", "Enrol this device, and have it judged."),
                .init("pavise device attest https://id.example.org --json", "Give the verdict to a program."),
            ])
    ) { invocation, environment in
        try environment.checkManagement()
        let issuer = try invocation.value(authority)
        let attestor = try environment.attestor(for: issuer)
        defer { attestor.disconnect() }
        let (client, server) = try await environment.judgedAuthority(issuer, invocation)
        do {
            let round = try AttestationRound(client, server, attestor)
            let known = invocation[isFresh] ? nil : try AttestationRecord.read(environment.home, issuer: issuer)
            let page = try await round.run(known: known?.device)
            let record = AttestationRecord(issuer: issuer, endpoint: round.exchange.endpoint, device: page.device)
            if record != known { try record.write(environment.home) }
            try environment.show(page.report, for: invocation)
        } catch let problem as AttestationProblem {
            throw CommandFailure(problem)
        }
    }
}

/// One enrolment or quote of this device at an authority.
private struct AttestationRound: Sendable {
    let exchange: AttestationExchange
    private let challenges: WebURL

    init(_ client: HTTPClient, _ server: AuthorizationServer, _ attestor: TPMAttestor) throws {
        guard let endpoint = server.attestationEndpoint, let challenges = server.challengeEndpoint,
            let origin = try? WebURL(server.issuer).origin, endpoint.origin == origin, challenges.origin == origin
        else {
            throw CommandFailure(
                .failed, "This authority judges no devices: its metadata names no endpoints of its own for that.")
        }
        exchange = AttestationExchange(client: client, endpoint: endpoint, attestor: attestor)
        self.challenges = challenges
    }

    func run(known: String?) async throws -> AttestationPage {
        let device = if let known { known } else { try await exchange.enrol() }
        let challenge = try await exchange.challenge(at: challenges)
        let verdict = try await exchange.quote(
            challenge, device: device, clientID: "pavise", key: try AttestedClientKey())
        return AttestationPage(device: device, verdict: verdict, isNew: known == nil)
    }
}

extension Environment {
    /// What quotes for `issuer`.
    fileprivate func attestor(for issuer: String) throws -> TPMAttestor {
        switch try findTPM() {
        case .address(let address): return TPMAttestor(address, verifier: issuer)
        case .none:
            throw CommandFailure(
                .failed, "This machine has no TPM 2.0 (or PAVISE_TPM is “none”): there is nothing to attest with.")
        case .notPermitted: throw DeviceFailure.hardware(TPMFailure(.noRights))
        }
    }

    /// The authority's metadata, by a client that judged its server first.
    fileprivate func judgedAuthority(
        _ issuer: String, _ invocation: Invocation
    ) async throws -> (HTTPClient, AuthorizationServer) {
        let origin = try WebURL(issuer).origin
        guard origin.scheme == .https else { throw ConnectRefusal.withoutTLS }
        // Nothing of it is stored: the next run judges again.
        let draft = ConnectionDescriptor(
            id: try .random(), name: "attestation", origin: origin, method: .oauth, issuer: issuer, clientID: nil,
            scopes: [], redirectPort: 0, created: time.wallSeconds)
        let keeper = try connections.keeper(of: draft, storage: ServerDraft())
        let judge = ServerJudge(
            environment: self, keeper: keeper, fingerprint: invocation[ConnectOptions.approval],
            isSilent: invocation[Shared.json])
        _ = try await judge.judge(origin)
        let client = try connections.makeClient(await keeper.policy)
        return (client, try await Discovery(client: client).find(issuer: issuer))
    }
}
