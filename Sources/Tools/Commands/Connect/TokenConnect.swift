internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// Connects with tokens: every server of the way is judged before anybody is asked to sign in.
struct TokenConnect: Sendable {
    let plan: ConnectPlan

    private var isOnDevice: Bool { plan.invocation[ConnectOptions.device] }
    private var registers: Bool { plan.invocation[ConnectOptions.register] }

    func run() async throws {
        let issuer = plan.existing?.issuer ?? plan.invocation[ConnectOptions.issuer] ?? "\(plan.url.origin)"
        try await judgeOrigins(of: [plan.url, try WebURL(issuer)])
        let client = try plan.environment.makeTransport(await plan.judge.keeper.policy)
        if issuer == "\(plan.url.origin)" { try await MethodDecision(plan: plan).check(through: client) }
        let server = try await Discovery(client: client).find(issuer: issuer)
        if isOnDevice, server.deviceEndpoint == nil { throw SignInFailure.withoutDeviceGrant }
        let endpoints = [
            server.tokenEndpoint, server.revocationEndpoint, server.keysEndpoint, server.pushedRequestEndpoint,
            isOnDevice ? server.deviceEndpoint : nil, registers ? server.registrationEndpoint : nil,
        ].compactMap { $0 }
        try await judgeOrigins(of: endpoints)

        let registration = registers ? try await register(at: server, through: client) : nil
        let secret = try registration?.secret ?? askedSecret()
        let (connection, beginning) = try await plan.makeConnection(
            issuer: issuer, clientID: registration?.clientID)
        do {
            let success = try await plan.environment.untilStopped {
                try await signIn(connection, at: server, secret)
            }
            if let registration { try await connection.keep(registration) }
            let isIdentified = success.subject != nil
            guard isIdentified || plan.method != .openIDConnect else {
                if beginning == nil { _ = await connection.signOut() }
                throw SignInFailure.identity(.missing)
            }
            try plan.environment.connections.remember(isIdentified ? .openIDConnect : .oauth, of: connection.descriptor)
            try plan.complete(connection, beginning)
            let report = ConnectedReport.make(connection, subject: success.subject, warnings: success.warnings)
            try plan.environment.show(report, for: plan.invocation)
        } catch {
            await plan.takeBack(beginning)
            if let registration { await giveUp(registration, of: connection, isNew: beginning != nil) }
            throw error
        }
    }

    // A connection that was there goes on with the client that it had.
    private func giveUp(_ registration: ClientRegistration, of connection: Connection, isNew: Bool) async {
        if !isNew, let existing = plan.existing {
            var descriptor = connection.descriptor
            descriptor.clientID = existing.clientID
            try? plan.environment.connections.save(descriptor)
        }
        await connection.giveUp(registration)
    }

    private func askedSecret() throws -> SharedSecret? {
        try plan.invocation[ConnectOptions.clientSecret] ? plan.environment.clientSecret() : nil
    }

    private func register(
        at server: AuthorizationServer, through client: any HTTPClient
    ) async throws(SignInFailure) -> ClientRegistration {
        try await SignIn(client: client, browser: SystemBrowser()).register(
            at: server, scopes: plan.scopes, port: plan.port, isDevice: isOnDevice)
    }

    private func signIn(
        _ connection: Connection, at server: AuthorizationServer, _ secret: SharedSecret?
    ) async throws(SignInFailure) -> SignIn.Success {
        let binding = plan.invocation[ConnectOptions.binding] ?? .automatic
        guard isOnDevice else {
            return try await connection.signIn(at: server, browser: browser, clientSecret: secret, binding: binding)
        }
        let board = DeviceBoard(
            environment: plan.environment, origin: plan.url.origin, asJSON: plan.invocation[Shared.json])
        defer { board.end() }
        return try await connection.signInOnDevice(at: server, clientSecret: secret, binding: binding) {
            board.show($0)
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
