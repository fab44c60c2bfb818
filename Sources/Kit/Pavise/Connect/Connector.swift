internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
internal import PaviseVault

/// Does what the ``ConnectMachine`` says.
struct Connector {
    /// The credential.
    enum Way {
        case tokens(clientID: String)
        case password(user: String, BoxedSecret)
    }

    let connections: Connections
    let server: ReviewedServer
    let name: String
    let way: Way
    let options: SignInOptions

    /// What the steps have found so far.
    private struct Found {
        var authority: AuthorizationServer?
        var registration: ClientRegistration?
        var connection: Connection?
        var beginning: ConnectionBeginning?
        var subject: String?
        var formerClient: String?
    }

    private var issuer: String { options.issuer ?? "\(server.url.origin)" }
    private var usesPassword: Bool { if case .password = way { true } else { false } }

    /// Connects, or takes back what was done and throws why.
    func run() async throws -> Connection {
        // One that an earlier sign-in could not take back is no account to sign in to again.
        try connections.finishRemovals()
        let existing = try existing()
        var plan = ConnectMachine.Plan()
        plan.usesPassword = usesPassword
        plan.isOwnAuthority = issuer == "\(server.url.origin)"
        plan.registers = options.registersClient && !usesPassword
        plan.isNew = existing == nil
        let method = try method(existing)
        plan.mustIdentify = method == .openIDConnect
        var machine = ConnectMachine(plan)
        var found = Found(formerClient: existing?.clientID)
        var action = machine.begin()
        while true {
            do {
                if case .finish = action { return try finish(found) }
                if case .rollBack(let undo) = action {
                    let reason: SignInFailure = undo.isUnidentified ? .identity(.missing) : .wrongMethod
                    throw RolledBack(reason: reason, leftovers: await rollBack(undo, found))
                }
                action = machine.handle(try await perform(action, &found, existing, method))
            } catch let failure as RolledBack {
                throw failure.error
            } catch {
                guard case .rollBack(let undo) = machine.handle(.failed) else { throw error }
                throw RolledBack(reason: error, leftovers: await rollBack(undo, found)).error
            }
        }
    }

    private func perform(
        _ action: ConnectMachine.Action, _ found: inout Found, _ existing: ConnectionDescriptor?,
        _ method: ConnectionDescriptor.Method
    ) async throws -> ConnectMachine.Event {
        switch action {
        case .judgeServer:
            try await judge([server.url.origin] + (try [WebURL(issuer).origin]))
            return .judged
        case .chooseMethod: return try await chooseMethod()
        case .askForWeaker:
            guard options.acceptsWeakerMethod, try connections.methodRules().mayWeaken else {
                throw ConnectRefusal.weakerMethod
            }
            return .accepted
        case .discover:
            let client = try connections.makeClient(await server.keeper.policy)
            found.authority = try await Discovery(client: client).find(issuer: issuer)
            return .discovered
        case .judgeAuthority:
            try await judge(found.authority.map(endpoints) ?? [])
            return .judged
        case .register:
            found.registration = try await register(found.authority)
            return .registered
        case .make:
            (found.connection, found.beginning) = try await make(existing, method, found.registration)
            return .made
        case .signIn:
            found.subject = try await signIn(found)
            return .signedIn(isIdentified: found.subject != nil)
        case .finish, .rollBack: return .failed
        }
    }

    // Each once; a server that was judged already is known, and nobody is asked again.
    private func judge(_ origins: [Origin]) async throws {
        var judged: Set<Origin> = []
        for origin in origins where judged.insert(origin).inserted {
            guard try await !server.look(at: origin) else { continue }
            if case .refused(let failure) = server.verdict { throw failure }
            throw ConnectRefusal.approvalNeeded(origin)
        }
    }

    private func endpoints(_ authority: AuthorizationServer) -> [Origin] {
        [
            authority.tokenEndpoint, authority.revocationEndpoint, authority.keysEndpoint,
            authority.pushedRequestEndpoint,
            options.showCode == nil ? nil : authority.deviceEndpoint,
            options.registersClient ? authority.registrationEndpoint : nil,
        ].compactMap { $0?.origin }
    }

    private func chooseMethod() async throws -> ConnectMachine.Event {
        guard !usesPassword else {
            let better = try connections.stronger(than: .basic, at: server.url.origin)
            return better == nil ? .methodAllowed : .methodIsWeaker
        }
        let client = try connections.makeClient(await server.keeper.policy)
        switch try await connections.chooseMethod(at: server.url.origin, scopes: options.scopes, client: client) {
        case .use(.basic): throw SignInFailure.wrongMethod
        case .ask(let method, _) where method != .basic: return .methodIsWeaker
        case .refuse(let method, _) where method != .basic: throw ConnectRefusal.weakerMethod
        // Reading the metadata says exactly what is wrong.
        case .use, .ask, .refuse, .none, .undecided: return .methodAllowed
        }
    }

