internal import PavisePrimitives
public import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
package import PaviseVault

extension Connections {
    /// Asks servers once more to take back the tokens of sessions that ended without them (session SR17). Call it when
    /// a program starts, or when the network is back.
    ///
    /// A sign-out or a removal that does not reach its server leaves what is needed, sealed with a key of its own: at
    /// most 32 tokens, each for 14 days, but not beyond its session's own limit. A server is asked at most once in a
    /// call and for at most 5 s, with growing pauses between calls; two processes never ask for the same token at once.
    ///
    /// A request goes to the endpoint that the token was to be taken back at and to no other, under the trust policy
    /// that its connection has, or had: where that is removed its approvals are gone, and a server that needs one is
    /// not asked.
    ///
    /// - Parameter limit: When this has passed, whoever is left has to wait for the next call.
    /// - Returns: What became of them. It never fails: what cannot be done now is tried again.
    @discardableResult
    public func finishRevocations(within limit: Duration = .seconds(5)) async -> RevocationsReport {
        await revocations.finish(within: limit) { entry in client(for: entry) }
    }

    /// Gives up what waits to be revoked: those tokens end by their own time.
    package func forgetRevocations() throws(VaultFailure) { try revocations.erase() }

    /// Seals what waits to be revoked once more, as its vault's key says now.
    package func sealRevocationsAgain() async throws(VaultFailure) { try await revocations.sealAgain() }

    var revocations: RevocationQueue {
        RevocationQueue(
            vault: makeVault(.revocations), folder: folder.path, environment: environment, policy: policy)
    }

    // `nil` where nothing may be sent now.
    private func client(for entry: PendingRevocation) -> HTTPClient? {
        do throws(ConnectionFailure) {
            try check(entry.descriptor)
            guard !others(than: entry.descriptor.id).have(entry.server) else { return nil }
            if let living = try living(entry.descriptor) { return try connection(living).client }
            var policy = entry.descriptor.trustPolicy
            policy.managed = try rules()?.trust ?? policy.managed
            policy.pinnedDomains = appPinnedDomains ?? policy.pinnedDomains
            do throws(VaultFailure) { policy.pins += try appPins() } catch { return nil }
            for server in entry.known.entries { policy.knownServers[server.origin] = server.known }
            return (try? makeClient(policy)).flatMap { try? identifying($0, as: entry.descriptor) }
        } catch {
            return nil
        }
    }

    /// Where the authorities of the other connections are, asked for at each use; of all where there is no own one yet.
    func others(than id: ConnectionID? = nil) -> MixUpGuard {
        MixUpGuard { [folder] in
            guard let rows = try? folder.list() else { return nil }
            var authorities: Set<Origin> = []
            for row in rows where row.id != id {
                // What is not authentic counts too: it can only make more servers another's.
                if let other = (try? row.content.get()) ?? row.unproven {
                    if let authority = other.authority { authorities.insert(authority) }
                } else if row.isSilent {
                    // Its authority may be any server.
                    return nil
                }
            }
            return authorities
        }
    }

    // The connection as it is now, with its approvals; `nil` where it is gone. One with other pins is another one: pins
    // that were taken away since were part of the policy. One that was altered sends nothing.
    private func living(_ descriptor: ConnectionDescriptor) throws(ConnectionFailure) -> ConnectionDescriptor? {
        let rows: [ConnectionsFolder.Entry]
        // A list that cannot be read says nothing of a connection, and not that it is gone.
        do throws(ConnectionsFailure) { rows = try folder.list() } catch { throw .connections(error) }
        guard let found = rows.first(where: { $0.id == descriptor.id }) else { return nil }
        guard let living = try? found.content.get() else { throw .connections(.damaged(found.id, .file(.altered))) }
        return Set(living.pins) == Set(descriptor.pins) ? living : nil
    }
}

extension ConnectionsFolder.Entry {
    /// Whether nobody can say just now what it is: the file system or the keychain does not answer. A file that is none
    /// of a connection is damage, and says nothing later either.
    fileprivate var isSilent: Bool {
        switch content {
        case .failure(.keychain): true
        case .failure(.damaged(.system(let failure))): !failure.isTooLarge && !failure.isRefusedForGood
        default: false
        }
    }
}

extension ConnectionDescriptor {
    /// Where its authority is; `nil` where it has none.
    fileprivate var authority: Origin? {
        guard issuer == nil else { return issuer.flatMap { (try? WebURL($0))?.origin } }
        return [.oauth, .openIDConnect].contains(method) ? origin : nil
    }
}
