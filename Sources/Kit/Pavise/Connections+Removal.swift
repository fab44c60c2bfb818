internal import PavisePrimitives
public import PaviseSession
public import PaviseStorage
internal import PaviseTransport
public import PaviseVault

/// How a removal went.
public struct RemovalReport: Hashable, Sendable {
    /// What could not be erased here, if anything. Removing again, or the next start, goes on with it.
    public let localFailures: [VaultFailure]
    /// What became of the tokens at the server.
    public let revocation: SignOutReport.Revocation
    /// Whether the authority deleted the client that was registered for the connection; `nil` where none was, and where
    /// nothing may be sent, so that nobody looked. `false` also where what was kept of it could not be read. But for
    /// `true` it may be there still.
    public let deregistered: Bool?
}

extension Connections {
    /// Removes a connection: here first, there second and bounded, also without a network (connections C46).
    ///
    /// A connection of another program is not touched: nothing of it could be wiped here, and nothing revoked. One
    /// whose description or servers' record was altered is wiped here, and nothing is sent: see ``remove(damaged:)``.
    /// Where only an administrator's rules forbid to send, the server is asked when they allow it
    /// (``finishRevocations(within:)``).
    ///
    /// Order: mark (durable), tokens, keys, password, folder, and only then the server. From the mark on the connection
    /// does not exist; a kill in between is finished by ``finishRemovals()``.
    public func remove(_ name: String) async throws(ConnectionFailure) -> RemovalReport {
        let connection: Connection
        do throws(ConnectionFailure) { connection = try open(name) } catch {
            guard case .connections = error else { return try await removeWithoutServer(name, because: error) }
            throw error
        }
        connection.client.stopNoting()
        let id = connection.descriptor.id
        try attempt { () throws(ConnectionsFailure) in try folder.markRemoved(id) }
        let registration = Result { () throws(VaultFailure) in try connection.registration() }
        let ended = await connection.session?.endLocally()
        let failures = [ended?.failure].compactMap { $0 } + erase(id)
        if failures.isEmpty { try attempt { () throws(ConnectionsFailure) in try folder.delete(id) } }
        var revocation = SignOutReport.Revocation.nothing
        if let session = connection.session, let ended { revocation = await session.revoke(ended) }
        // After the tokens: an authority may refuse to take tokens back for a client that is gone.
        let deregistered = await deregister(registration, through: connection.client)
        return RemovalReport(localFailures: failures, revocation: revocation, deregistered: deregistered)
    }

    private func deregister(
        _ registration: Result<ClientRegistration.Management?, VaultFailure>, through client: HTTPClient
    ) async -> Bool? {
        guard case .success(let management) = registration else { return false }
        return await management?.delete(through: client, within: policy.revocation, sleep: environment.sleep)
    }

    // Rules or a record that cannot be used forbid to send, not to erase. What only rules forbid is sent when they
    // allow it.
    private func removeWithoutServer(
        _ name: String, because reason: ConnectionFailure
    ) async throws(ConnectionFailure) -> RemovalReport {
        var found: ConnectionDescriptor?
        try attempt { () throws(ConnectionsFailure) in found = try folder.find(name).0 }
        guard let found else { throw .connections(.unknownName(name, known: [])) }
        // Where nobody can say which servers these were, the tokens would later go to whoever answers there.
        guard reason.isOfRules, isOwn(found.id), let servers = try? knownServers(of: found) else {
            return try remove(damaged: found.id)
        }
        try attempt { () throws(ConnectionsFailure) in try folder.markRemoved(found.id) }
        let isWaiting = await keepsRevocation(of: found, servers)
        let report = try remove(damaged: found.id)
        return RemovalReport(
            localFailures: report.localFailures, revocation: isWaiting ? .queued : report.revocation,
            deregistered: report.deregistered)
    }

    // Ends the session here, and asks nobody.
    private func keepsRevocation(of descriptor: ConnectionDescriptor, _ servers: KnownServersStore) async -> Bool {
        let store = SessionStore(
            vault: vault(of: descriptor.id), name: .session(of: descriptor.id),
            folder: folder.folder(of: descriptor.id),
            revocations: RevocationStore(
                queue: revocations, descriptor: descriptor, known: { await servers.policy.knownServers[$0] }),
            others: others(than: descriptor.id))
        let session = Session(store: store, client: .silent, environment: environment, policy: policy)
        let ended = await session.endLocally()
        return await session.revoke(ended) == .queued
    }

    /// Removes a connection whose description is damaged or altered: keys, secrets and folder. Nothing is sent, for
    /// nobody knows where to; its tokens end by their own time.
    ///
    /// - Throws: ``ConnectionFailure/connections(_:)`` with `otherProgram` for a connection that another program made;
    ///   with `keychain` or `system` where nobody can say whose it is. Nothing was changed then.
    public func remove(damaged id: ConnectionID) throws(ConnectionFailure) -> RemovalReport {
        switch folder.ownership(of: id) {
        case .own: break
        case .other(let owner): throw .connections(.otherProgram(id, owner: owner))
        case .unknown(let reason): throw .connections(reason)
        }
        try attempt { () throws(ConnectionsFailure) in try folder.markRemoved(id) }
        // Its tokens, if it had some, live on at the server.
        return RemovalReport(localFailures: try finish(id), revocation: .failed, deregistered: nil)
    }