    private func register(_ authority: AuthorizationServer?) async throws -> ClientRegistration {
        guard let authority else { throw SignInFailure.wrongMethod }
        let client = try connections.makeClient(await server.keeper.policy)
        return try await SignIn(client: client, browser: options.browser).register(
            at: authority, scopes: options.scopes, port: options.redirectPort, isDevice: options.showCode != nil)
    }

    private func make(
        _ existing: ConnectionDescriptor?, _ method: ConnectionDescriptor.Method, _ registration: ClientRegistration?
    ) async throws -> (Connection, ConnectionBeginning?) {
        var descriptor = existing ?? fresh(method)
        if let client = registration?.clientID { descriptor.clientID = client }
        descriptor.approvals = await server.keeper.policy.approvals
        guard existing == nil else {
            try connections.save(descriptor)
            return (try connections.open(name), nil)
        }
        return try connections.begin(descriptor, servers: server.draft.content)
    }

    private func fresh(_ method: ConnectionDescriptor.Method) -> ConnectionDescriptor {
        var clientID: String?
        if case .tokens(let id) = way { clientID = id }
        return ConnectionDescriptor(
            id: server.id, name: name, origin: server.url.origin, method: method,
            issuer: usesPassword ? nil : issuer, clientID: clientID, scopes: options.scopes,
            redirectPort: options.redirectPort, created: connections.now)
    }

    private func signIn(_ found: Found) async throws -> String? {
        guard let connection = found.connection else { throw SignInFailure.wrongMethod }
        switch way {
        case .password(let user, let password):
            try await connection.signIn(user: user, password: password.bytes, tryingAt: server.url)
            return user
        case .tokens:
            let secret = found.registration?.secret ?? options.clientSecret
            let success =
                if let show = options.showCode {
                    try await connection.signInOnDevice(
                        at: found.authority, clientSecret: secret, binding: options.binding, show: show)
                } else {
                    try await connection.signIn(
                        at: found.authority, browser: options.browser, clientSecret: secret, binding: options.binding,
                        receiver: options.receiver)
                }
            if let registration = found.registration { try await connection.keep(registration) }
            return success.subject
        }
    }

    private func finish(_ found: Found) throws -> Connection {
        guard let connection = found.connection else { throw SignInFailure.wrongMethod }
        if !usesPassword {
            try connections.remember(found.subject == nil ? .oauth : .openIDConnect, of: connection.descriptor)
        }
        try connections.complete(connection)
        found.beginning?.end()
        return connection
    }

    // What could not be taken back now: the next start goes on with the connection, the next sign-in with the rest.
    private func rollBack(_ undo: ConnectMachine.RollBack, _ found: Found) async -> [any Error] {
        var leftovers: [any Error] = []
        if undo.signsOut, let failure = await found.connection?.signOut().localFailure { leftovers.append(failure) }
        if undo.restoresClient, var descriptor = found.connection?.descriptor {
            descriptor.clientID = found.formerClient
            do { try connections.save(descriptor) } catch { leftovers.append(error) }
        }
        if undo.deregisters, let registration = found.registration { await found.connection?.giveUp(registration) }
        if undo.removesConnection {
            leftovers += await connections.takeBack(name)
        }
        found.beginning?.end()
        return leftovers
    }

    // Tokens are “oauth”, unless an administrator wants to know who signs in.
    private func method(_ existing: ConnectionDescriptor?) throws -> ConnectionDescriptor.Method {
        guard !usesPassword else { return .basic }
        guard existing?.method != .openIDConnect else { return .openIDConnect }
        guard let allowed = try connections.methodRules().allowed else { return .oauth }
        return !allowed.contains(.oauth) && allowed.contains(.openIDConnect) ? .openIDConnect : .oauth
    }

    private func known() throws -> ConnectionDescriptor? {
        do throws(ConnectionFailure) {
            return try connections.open(name).descriptor
        } catch {
            // Only where it is certain that there is none.
            if case .connections(.unknownName(_, _)) = error { return nil }
            throw error
        }
    }

    private func existing() throws -> ConnectionDescriptor? {
        guard let found = try known() else { return nil }
        let isSame = found.origin == server.url.origin && (found.method == .basic) == usesPassword
        guard isSame, options.issuer == nil || options.issuer == found.issuer else {
            throw ConnectRefusal.nameTaken(name)
        }
        return found
    }
}
