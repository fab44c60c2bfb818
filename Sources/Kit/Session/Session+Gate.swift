internal import PaviseVault

/// A session under an app lock (app-lock AL43): while the lock is closed no token is lent, and none stays in memory.
extension Session {
    /// Stops where the gate is closed, and forgets what is in memory.
    func checkGate() throws(SessionFailure) {
        guard let gate = environment.gate else { return }
        guard gate.isOpen else {
            close()
            throw .locked
        }
        isClosed = false
    }

    /// Follows the gate for as long as the session lives. The gate drops what follows it at its next change, or when
    /// somebody else comes: what it keeps until then has no token.
    nonisolated func followGate() {
        environment.gate?.observe(for: self) { [weak self] isOpen in
            guard let self else { return false }
            if !isOpen { lent.forget() }
            Task { isOpen ? await self.reopen() : await self.close() }
            return true
        }
    }

    // What a refresh brought and nobody could store stays: it is all that is left of the session. It is not lent.
    private func close() {
        guard environment.gate?.isOpen == false, !isClosed || record != nil else { return }
        isClosed = true
        retryTask?.cancel()
        renewalTask?.cancel()
        machine = nil
        record = nil
        proving = nil
        trouble = nil
        resume(.locked, keepsFollowers: false)
        announce()
    }

    // No pause is left over: the next request goes through at once.
    private func reopen() {
        guard isClosed, (try? checkGate()) != nil else { return }
        try? load()
        announce()
        scheduleRenewal()
    }

    /// What is newer: the store's record, or one that a refresh brought while nothing could be stored.
    func newest(_ stored: SessionRecord) -> SessionRecord {
        guard let unsaved, unsaved.epoch == stored.epoch, unsaved.generation > stored.generation else {
            unsaved = nil
            return stored
        }
        scheduleSave(after: 1)
        return unsaved
    }

    /// Keeps what a refresh brought that ended after the gate was closed.
    func keep(_ outcome: RefreshProcedure.Outcome) {
        guard case .renewedUnsaved(let renewed, _) = outcome else { return }
        guard isClosed || record?.epoch == renewed.epoch else { return }
        unsaved = renewed
        if !isClosed { scheduleSave(after: 1) }
    }
}
