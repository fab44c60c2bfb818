internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// Connects by authorization code with PKCE: every server of the way is judged before the browser opens.
struct BrowserConnect: Sendable {
    let plan: ConnectPlan

    func run() async throws {
        let issuer = plan.existing?.issuer ?? plan.invocation[ConnectOptions.issuer] ?? "\(plan.url.origin)"
        try await judgeOrigins(of: [plan.url, try WebURL(issuer)])
        let client = try plan.environment.makeTransport(await plan.judge.keeper.policy)
        let server = try await Discovery(client: client).find(issuer: issuer)
        let endpoints = [server.tokenEndpoint, server.revocationEndpoint, server.keysEndpoint].compactMap { $0 }
        try await judgeOrigins(of: endpoints)

        let (connection, isNew) = try await plan.makeConnection(issuer: issuer)
        do {
            let success = try await connection.signIn(at: server, browser: browser)
            let isIdentified = success.subject != nil
            try plan.environment.connections.remember(isIdentified ? .openIDConnect : .oauth, of: connection.descriptor)
            let report = ConnectedReport.make(connection, subject: success.subject, warnings: success.warnings)
            try plan.environment.show(report, for: plan.invocation)
        } catch {
            if isNew { _ = try? await plan.environment.connections.remove(plan.name) }
            throw error
        }
    }

    // A server that was judged already is known, and nobody is asked again: at worst a handshake more.
    private func judgeOrigins(of urls: [WebURL]) async throws {
        var judged: Set<Origin> = []
        for origin in urls.map(\.origin) where judged.insert(origin).inserted { try await plan.judge.judge(origin) }
    }

    // Without a browser, or when none opens, the person gets the address.
    private var browser: any Browser {
        let console = plan.environment.console
        let opens = !plan.invocation[ConnectOptions.withoutBrowser]
        return AddressReader { [system = plan.environment.browser] url in
            if opens, await (try? system.open(url)) != nil {
                console.tell(.line("Your browser opens. Sign in there; this program waits for it."))
                return
            }
            console.tell(.line("Open this address in a browser on this machine to sign in:"))
            console.tell(.line("\(url)"))
        }
    }
}
