internal import Pavise
package import PaviseAppLock
package import PavisePrimitives
package import PaviseStorage
package import PaviseVault

extension AppLock {
    /// The lock of the program `pavise`: an unlock holds for the next commands too, and the last wrong PIN wipes every connection.
    package static func program(home: PaviseHome = .current, time: TimeSource = .system) -> AppLock {
        var parts = AppLockParts.platform(sharesUnlock: true, home: home, time: time)
        parts.isNeeded = needsLock(in: home)
        parts.isInUse = { (try? Connections(home: home).list().isEmpty) != true }
        return AppLock(parts) { _ in try wipeConnections(of: home) }
    }

    /// A connection's vault under the lock: what it stores opens only while the lock is open.
    package func guarding(_ id: ConnectionID) -> TokenVault { Connections.platformVault(under: self)(id) }

    /// Whether there is a key that seals only under a lock, or a secret of an earlier version that only a lock's key opens. Where
    /// nobody can say, there is one.
    package static func needsLock(in home: PaviseHome) -> @Sendable () -> Bool {
        {
            guard let ids = try? Connections(home: home).list().map(\.id) else { return true }
            return (ids + [.revocations]).contains { id in
                let isKeyThere = (try? EnclaveKey(tag: id.guardedTag).isThere()) ?? true
                return isKeyThere || [.session(of: id), .password(of: id), .revocations].contains(where: isBoxed)
            }
        }
    }

    private static func isBoxed(_ name: ItemName) -> Bool {
        guard case .found(let packet)? = try? KeychainStore().read(name) else { return false }
        return packet.withBytes { LockedKey.isBoxed($0) }
    }

    /// The local half of a sign-out, for every connection: marks, keys, tokens, folders. Safe to repeat; no server is asked, and
    /// the tokens end there by their own time.
    ///
    /// - Throws: The first failure, after everything else was wiped.
    package static func wipeConnections(of home: PaviseHome) throws {
        let connections = Connections(home: home)
        var failures: [any Error] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(error) }
        }
        attempt { try connections.finishRemovals() }
        attempt { try connections.forgetRevocations() }
        // What another program made is not this lock's to wipe.
        for id in try connections.identifiers() where !connections.isOthers(id) {
            // Where even the mark cannot be written, the keys go all the same.
            let vault = connections.vault(of: id)
            attempt { try vault.destroyKey() }
            attempt { try vault.destroyBindingKey() }
            attempt { failures += try connections.remove(damaged: id).localFailures }
        }
        if let failure = failures.first { throw failure }
    }
}
