internal import PavisePrimitives
package import PaviseSession
package import PaviseStorage
package import PaviseTransport
internal import PaviseVault

/// Makes a connection and signs in: does what the ``ConnectMachine`` says, and asks ``ConnectPrompts``.
package struct Connector: Sendable {
    /// The credential.
    package enum Way: Hashable, Sendable {
        case tokens(clientID: String)
        case password(user: String)
    }

    /// What came of it.
    package struct Connected: Sendable {
        /// The connection, signed in.
        package let connection: Connection
        /// Who signed in, as far as the authority says it.
        package let subject: String?
        /// What should be known beside the success.
        package let warnings: [SignInWarning]
    }

    let connections: Connections
    let url: WebURL
    let name: String
    let way: Way
    let options: SignInOptions
    /// What is known of servers: of the connection that is there, or of the one that may come of it.
    package let keeper: KnownServersStore
    private let draft: ServerDraft
    /// A connection of this name, which is signed in again.
    package let existing: ConnectionDescriptor?
    private let descriptor: ConnectionDescriptor

    /// What the steps have found so far.
    private struct Found {
        var weaker: WeakerSignIn?
        var strangers: [NamedServer] = []
        var authority: AuthorizationServer?
        var registration: ClientRegistration?
        var secret: SharedSecretBytes?
        var connection: Connection?
        var isReopened = false
        var isSignedIn = false
        var success: (subject: String?, warnings: [SignInWarning]) = (nil, [])
        var beginning: ConnectionBeginning?
    }

    /// Looks at what is there already, and sends nothing.
    ///
    /// - Parameters:
    ///   - reviewed: A server that was looked at before; `nil` begins without.
    /// - Throws: ``ConnectRefusal`` where the name belongs to something else, ``ConnectionFailure`` where the method is
    ///   not allowed.
    package init(
        _ url: WebURL, as name: String, _ way: Way, in connections: Connections, options: SignInOptions,
        reviewed: (id: ConnectionID, keeper: KnownServersStore, draft: ServerDraft)? = nil
    ) throws {
        self.connections = connections
        self.url = url
        self.name = name
        self.way = way
        self.options = options
        // One that an earlier sign-in could not take back is no account to sign in to again.
        try connections.finishRemovals()
        let existing = try connections.descriptor(named: name)
        let method = try Self.method(way, existing, connections)
        if let existing { try Self.check(existing, url.origin, method, options) }
        var fresh = ConnectionDescriptor(
            id: try reviewed?.id ?? .random(), name: name, origin: url.origin, method: method,
            issuer: method == .basic ? nil : options.issuer ?? "\(url.origin)", clientID: Self.client(way),
            scopes: options.scopes, redirectPort: options.redirectPort, created: connections.now)
        fresh.tls = options.tls
        if let existing { fresh = existing }
        if let identity = options.identity { fresh.identity = identity }
        fresh.identityOrigins = try fresh.identity == nil ? nil : Self.origins(url.origin, fresh.issuer)
        draft = reviewed?.draft ?? ServerDraft()
        keeper =
            try reviewed?.keeper
            ?? connections.keeper(of: fresh, storage: existing == nil ? draft : nil)
        self.existing = existing
        descriptor = fresh
        try connections.check(descriptor)
    }

    private var issuer: String { descriptor.issuer ?? options.issuer ?? "\(url.origin)" }
    private var usesPassword: Bool { if case .password = way { true } else { false } }
    private var port: UInt16 { options.redirectPort == 0 ? descriptor.redirectPort : options.redirectPort }

    /// Connects, or takes back what was done and throws why.
    package func run(asking prompts: some ConnectPrompts) async throws -> Connected {
        var plan = ConnectMachine.Plan()
        plan.usesPassword = usesPassword
        plan.isOwnAuthority = issuer == "\(url.origin)"
        plan.registers = options.registersClient && !usesPassword
        plan.isNew = existing == nil
        plan.mustIdentify = descriptor.method == .openIDConnect
        var machine = ConnectMachine(plan)
        var found = Found()
        var action = machine.begin()
        while true {
            do {
                if case .finish = action { return try await finish(found) }
                if case .rollBack(let undo) = action {
                    let reason: SignInFailure = undo.isUnidentified ? .identity(.missing) : .wrongMethod
                    throw RolledBack(reason: reason, leftovers: await rollBack(undo, found))
                }
                action = machine.handle(try await perform(action, &found, prompts))
            } catch let failure as RolledBack {
                throw failure.error
            } catch {
                guard case .rollBack(let undo) = machine.handle(.failed) else { throw error }
                throw RolledBack(reason: error, leftovers: await rollBack(undo, found)).error
            }
        }
    }

    private func perform(
        _ action: ConnectMachine.Action, _ found: inout Found, _ prompts: some ConnectPrompts
    ) async throws -> ConnectMachine.Event {
        switch action {
        case .judgeServer:
            var named = [(name: "server", origin: url.origin)]
            if !usesPassword || options.issuer != nil { named.append(("issuer", try WebURL(issuer).origin)) }
            try await judge(named, prompts)
            return .judged
        case .chooseMethod:
            found.weaker = try await weakerMethod()
            return found.weaker == nil ? .methodAllowed : .methodIsWeaker
        case .askForWeaker:
            try await ask(about: found.weaker, prompts)
            return .accepted
        case .discover:
            let authority = try await Discovery(client: try await client()).find(issuer: issuer)
            found.authority = descriptor.identity == nil ? authority : authority.forClientCertificates
            guard options.showCode == nil || found.authority?.deviceEndpoint != nil else {
                throw SignInFailure.withoutDeviceGrant
            }
            return .discovered
        case .judgeAuthority:
            try await judge(found.authority.map(endpoints) ?? [], prompts)
            found.strangers = await strangers(found.authority)
            return isAccepted(found.strangers) ? .judged : .judgedStrangers
        case .askAboutStrangers:
            try await prompts.accept(found.strangers)
            return .accepted
        case .register:
            // Before a client is made: whether there is an older one decides what has to be deleted in the end.
            if let existing { _ = try connections.open(existing.name).registration() }
            found.registration = try await register(found.authority)
            return .registered
        case .make:
            found.secret = found.registration?.secret
            if found.secret == nil, !usesPassword { found.secret = try await prompts.clientSecret() }
            try await make(&found)
            return .made
        case .signIn:
            found.success = try await signIn(found, prompts)
            found.isSignedIn = true
            return .signedIn(isIdentified: found.success.subject != nil)
        case .finish, .rollBack: return .failed
        }
    }

    private func client() async throws -> HTTPClient {
        try connections.identifying(try connections.makeClient(await keeper.policy), as: descriptor)
    }

    // Those that a person or the app named.
    private static func origins(_ server: Origin, _ issuer: String?) throws -> [Origin] {
        let authority = try issuer.map { try WebURL($0).origin } ?? server
        return authority == server ? [server] : [server, authority]
    }

    // Each once; a server that was judged already is known, and nobody is asked again.
    private func judge(_ named: [(name: String, origin: Origin)], _ prompts: some ConnectPrompts) async throws {
        var judged: Set<Origin> = []
        for (_, origin) in named where judged.insert(origin).inserted {
            try await prompts.judge(origin, for: named.filter { $0.origin == origin }.map { $0.name })
        }
    }

    private func endpoints(_ authority: AuthorizationServer) -> [(name: String, origin: Origin)] {
        authority.endpoints(devices: options.showCode != nil, registration: options.registersClient)
    }

    // Found for this sign-in or for an earlier one: then it stands in the list that somebody agreed to.
    private var isIssuerFound: Bool {
        guard let existing else { return options.isIssuerFound }
        guard let origin = try? WebURL(issuer).origin else { return false }
        return existing.acceptedServers?.contains(origin) ?? false
    }

    // The server and the authority were named by whoever signs in, unless an account's server named the authority;
    // everything else only by the metadata.
    private func strangers(_ authority: AuthorizationServer?) async -> [NamedServer] {
        let authorityOrigin = try? WebURL(issuer).origin
        let named = [url.origin, isIssuerFound ? nil : authorityOrigin]
        let known = await keeper.policy.knownServers
        let first = authorityOrigin.map { [(name: "issuer", origin: $0)] } ?? []
        let others = (first + (authority.map(endpoints) ?? [])).filter { !named.contains($0.origin) }
        return Set(others.map { $0.origin }).sorted { $0.description < $1.description }.map { origin in
            NamedServer(
                origin: origin, purposes: others.filter { $0.origin == origin }.map { $0.name },
                certificate: known[origin]?.summary)
        }
    }

    // The whole list, as it was: one more, one less or another one is another list.
    private func isAccepted(_ strangers: [NamedServer]) -> Bool {
        strangers.isEmpty || existing?.acceptedServers.map(Set.init) == Set(strangers.map(\.origin))
    }

    // A server that offers no token at all, or does not answer, is not judged here: reading its metadata says exactly
    // what is wrong, and a password is never sent because of an answer.
    private func weakerMethod() async throws -> WeakerSignIn? {
        guard !usesPassword else {
            return try connections.stronger(than: .basic, at: url.origin).map {
                WeakerSignIn(origin: url.origin, method: .basic, better: $0)
            }
        }
        let choice = try await connections.chooseMethod(
            at: url.origin, scopes: descriptor.scopes, client: try await client())
        switch choice {
        case .use(.basic): throw ConnectRefusal.onlyPassword(url.origin)
        case .use: return nil
        case .ask(let method, let better) where method != .basic:
            return WeakerSignIn(origin: url.origin, method: method, better: better)
        case .refuse(let method, let better) where method != .basic:
            throw ConnectRefusal.weakerMethod(
                WeakerSignIn(origin: url.origin, method: method, better: better), isManaged: true)
        case .ask, .refuse, .none, .undecided:
            guard descriptor.method == .openIDConnect else { return nil }
            throw ConnectRefusal.withoutOpenID(url.origin, asksForIt: descriptor.scopes.contains("openid"))
        }
    }

    private func ask(about weaker: WeakerSignIn?, _ prompts: some ConnectPrompts) async throws {
        guard let weaker else { throw SignInFailure.wrongMethod }
        guard try connections.methodRules().mayWeaken else {
            throw ConnectRefusal.weakerMethod(weaker, isManaged: true)
        }
        try await prompts.accept(weaker)
    }

    private func register(_ authority: AuthorizationServer?) async throws -> ClientRegistration {
        guard let authority else { throw SignInFailure.wrongMethod }
        return try await SignIn(client: try await client(), browser: options.browser).register(
            at: authority, among: connections.others(than: descriptor.id), scopes: descriptor.scopes, port: port,
            address: options.receiver?.address, isDevice: options.showCode != nil)
    }

    private func make(_ found: inout Found) async throws {
        var descriptor = descriptor
        if let known = descriptor.identityOrigins, let authority = found.authority, authority.takesClientCertificates {
            descriptor.identityOrigins = endpoints(authority).reduce(into: known) { all, endpoint in
                if !all.contains(endpoint.origin) { all.append(endpoint.origin) }
            }
        }
        if !usesPassword { descriptor.acceptedServers = found.strangers.map(\.origin) }
        if let client = found.registration?.clientID { descriptor.clientID = client }
        descriptor.approvals = await keeper.policy.approvals
        guard existing == nil else {
            descriptor.redirectPort = port
            // Written when somebody has signed in: until then the session of before goes on under its own description,
            // also where this process ends while the browser is open.
            found.isReopened = true
            found.connection = try connections.reopened(as: descriptor)
            return
        }
        let (connection, beginning) = try connections.begin(descriptor, servers: draft.content)
        found.connection = connection
        found.beginning = beginning
    }

    private func signIn(
        _ found: Found, _ prompts: some ConnectPrompts
    ) async throws -> (subject: String?, warnings: [SignInWarning]) {
        guard let connection = found.connection else { throw SignInFailure.wrongMethod }
        if case .password(let user) = way {
            try await connection.signIn(user: user, password: try await prompts.password().bytes, tryingAt: url)
            return (user, [])
        }
        let (authority, secret, options) = (found.authority, found.secret, options)
        if let token = options.adopted {
            try await connection.adopt(token, at: authority, clientSecret: secret, binding: options.binding)
            return (nil, [])
        }
        let success = try await prompts.signingIn {
            if let show = options.showCode {
                return try await connection.signInOnDevice(
                    at: authority, clientSecret: secret, binding: options.binding, show: show)
            }
            return try await connection.signIn(
                at: authority, browser: options.browser, clientSecret: secret, binding: options.binding,
                receiver: options.receiver)
        }
        let end = found.registration?.secretExpires.map { SignInWarning.clientSecretEnds(at: $0) }
        return (success.subject, success.warnings + [end].compactMap(\.self))
    }

    private func finish(_ found: Found) async throws -> Connected {
        guard let connection = found.connection else { throw SignInFailure.wrongMethod }
        if existing != nil {
            try checkIsThere(connection)
            try connections.save(connection.descriptor)
            try checkIsThere(connection)
        }
        // The description names the new client before the old one is deleted.
        let warning = try await keep(found.registration, of: connection)
        if !usesPassword {
            let isIdentified = found.success.subject != nil
            try connections.remember(isIdentified ? .openIDConnect : .oauth, of: connection.descriptor)
        }
        try connections.complete(connection)
        found.beginning?.end()
        return Connected(
            connection: connection, subject: found.success.subject,
            warnings: found.success.warnings + [warning].compactMap(\.self))
    }

    // Another process may have removed it while somebody signed in.
    private func checkIsThere(_ connection: Connection) throws {
        guard connections.folder.isRemoved(connection.descriptor.id) else { return }
        throw ConnectionFailure.connections(.unknownName(connection.descriptor.name, known: []))
    }

    private func keep(
        _ registration: ClientRegistration?, of connection: Connection
    ) async throws(VaultFailure) -> SignInWarning? {
        guard let registration else { return nil }
        do throws(VaultFailure) { try await connection.keep(registration) } catch {
            // The session of before is gone. To delete the client that this one belongs to would end it, too.
            guard existing != nil else { throw error }
            return .registrationNotKept
        }
        return nil
    }

    // What could not be taken back now: the next start goes on with the connection, the next sign-in with the rest.
    private func rollBack(_ undo: ConnectMachine.RollBack, _ found: Found) async -> [any Error] {
        var leftovers: [any Error] = []
        if found.isSignedIn, existing != nil, let connection = found.connection,
            connections.folder.isRemoved(connection.descriptor.id)
        {
            leftovers += await connections.end(removed: connection)
            if undo.deregisters, let registration = found.registration { await connection.giveUp(registration) }
            return leftovers
        }
        if undo.signsOut, let failure = await found.connection?.signOut().localFailure { leftovers.append(failure) }
        // The session of before is gone: that of now is the new client's, and goes on with it.
        let goesOn = found.isSignedIn && existing != nil && !undo.signsOut
        if undo.restoresDescription, found.isReopened, !goesOn, var descriptor = existing {
            // What a person has approved stays approved.
            descriptor.approvals = await keeper.policy.approvals
            do { try connections.save(descriptor) } catch { leftovers.append(error) }
        }
        if undo.deregisters, !goesOn, let registration = found.registration {
            await found.connection?.giveUp(registration)
        }
        if undo.removesConnection, options.adopted != nil, let id = found.connection?.descriptor.id {
            // The other library's session goes on: nothing of it is taken back at the server.
            do { leftovers += try connections.remove(damaged: id).localFailures } catch { leftovers.append(error) }
        } else if undo.removesConnection {
            leftovers += await connections.takeBack(name)
        }
        found.beginning?.end()
        return leftovers
    }
}
