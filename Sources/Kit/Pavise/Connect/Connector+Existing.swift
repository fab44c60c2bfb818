internal import PavisePrimitives
internal import PaviseSession
package import PaviseStorage
internal import PaviseTransport

extension Connector {
    // Tokens are “oauth”, unless an administrator wants to know who signs in.
    static func method(
        _ way: Way, _ existing: ConnectionDescriptor?, _ connections: Connections
    ) throws -> ConnectionDescriptor.Method {
        if case .password = way { return .basic }
        guard existing?.method != .openIDConnect else { return .openIDConnect }
        guard let allowed = try connections.methodRules().allowed else { return .oauth }
        return !allowed.contains(.oauth) && allowed.contains(.openIDConnect) ? .openIDConnect : .oauth
    }

    static func client(_ way: Way) -> String? {
        if case .tokens(let client) = way { client } else { nil }
    }

    static func check(
        _ existing: ConnectionDescriptor, _ origin: Origin, _ method: ConnectionDescriptor.Method,
        _ options: SignInOptions
    ) throws(ConnectRefusal) {
        guard existing.origin == origin, existing.method == method else { throw .nameTaken(existing) }
        // What a client offers is decided when a connection is made, and no sign-in loosens or tightens it by the way.
        guard options.tls == nil || options.tls == existing.tls else { throw .otherProfile(existing) }
        guard options.issuer == nil || options.issuer == existing.issuer else { throw .otherIssuer(existing) }
    }
}

extension Connections {
    /// The description of the connection called `name`; `nil` where it is certain that there is none.
    package func descriptor(named name: String) throws -> ConnectionDescriptor? {
        let rows = try list()
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
}

extension Connections {
    /// A connection that is there, as `descriptor` would have it, which is not written.
    func reopened(as descriptor: ConnectionDescriptor) throws(ConnectionFailure) -> Connection {
        let found: (descriptor: ConnectionDescriptor, key: ConnectionKey)
        do throws(ConnectionsFailure) { found = try folder.find(descriptor.name) } catch { throw .connections(error) }
        // Removed meanwhile, and another one made.
        guard found.descriptor.id == descriptor.id else {
            throw .connections(.unknownName(descriptor.name, known: []))
        }
        return try connection(descriptor, key: found.key)
    }
}

extension ConnectionProblem {
    /// The same as a failure of the list.
    package func failure(of id: ConnectionID) -> ConnectionsFailure {
        switch self {
        case .damaged(let damage): .damaged(id, damage)
        case .otherProgram(let owner): .otherProgram(id, owner: owner)
        case .keychain(let failure): .keychain(failure)
        }
    }
}

/// An app's answers to what a sign-in asks: its options, and what was approved before.
struct OptionPrompts: ConnectPrompts {
    let server: ReviewedServer
    let options: SignInOptions
    let typed: SharedSecretBytes?

    func judge(_ origin: Origin, for purposes: [String]) async throws {
        guard try await !server.look(at: origin, for: purposes) else { return }
        if case .refused(let failure) = server.verdict { throw failure }
        throw ConnectRefusal.approvalNeeded(origin)
    }

    func accept(_ weaker: WeakerSignIn) async throws {
        guard options.acceptsWeakerMethod else { throw ConnectRefusal.weakerMethod(weaker, isManaged: false) }
    }

    func accept(_ servers: [NamedServer]) async throws {
        guard server.accepts(servers) else { throw ConnectRefusal.strangers(servers) }
    }

    func password() async throws -> SharedSecretBytes {
        guard let typed else { throw BasicAccess.Problem.wrongMethod }
        return typed
    }

    func clientSecret() async throws -> SharedSecretBytes? { options.clientSecret }

    func signingIn(
        _ body: @escaping @Sendable () async throws -> SignIn.Success
    ) async throws -> SignIn.Success { try await body() }
}
