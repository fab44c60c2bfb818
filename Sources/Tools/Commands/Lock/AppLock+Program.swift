internal import Pavise
package import PaviseAppLock
package import PavisePrimitives
package import PaviseStorage
package import PaviseVault

extension AppLock {
    /// The lock of the program `pavise`: an unlock holds for the next commands too, and the last wrong PIN wipes every connection.
    package static func program(home: PaviseHome = .current, time: TimeSource = .system) -> AppLock {
        var parts = AppLockParts.platform(sharesUnlock: true, home: home, time: time)
        parts.isNeeded = { hasBoxes(in: home) }
        return AppLock(parts) { _ in try wipeConnections(of: home) }
    }

    /// A connection's vault under the lock: what it stores opens only while the lock is open.
    package func guarding(_ id: ConnectionID) -> TokenVault {
        let key = LockedKey(EnclaveKey(tag: "org.pavise.key.\(id)"), lock: self, use: id.text)
        return TokenVault(
            store: KeychainStore(), key: key, bindingKey: EnclaveKey(tag: "org.pavise.binding.\(id)"))
    }

    // A secret that only a lock's key opens.
    private static func hasBoxes(in home: PaviseHome) -> Bool {
        let ids = (try? Connections(home: home).identifiers()) ?? []
        return isBoxed(.revocations)
            || ids.contains { id in [ItemName.session(of: id), .password(of: id)].contains(where: isBoxed) }
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