    /// Says that the sign-in of a connection that ``begin(_:servers:)`` made has succeeded: it stays from now on.
    package func complete(_ connection: Connection) throws(ConnectionFailure) {
        try attempt { () throws(ConnectionsFailure) in try folder.complete(connection.descriptor.id) }
    }

    /// Takes back a connection whose sign-in failed.
    ///
    /// - Returns: What could not be removed now; the next ``finishRemovals()`` goes on with it.
    package func takeBack(_ name: String) async -> [any Error] {
        do throws(ConnectionFailure) { return try await remove(name).localFailures } catch {
            if case .connections(.unknownName) = error { return [] }
            return [error]
        }
    }

    /// Finishes removals that a kill interrupted, and removes connections whose sign-in neither succeeded nor was
    /// taken back. Call it once when a program starts that changes connections.
    ///
    /// A connection is only removed when the mark of its removal, or of its beginning, was read, and when this program
    /// made it; where the file system or the keychain does not say, it stays as it is.
    public func finishRemovals() throws(ConnectionFailure) {
        try attempt { () throws(ConnectionsFailure) in try folder.markAbandoned { isOwn($0) } }
        var interrupted: [ConnectionID] = []
        try attempt { () throws(ConnectionsFailure) in interrupted = try folder.interruptedRemovals() }
        // Another program goes on with its own.
        for id in interrupted where isOwn(id) { _ = try finish(id) }
        try attempt { () throws(ConnectionsFailure) in try folder.deleteAside() }
        try attempt { () throws(ConnectionsFailure) in try folder.eraseUnusedKeys() }
    }

    /// Wipes and revokes what a sign-in stored for a connection that another process removed meanwhile: that one may
    /// have erased its secrets before. The folder is the other process's to delete, or the next start's.
    func end(removed connection: Connection) async -> [any Error] {
        connection.client.stopNoting()
        let ended = await connection.session?.endLocally()
        let failures = [ended?.failure].compactMap { $0 } + erase(connection.descriptor.id)
        if let session = connection.session, let ended { _ = await session.revoke(ended) }
        return failures
    }

    private func finish(_ id: ConnectionID) throws(ConnectionFailure) -> [VaultFailure] {
        let failures = erase(id)
        if failures.isEmpty { try attempt { () throws(ConnectionsFailure) in try folder.delete(id) } }
        return failures
    }

    // The keys first: what one sealed is gone with it, and what was bound to the other is worth nothing, also where an
    // item could not be erased.
    private func erase(_ id: ConnectionID) -> [VaultFailure] {
        let vault = vault(of: id)
        let keys = [
            failure(of: { () throws(VaultFailure) in try vault.destroyKey() }),
            failure(of: { () throws(VaultFailure) in try vault.destroyBindingKey() }),
            failure(of: { () throws(VaultFailure) in try folder.destroyStorageKeys(of: id) }),
        ]
        let secrets = items(of: id).map { item in
            failure(of: { () throws(VaultFailure) in try vault.erase(item) })
        }
        guard (keys + secrets).allSatisfy({ $0 == nil }) else { return (keys + secrets).compactMap { $0 } }
        // Last, for it says whose the connection is.
        let own = failure { () throws(VaultFailure) in try vault.erase(.connectionKey(of: id)) }
        return [own].compactMap { $0 }
    }

    // Of every method, and of a description that cannot be read any more too.
    func items(of id: ConnectionID) -> Set<ItemName> {
        let descriptor = ConnectionDescriptor(
            id: id, name: "removed", origin: Origin(scheme: .https, host: "removed.invalid", port: 443),
            method: .oauth, created: 0)
        let place = MethodContext(
            descriptor: descriptor, client: .silent, vault: vault(of: id), environment: environment, policy: policy,
            folder: folder.folder(of: id))
        let own = methods.all.flatMap { $0.secrets(at: place) }
        return Set(own + [.session(of: id), .password(of: id)])
    }

    private func failure(of step: () throws(VaultFailure) -> Void) -> VaultFailure? {
        do throws(VaultFailure) {
            try step()
            return nil
        } catch {
            return error
        }
    }

    private func attempt(_ body: () throws(ConnectionsFailure) -> Void) throws(ConnectionFailure) {
        do throws(ConnectionsFailure) { try body() } catch { throw .connections(error) }
    }
}

extension ConnectionFailure {
    /// Whether an administrator's rules are all that is in the way.
    fileprivate var isOfRules: Bool {
        switch self {
        case .managed, .method(.managed): true
        default: false
        }
    }
}
