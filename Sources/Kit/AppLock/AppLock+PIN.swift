public import PavisePrimitives
internal import PaviseValidation
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

extension AppLock {
    /// What a right PIN brought to light.
    public struct Unlocked: Hashable, Sendable {
        /// Wrong PINs since the last right one: tell the person (AL24).
        public let wrongBefore: Int
        /// Whether other processes of this user find it unlocked.
        public let isShared: Bool
    }

    /// Sets the first PIN. The lock is open afterwards.
    ///
    /// - Throws: ``AppLockFailure/alreadySet``; ``AppLockFailure/pin(_:)`` for one that may not be chosen.
    @discardableResult
    public func setPIN(_ typed: borrowing SecretBytes) throws(AppLockFailure) -> Bool {
        let pin = try digits(typed, isNew: true)
        openOnce()
        return try alone { () throws(AppLockFailure) in
            let (known, reading) = look()
            if case .unreadable(let damage) = reading { throw .unreadable(damage) }
            guard known == nil, case .absent = reading else { throw .alreadySet }
            _ = handle(.opened(.absent, now))
            let key = try fresh()
            var record = try newRecord(pin, key)
            do throws(VaultFailure) { try parts.vault.prepare() } catch { throw .notWritten(error.description) }
            record.use = .init(since: now, last: now)
            try save(record)
            _ = handle(.established(now))
            return publish(key, record)
        }
    }

    /// Opens the lock.
    ///
    /// The try is counted durably before the PIN is looked at; a kill at any point costs a try and gives none.
    /// - Throws: ``AppLockFailure/wrongPIN(_:)``, ``AppLockFailure/tryLater(seconds:)``, ``AppLockFailure/ended(_:)`` and
    ///   the others of ``AppLockFailure``.
    @discardableResult
    public func unlock(_ typed: borrowing SecretBytes) throws(AppLockFailure) -> Unlocked {
        let pin = try digits(typed, isNew: false)
        return try attempt(.unlock, pin, next: nil)
    }

    /// Changes the PIN. What is sealed stays sealed with the same key; the old PIN opens nothing any more.
    public func changePIN(
        _ typed: borrowing SecretBytes, to new: borrowing SecretBytes
    ) throws(AppLockFailure) {
        let old = try digits(typed, isNew: false)
        let next = try digits(new, isNew: true)
        guard !old.bytes.matches(next.bytes) else { throw .pin(.sameAsBefore) }
        _ = try attempt(.change, old, next: next)
    }

    /// Removes the PIN and the lock's key. Open what was sealed with the key before: afterwards nobody can.
    public func removePIN(_ typed: borrowing SecretBytes) throws(AppLockFailure) {
        let pin = try digits(typed, isNew: false)
        _ = try attempt(.remove, pin, next: nil)
    }

    private func digits(_ typed: borrowing SecretBytes, isNew: Bool) throws(AppLockFailure) -> BoxedSecret {
        do throws(PINProblem) {
            let digits = try policy.pin.digits(in: typed)
            if isNew { try policy.pin.checkNew(digits) }
            return BoxedSecret(digits)
        } catch {
            throw .pin(error)
        }
    }

    private func attempt(
        _ purpose: AppLockMachine.Purpose, _ pin: BoxedSecret, next: BoxedSecret?
    ) throws(AppLockFailure) -> Unlocked {
        openOnce()
        return try alone { () throws(AppLockFailure) in
            let (found, reading) = look()
            follow(reading)
            guard let found else { throw refusal(reading) }
            var run = AppLockRun(lock: self, record: found, pin: pin, next: next)
            try run.perform(handle(.attempt(purpose, now)))
            return Unlocked(wrongBefore: Int(found.attempts.failures), isShared: run.isShared)
        }
    }

    // Another process may have counted, changed the PIN or removed it since this one looked.
    private func follow(_ reading: AppLockMachine.Record) {
        let now = self.now
        memory.withLock { memory in
            if case .present(let attempts, _) = reading, memory.machine.isSet {
                memory.machine.attempts = attempts
            } else {
                _ = memory.machine.handle(.opened(reading, now))
            }
        }
    }

    private func refusal(_ reading: AppLockMachine.Record) -> AppLockFailure {
        if case .unreadable(let damage) = reading { return .unreadable(damage) }
        return .notSet
    }
}

extension AppLockMachine {
    /// Whether a PIN is set and can be judged.
    var isSet: Bool {
        switch state {
        case .unset, .ended, .locked(.unreadable): false
        case .locked, .unlocked: true
        }
    }
}
