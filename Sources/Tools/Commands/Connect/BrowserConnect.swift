internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// Connects by authorization code with PKCE: every server of the way is judged before the browser opens.
struct BrowserConnect: Sendable {
    let plan: ConnectPlan

    func run() async throws {
        let issuer = plan.existing?.issuer ?? plan.invocation[ConnectOptions.issuer] ?? "\(plan.url.origin)"
        var policy = try await plan.judge.judge(plan.url.origin, under: plan.policy)
        policy = try await judgeOrigins(of: [try WebURL(issuer)], under: policy)
        let server = try await Discovery(client: plan.environment.makeTransport(policy)).find(issuer: issuer)
        let endpoints = [server.tokenEndpoint, server.revocationEndpoint, server.keysEndpoint].compactMap { $0 }
        policy = try await judgeOrigins(of: endpoints, under: policy)

        let (connection, isNew) = try plan.makeConnection(issuer: issuer, policy: policy)
        do {
            let success = try await connection.signIn(at: server, browser: browser)
            let report = ConnectedReport.make(connection, subject: success.subject, warnings: success.warnings)
            try plan.environment.show(report, for: plan.invocation)
        } catch {
            if isNew { _ = try? await plan.environment.connections.remove(plan.name) }
            throw error
        }
    }

    private func judgeOrigins(of urls: [WebURL], under policy: TrustPolicy) async throws -> TrustPolicy {
        var policy = policy
        var known: Set<Origin> = [plan.url.origin]
        for origin in urls.map(\.origin) where known.insert(origin).inserted {
            policy = try await plan.judge.judge(origin, under: policy)
        }
        return policy
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
