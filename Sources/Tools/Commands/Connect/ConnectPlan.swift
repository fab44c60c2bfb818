internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// What a connect is to do, and the steps that all methods share.
struct ConnectPlan: Sendable {
    let url: WebURL
    let name: String
    let invocation: Invocation
    let environment: Environment
    /// A connection of this name to this server, which is to be signed in again.
    let existing: ConnectionDescriptor?
    let judge: ServerJudge
    /// The method that the person asked for.
    let method: ConnectionDescriptor.Method
    private let descriptor: ConnectionDescriptor
    private let draft = ServerDraft()

    init(_ invocation: Invocation, url: WebURL, in environment: Environment) throws {
        guard let name = invocation[ConnectOptions.name] ?? ConnectOptions.usualName(of: url.origin) else {
            throw UsageError(.rule("The host cannot name the connection. Write --name NAME."), path: invocation.path)
        }
        self.url = url
        self.name = name
        self.invocation = invocation
        self.environment = environment
        let connections = environment.connections
        existing = try Self.find(name, in: connections)
        method = try Self.method(invocation, existing, connections)
        descriptor = try existing ?? Self.fresh(name, url.origin, method, invocation, environment)
        judge = ServerJudge(
            environment: environment,
            keeper: try connections.keeper(of: descriptor, storage: existing == nil ? draft : nil),
            fingerprint: invocation[ConnectOptions.approval], isSilent: invocation[Shared.json])
        try checkExisting()
        try connections.check(descriptor)
    }

    /// The scopes to ask for.
    var scopes: [String] { descriptor.scopes }

    /// The port of the redirect; 0 for any.
    var port: UInt16 { invocation[ConnectOptions.port] ?? descriptor.redirectPort }

    /// Makes the connection, with what the judge has seen and approved, or opens the one that exists.
    ///
    /// - Parameter clientID: A client that was registered just now.
    /// - Returns: The connection, and for a new one what keeps it until the sign-in is over.
    func makeConnection(issuer: String?, clientID: String? = nil) async throws -> (Connection, ConnectionBeginning?) {
        let connections = environment.connections
        var descriptor = descriptor
        if let clientID { descriptor.clientID = clientID }
        descriptor.approvals = await judge.keeper.policy.approvals
        guard existing == nil else {
            if let port = invocation[ConnectOptions.port] { descriptor.redirectPort = port }
            try connections.save(descriptor)
            return (try connections.open(name), nil)
        }
        descriptor.issuer = issuer
        return try connections.begin(descriptor, servers: draft.content)
    }

    /// The sign-in has succeeded: the connection stays.
    func complete(_ connection: Connection, _ beginning: ConnectionBeginning?) throws {
        try environment.connections.complete(connection)
        beginning?.end()
    }

    /// Takes back a connection that was made for this sign-in, and says what could not be removed.
    func takeBack(_ beginning: ConnectionBeginning?) async {
        guard let beginning else { return }
        let leftovers = await environment.connections.takeBack(name)
        beginning.end()
        guard let failure = leftovers.first else { return }
        environment.console.tell(
            .failure(
                "“\(name)” was made for this sign-in and could not be removed: "
                    + CommandFailure(describing: failure).message
                    + " The next “connect” or “disconnect” removes it."))
    }

    private static func fresh(
        _ name: String, _ origin: Origin, _ method: ConnectionDescriptor.Method, _ invocation: Invocation,
        _ environment: Environment
    ) throws -> ConnectionDescriptor {
        let scopes = invocation[ConnectOptions.scope]
        return ConnectionDescriptor(
            id: try .random(), name: name, origin: origin, method: method,
            clientID: method != .basic ? invocation[ConnectOptions.client] ?? "pavise" : nil,
            scopes: scopes.isEmpty ? ["openid"] : scopes, redirectPort: invocation[ConnectOptions.port] ?? 0,
            created: environment.time.wallSeconds)
    }

    // Tokens are “oauth”, unless an administrator wants to know who signs in.
    private static func method(
        _ invocation: Invocation, _ existing: ConnectionDescriptor?, _ connections: Connections
    ) throws -> ConnectionDescriptor.Method {
        guard invocation[ConnectOptions.basic] == nil else { return .basic }
        guard existing?.method != .openIDConnect else { return .openIDConnect }
        guard let allowed = try connections.methodRules().allowed else { return .oauth }
        return !allowed.contains(.oauth) && allowed.contains(.openIDConnect) ? .openIDConnect : .oauth
    }

    private static func find(_ name: String, in connections: Connections) throws -> ConnectionDescriptor? {
        let rows = try connections.list()
        if let found = rows.compactMap({ try? $0.descriptor.get() }).first(where: { $0.name == name }) { return found }
        // One that is damaged, or another program's, has the name too.
        if let row = rows.first(where: { $0.unproven?.name == name }), case .failure(let problem) = row.descriptor {
            throw ConnectionFailure.connections(problem.failure(of: row.id))
        }
        // One that cannot be read may have it. Said before anything is sent.
        for row in rows where row.unproven == nil {
            guard case .failure(.damaged(.system(let failure))) = row.descriptor else { continue }
            throw ConnectionFailure.connections(.system(failure))
        }
        return nil
    }

    private func checkExisting() throws {
        guard let existing else { return }
        guard existing.origin == url.origin, existing.method == method else {
            throw CommandFailure(
                .failed,
                "“\(name)” is already a connection to \(existing.origin) (\(existing.method.rawValue)). "
                    + "Choose another name with --name, or disconnect that one first.")
        }
        let issuer = invocation[ConnectOptions.issuer]
        guard issuer == nil || issuer == existing.issuer else {
            throw CommandFailure(
                .failed, "“\(name)” signs in at \(existing.issuer ?? "its server"). Disconnect it first to change that."
            )
        }
    }
}
