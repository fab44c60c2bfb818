internal import PaviseLog
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

extension AppLock {
    /// Takes the final action: mark (durable), key, the product's handler, end. Each step is safe to repeat, and after
    /// a crash the next start goes on from the mark (app-lock AL21). Call it ``alone(_:)``.
    func finish(_ action: AppLockPolicy.FinalAction, _ known: LockRecord) throws(AppLockFailure) {
        var record = known
        record.ending = .begun(action)
        record.use = nil
        try save(&record)
        parts.trail?.record(AuditEvent(.wipeBegun, ["action": "\(action)"]))
        AppLockStep.ending.reached()
        forgetBiometrics()
        parts.place.forget(place(record))
        if action == .wipe { try destroyCodes(of: record) }
        AppLockStep.destroyed.reached()
        do { try finalHandler(action) } catch { throw .notFinished("\(error)") }
        AppLockStep.handled.reached()
        switch action {
        case .wipe: try erase(record)
        case .endSession:
            record.ending = .done(action)
            try save(&record)
        }
        parts.trail?.record(AuditEvent(.wipeDone, ["action": "\(action)"]))
    }

    /// Goes on with a final action that was begun and did not end; what fails now is tried again with the next call.
    /// Call it ``alone(_:)``.
    func goOn(with action: AppLockPolicy.FinalAction, _ record: LockRecord?) {
        guard let record else { return }
        try? finish(action, record)
    }

    // Without its guard the box never opens again, whoever has a copy of it and knows the PIN.
    private func destroyCodes(of record: LockRecord) throws(AppLockFailure) {
        do throws(PINKeyDerivationBridge.Failure) {
            try parts.code.destroy(record.code)
            try parts.code.destroy(record.retiring)
        } catch {
            throw .notFinished(AppLockFailure(error).description)
        }
    }

    /// Removes the record, its guard and the key that sealed it. The record goes before its guard: a record without one
    /// would be damage, which nobody could unlock; a guard without its record opens nothing.
    func erase(_ record: LockRecord) throws(AppLockFailure) {
        // The mark first: a record that is gone without it would be damage.
        try markRemoved(record)
        AppLockStep.unmarked.reached()
        do throws(VaultFailure) { try parts.vault.erase(parts.name) } catch { throw .notWritten(error.description) }
        memory.withLock { $0.record = nil }
        AppLockStep.erased.reached()
        clearPending(record)
        do throws(PINKeyDerivationBridge.Failure) {
            try parts.code.destroy(record.code)
            try parts.code.destroy(record.retiring)
        } catch {
            throw AppLockFailure(error)
        }
        do throws(VaultFailure) { try parts.vault.destroyKey() } catch { throw .notWritten(error.description) }
    }

    /// Says that the account which the lock protects has signed in anew, with its server: after
    /// ``AppLockPolicy/FinalAction/endSession`` there are tries again, and the PIN opens what stayed sealed.
    public func signedIn() throws(AppLockFailure) {
        openOnce()
        try alone { () throws(AppLockFailure) in
            let (found, reading) = look()
            guard var record = found, case .ended = reading else { return }
            _ = handle(.opened(reading, now))
            for case .store(let attempts) in handle(.signedIn) { record.attempts = attempts }
            record.ending = .none
            try save(&record)
        }
    }
}
