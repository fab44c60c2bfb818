internal import Pavise
internal import PaviseLab
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

extension Scene {
    static let outages = Scene(
        number: 6, title: "The authority is out of order",
        attack: "the token endpoint answers 500, a page of HTML, nothing at all, or too late",
        control: "only the server's definitive word ends a session; anything else is degraded and tried again"
    ) { stage in
        let oauth = try stage.oauth()
        var policy = RefreshPolicy()
        policy.deadline = .milliseconds(400)
        policy.backoffBase = .milliseconds(1)
        policy.backoffCap = .milliseconds(5)
        policy.failuresUntilDegraded = 2
        policy.refreshesPerWindow = 1000
        let account = try await stage.signedIn(at: oauth, in: try stage.app(session: policy))
        guard let session = account.connection.session else { throw SceneFailure("there is no session") }
        let gate = LabGate()
        let outages: [(String, AuthorityFault)] = [
            ("500", .status(500)), ("HTML", .page(200)), ("nothing", .silence), ("late", .late(gate)),
        ]
        var evidence: [String] = []
        for (name, fault) in outages {
            // Within the grace time a repeated refresh is answered alike, as real servers do for lost answers.
            oauth.configuration.rotation = .grace(seconds: 60)
            oauth.expireAccessTokens()
            oauth.fail(.token, with: fault)
            try await requireDegraded(account, session, name)
            oauth.heal()
            if case .late = fault { gate.open() }
            await session.wakeUp()
            try await requireRecovery(account, session, name)
            evidence.append("\(name): stayed signed in, degraded, then recovered")
        }
        try require(oauth.counters.revokedFamilies == 0, "the authority ended the session")
        return evidence
    }

    private static func requireDegraded(_ account: Account, _ session: Session, _ name: String) async throws {
        for _ in 0..<40 {
            do {
                try await requireAnswer(of: account, name)
                throw SceneFailure("\(name): answered although no token could be had")
            } catch let error as PaviseError {
                guard case .retry = error.recovery, case SessionFailure.unavailable = error.underlying else {
                    throw SceneFailure("\(name): expected unavailable, saw \(error.underlying)")
                }
            }
            if case .degraded = await session.state { return }
        }
        throw SceneFailure("\(name): expected the state degraded, saw \(await session.state)")
    }

    private static func requireRecovery(_ account: Account, _ session: Session, _ name: String) async throws {
        for _ in 0..<100 {
            if (try? await account.send(HTTPRequest("GET", account.connection.url("/api/me"))))?.status == 200 {
                let state = await session.state
                return try require(state == .active, "\(name): expected active after the outage, saw \(state)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw SceneFailure("\(name): did not recover; the state is \(await session.state)")
    }
}
