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
}

extension Connections {
    /// Removes a connection: here first, there second and bounded, also without a network (connections C46).
    ///
    /// Order: mark (durable), tokens, key, password, folder, and only then the server. From the mark on the connection does
    /// not exist; a kill in between is finished by ``finishRemovals()``.
    public func remove(_ name: String) async throws(ConnectionFailure) -> RemovalReport {
        let connection: Connection
        do throws(ConnectionFailure) { connection = try open(name) } catch {
            guard case .connections = error else { return try removeWithoutServer(name) }
            throw error
        }
        connection.kept.stopNoting()
        let id = connection.descriptor.id
        try attempt { () throws(ConnectionsFailure) in try folder.markRemoved(id) }
        let tokens = await connection.session?.endLocally()
        let failures = [tokens?.failure].compactMap { $0 } + erase(id)
        if failures.isEmpty { try attempt { () throws(ConnectionsFailure) in try folder.delete(id) } }
        let revocation = await connection.session?.revoke(tokens?.tokens) ?? .nothing
        return RemovalReport(localFailures: failures, revocation: revocation)
    }

    // Rules or a record that cannot be used forbid to send, not to erase.
    private func removeWithoutServer(_ name: String) throws(ConnectionFailure) -> RemovalReport {
        var found: ConnectionID?
        try attempt { () throws(ConnectionsFailure) in found = try folder.find(name).id }
        guard let found else { throw .connections(.unknownName(name, known: [])) }
        let report = try remove(damaged: found)
        return RemovalReport(localFailures: report.localFailures, revocation: .failed)
    }

    /// Removes a connection whose description is damaged. Its tokens end by their own time.
    public func remove(damaged id: ConnectionID) throws(ConnectionFailure) -> RemovalReport {
        try attempt { () throws(ConnectionsFailure) in try folder.markRemoved(id) }
        return try finish(id)
    }

    /// Finishes removals that a kill interrupted. Call it once when a program starts.
    public func finishRemovals() throws(ConnectionFailure) {
        var interrupted: [ConnectionID] = []
        try attempt { () throws(ConnectionsFailure) in interrupted = try folder.interruptedRemovals() }
        for id in interrupted { _ = try finish(id) }
    }

    private func finish(_ id: ConnectionID) throws(ConnectionFailure) -> RemovalReport {
        let failures = erase(id)
        if failures.isEmpty { try attempt { () throws(ConnectionsFailure) in try folder.delete(id) } }
        return RemovalReport(localFailures: failures, revocation: .nothing)
    }

    // The key first: what it sealed is gone with it, also where an item could not be erased.
    private func erase(_ id: ConnectionID) -> [VaultFailure] {
        let vault = makeVault(id)
        let key = failure(of: { () throws(VaultFailure) in try vault.destroyKey() })
        let session = failure(of: { () throws(VaultFailure) in try vault.erase(.session(of: id)) })
        let password = failure(of: { () throws(VaultFailure) in try vault.erase(.password(of: id)) })
        return [key, session, password].compactMap { $0 }
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
