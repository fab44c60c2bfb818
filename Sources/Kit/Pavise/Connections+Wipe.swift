package import PaviseAppLock
internal import PaviseLog
package import PavisePrimitives
internal import PaviseStorage
internal import PaviseVault

extension AppLock {
    /// A lock over the connections of `home`: its data is what they keep, and its final action wipes them.
    ///
    /// - Parameters:
    ///   - application: Whose lock it is; `nil` for the one of the program.
    ///   - sharesUnlock: Whether an unlock holds for later processes of this user, too.
    package static func overConnections(
        of home: PaviseHome, application: String? = nil, sharesUnlock: Bool = false, time: TimeSource = .system,
        policy: AppLockPolicy = .standard, tightened rules: AppLockTightening? = nil
    ) -> AppLock {
        var parts = AppLockParts.platform(
            sharesUnlock: sharesUnlock, home: home, time: time, application: application)
        parts.trail = LazyTrail(folder: home.audit, name: application ?? "app", time: time)
        return overConnections(of: home, parts, application: application, policy: policy, tightened: rules)
    }

    /// The same of the caller's parts.
    package static func overConnections(
        of home: PaviseHome, _ parts: AppLockParts, application: String? = nil, policy: AppLockPolicy = .standard,
        tightened rules: AppLockTightening? = nil,
        makeVault: @escaping Connections.MakeVault = Connections.platformVault
    ) -> AppLock {
        var parts = parts
        parts.need = needOfLock(in: home)
        parts.isInUse = { (try? Connections(home: home).list().isEmpty) != true }
        return AppLock(parts, policy: policy, tightened: rules) { _ in
            // Both, whatever one of them says.
            let storage = Result { if let application { try ProtectedContainer.remove(app: application, in: home) } }
            var connections = Connections(home: home, makeVault: makeVault)
            if let application { connections.identityOwner = application }
            let identities = Result { try connections.identities.wipe() }
            try connections.wipe()
            try storage.get()
            try identities.get()
        }
    }

    /// Whether there is a key that seals only under a lock, or a secret of an earlier version that only a lock's key
    /// opens. Where the list or the keychain does not say, nobody can say.
    package static func needOfLock(in home: PaviseHome) -> @Sendable () -> LockNeed {
        {
            let ids: [ConnectionID]
            do throws(ConnectionsFailure) { ids = try Connections(home: home).identifiers() + [.revocations] } catch {
                return .unknown(.unavailable("\(PaviseError(error).message(in: .english))"))
            }
            var need = LockNeed.none
            for id in ids {
                need.ask { () throws(VaultFailure) in try EnclaveKey(tag: id.guardedTag).isThere() }
                for name in [ItemName.session(of: id), .password(of: id)] {
                    need.ask { () throws(VaultFailure) in try isBoxed(name) }
                }
            }
            need.ask { () throws(VaultFailure) in try isBoxed(.revocations) }
            return need
        }
    }

    // One whose content is damaged is opened by no key: nothing needs a lock because of it.
    private static func isBoxed(_ name: ItemName) throws(VaultFailure) -> Bool {
        do throws(VaultFailure) {
            guard case .found(let packet) = try KeychainStore().read(name) else { return false }
            return packet.withBytes { LockedKey.isBoxed($0) }
        } catch {
            guard case .corrupt = error else { throw error }
            return false
        }
    }
}

extension Connections {
    /// The local half of a sign-out, for every connection: marks, keys, tokens, folders. Safe to repeat; no server is
    /// asked, and the tokens end there by their own time.
    ///
    /// - Throws: The first failure, after everything else was wiped.
    package func wipe() throws {
        var failures: [any Error] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(error) }
        }
        attempt { try finishRemovals() }
        attempt { try forgetRevocations() }
        // Also those whose removal could not be finished.
        for id in try identifiers() + folder.interruptedRemovals() {
            switch folder.ownership(of: id) {
            // What another program made is not this lock's to wipe.
            case .other: continue
            // The keychain has nothing of it, so that there is nothing to wipe: only the file system does not say.
            case .unknown(.system): continue
            case .own, .unknown: break
            }
            // Where even the mark cannot be written, the keys go all the same: they are this program's alone.
            let vault = vault(of: id)
            attempt { try vault.destroyKey() }
            attempt { try vault.destroyBindingKey() }
            attempt { failures += try remove(damaged: id).localFailures }
        }
        if let failure = failures.first { throw failure }
    }
}
