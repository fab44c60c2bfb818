public import PaviseAppLock
public import PavisePrimitives
internal import PaviseSession
public import PaviseStorage
internal import PaviseVault

extension Connections {
    /// Sets the first PIN or passphrase of the lock, and seals anew what the connections keep: with new keys, so that a
    /// copy from before opens nowhere. The lock is open afterwards, unless somebody closed it meanwhile: then the PIN
    /// is set, and ``sealAgain()`` goes on after the next unlock.
    ///
    /// - Returns: Whether other processes of this user find the lock unlocked, and what was damaged.
    /// - Throws: `AppLockFailure`; or why a connection stays as it was: the PIN is set then, and ``sealAgain()`` goes
    ///   on.
    @discardableResult
    public func setCode(
        _ typed: borrowing SecretBytes, as kind: LockCode
    ) async throws -> (isShared: Bool, damaged: [ConnectionID]) {
        guard let lock else { throw AppLockFailure.notSet }
        let isShared = try lock.set(typed, as: kind)
        // What nobody can seal now is sealed after the next unlock: see needsSealing.
        guard lock.state.isOpen else { return (isShared, []) }
        return (isShared, try await sealAgain())
    }

    /// Removes the PIN or passphrase of the lock, which has to be open. What the connections keep is sealed by the
    /// device alone from then on, with new keys.
    ///
    /// - Returns: The connections that are damaged: nobody can use them.
    @discardableResult
    public func removeCode(_ typed: borrowing SecretBytes) async throws -> [ConnectionID] {
        guard let lock else { throw AppLockFailure.notSet }
        guard try rules()?.appLock.isRequired != true else { throw LockDemand.set(lock.usualCode) }
        let typed = SharedSecretBytes(typed.duplicate())
        // Judged before anything changes.
        try lock.unlock(typed.bytes)
        // What was sealed with the lock's key comes out of its box first: afterwards nobody could.
        lock.sealPlainly(true)
        defer { lock.sealPlainly(false) }
        for _ in 0..<Self.mostRemovals {
            var damaged = try await sealAgain()
            // Somebody signed in meanwhile, and does not know that the PIN goes.
            if try needsSealing() { damaged = try await sealAgain() }
            do throws(AppLockFailure) {
                // And once more when the PIN was judged, which takes its time.
                try lock.removePIN(typed.bytes) { [damaged] () throws(AppLockFailure) in
                    if isSealedUnderLock(but: damaged) { throw .busy }
                }
                return damaged
            } catch {
                guard error == .busy, try needsSealing() else { throw error }
            }
        }
        throw AppLockFailure.busy
    }

    // Nobody signs in more often while one PIN is judged.
    private static let mostRemovals = 3

    // Whether a key that seals under the lock is there, asked on the way to its removal; also where nobody can say. Of
    // the damaged ones nobody can use anything, under whichever key.
    private func isSealedUnderLock(but damaged: [ConnectionID]) -> Bool {
        guard let rows = try? list() else { return true }
        let ids = rows.map(\.id).filter { !damaged.contains($0) } + [.revocations]
        return ids.contains { id in
            do throws(VaultFailure) { return try makeVault(id).isRotationPending() } catch { return true }
        }
    }

    /// Whether an interrupted ``setCode(_:as:)`` or ``removeCode(_:)`` has left something to seal again; also for homes
    /// from before a PIN made new keys. Ask it after an unlock.
    public func needsSealing() throws -> Bool {
        guard let lock, lock.state != .unset, lock.state.isOpen else { return false }
        let ids = try list().map(\.id) + [.revocations]
        return try ids.contains { try makeVault($0).isRotationPending() }
    }

    /// Seals what the connections keep with the keys that seal now, and destroys the others. The lock has to be open.
    /// Where one cannot be written, the others are all the same.
    ///
    /// - Returns: The damaged connections that stay as they were: nobody can use them.
    /// - Throws: Why a connection that can be used stays as it was.
    @discardableResult
    public func sealAgain() async throws -> [ConnectionID] {
        var damaged: [ConnectionID] = []
        var reason: (any Error)?
        for row in try list() {
            do {
                if try await !sealAgain(row.id) { damaged.append(row.id) }
            } catch {
                if case .failure = row.descriptor { damaged.append(row.id) } else { reason = reason ?? error }
            }
        }
        let waiting = vault(ofRevocations: ())
        _ = try await waiting.sealAgain([.revocations], of: ConnectionID.revocations.text) { _ throws(VaultFailure) in
            try await revocations.sealAgain()
            return true
        }
        if let reason { throw reason }
        return damaged
    }

    private func vault(ofRevocations: Void) -> TokenVault { makeVault(.revocations) }

    // The session under its own lock.
    private func sealAgain(_ id: ConnectionID) async throws(VaultFailure) -> Bool {
        let vault = vault(of: id)
        let store = SessionStore(vault: vault, name: .session(of: id), folder: folder.folder(of: id))
        var hasSession = false
        return try await vault.sealAgain(items(of: id), of: id.text) { name throws(VaultFailure) in
            guard name == .session(of: id) else { return false }
            hasSession = true
            try await store.sealAgain()
            return true
        } finish: { destroy throws(VaultFailure) in
            guard hasSession else { return try destroy() }
            try await store.sealAgain(before: destroy)
        }
    }
}
