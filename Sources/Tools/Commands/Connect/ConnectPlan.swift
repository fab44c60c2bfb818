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

    init(_ invocation: Invocation, url: WebURL, in environment: Environment) throws {
        guard let name = invocation[ConnectOptions.name] ?? ConnectOptions.usualName(of: url.origin) else {
            throw UsageError(.rule("The host cannot name the connection. Write --name NAME."), path: invocation.path)
        }
        self.url = url
        self.name = name
        self.invocation = invocation
        self.environment = environment
        existing = try Self.find(name, in: environment.connections)
        judge = ServerJudge(
            environment: environment, fingerprint: invocation[ConnectOptions.approval],
            isSilent: invocation[Shared.json])
        try checkExisting()
    }

    /// The method that the person asked for.
    var method: ConnectionDescriptor.Method { invocation[ConnectOptions.basic] == nil ? .oauth : .basic }

    /// Makes the connection, or writes the new approvals into the one that exists.
    ///
    /// - Returns: The connection, and whether it is new.
    func makeConnection(issuer: String?, policy: TrustPolicy) throws -> (Connection, isNew: Bool) {
        let connections = environment.connections
        guard var descriptor = existing else {
            let scopes = invocation[ConnectOptions.scope]
            let connection = try connections.add(
                name, origin: url.origin, method: method, issuer: issuer,
                clientID: invocation[ConnectOptions.client] ?? "pavise", scopes: scopes.isEmpty ? ["openid"] : scopes,
                redirectPort: invocation[ConnectOptions.port] ?? 0, approvals: policy.approvals)
            return (connection, true)
        }
        descriptor.approvals = policy.approvals
        if let port = invocation[ConnectOptions.port] { descriptor.redirectPort = port }
        try connections.save(descriptor)
        return (try connections.open(name), false)
    }

    /// What is trusted before this connect approves anything.
    var policy: TrustPolicy { existing?.trustPolicy ?? TrustPolicy() }

    private static func find(_ name: String, in connections: Connections) throws -> ConnectionDescriptor? {
        try connections.list().compactMap { try? $0.descriptor.get() }.first { $0.name == name }
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
