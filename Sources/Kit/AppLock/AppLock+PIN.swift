internal import PaviseLog
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
        /// Whether the rules of today would not take it: too short, too well known, or of the other kind. Ask for
        /// another one.
        public let mustReplace: Bool
    }

    /// Sets the first PIN. The lock is open afterwards, unless somebody asked for it meanwhile, or the app left the
    /// foreground without a grace: then it is set, and closed.
    ///
    /// - Returns: Whether other processes of this user find it unlocked.
    /// - Throws: ``AppLockFailure/alreadySet``; ``AppLockFailure/pin(_:)`` for one that may not be chosen.
    @discardableResult
    public func setPIN(_ typed: borrowing SecretBytes) throws(AppLockFailure) -> Bool { try set(typed, as: .pin) }

    /// Sets the first PIN or passphrase. The lock is open afterwards, unless somebody closes it meanwhile: see
    /// ``setPIN(_:)``.
    ///
    /// - Returns: Whether other processes of this user find it unlocked.
    /// - Throws: ``AppLockFailure/alreadySet``; ``AppLockFailure/pin(_:)``, ``AppLockFailure/passphrase(_:)`` and
    ///   ``AppLockFailure/otherCode(_:)`` for one that may not be chosen.
    @discardableResult
    public func set(_ typed: borrowing SecretBytes, as kind: LockCode) throws(AppLockFailure) -> Bool {
        let form = try chosen(typed, kind)
        let clearance = try checkClearance()
        openOnce()
        return try proving { () throws(AppLockFailure) in
            let (known, reading) = look()
            if case .unreadable(let damage) = reading { throw .unreadable(damage) }
            guard known == nil, case .absent = reading else { throw .alreadySet }
            _ = handle(.opened(.absent, now))
            _ = handle(.establishing)
            defer { _ = handle(.notEstablished) }
            let key = try fresh()
            clearPending(nil)
            var record = try newRecord(form, kind, key)
            do throws(VaultFailure) { try parts.vault.prepare() } catch { throw .notWritten(error.description) }
            record.use = .init(since: now, last: now)
            defer { forgetPending() }
            try save(&record, isFirst: true)
            AppLockStep.established.reached()
            memory.withLock { $0.proved = now }
            let actions = handle(.established(now))
            parts.trail?.record(AuditEvent(.pinSet))
            perform(actions)
            // Somebody asked for the lock meanwhile, or the app left: the key stays nowhere.
            guard actions.contains(.release) else { return false }
            return publish(key, record, by: clearance)
        }
    }

    /// Opens the lock with its PIN or passphrase.
    ///
    /// The try is counted durably before what was typed is looked at; a kill at any point costs a try and gives none.
    /// Where somebody asks for the lock while the PIN is being judged, or the app leaves the foreground without a
    /// grace, it stays closed.
    ///
    /// - Throws: ``AppLockFailure/wrongPIN(_:)``, ``AppLockFailure/tryLater(seconds:)``, ``AppLockFailure/ended(_:)``,
    ///   ``AppLockFailure/locked(_:)`` for a right PIN that opens nothing, and the others of ``AppLockFailure``.
    @discardableResult
    public func unlock(_ typed: borrowing SecretBytes) throws(AppLockFailure) -> Unlocked {
        try attempt(.unlock, typed, next: nil)
    }

    /// Changes to another PIN. What is sealed stays sealed with the same key; the old PIN opens nothing any more.
    public func changePIN(
        _ typed: borrowing SecretBytes, to new: borrowing SecretBytes
    ) throws(AppLockFailure) {
        try change(typed, to: new, as: .pin)
    }

    /// Changes to another PIN or passphrase. What is sealed stays sealed with the same key; the old one opens nothing
    /// any more.
    public func change(
        _ typed: borrowing SecretBytes, to new: borrowing SecretBytes, as kind: LockCode
    ) throws(AppLockFailure) {
        _ = try attempt(.change, typed, next: (try chosen(new, kind), kind))
    }

    /// Removes the PIN or passphrase and the lock's key. Open what was sealed with the key before: afterwards nobody
    /// can.
    public func removePIN(_ typed: borrowing SecretBytes) throws(AppLockFailure) {
        _ = try attempt(.remove, typed, next: nil)
    }

    /// The same with a last look between the proof and the removal, while nobody changes the record. Where it throws,
    /// the lock stays, and is open.
    package func removePIN(
        _ typed: borrowing SecretBytes, after last: @escaping () throws(AppLockFailure) -> Void
    ) throws(AppLockFailure) {
        _ = try attempt(.remove, typed, next: nil, last: last)
    }

    /// What has to be typed to open the lock; `nil` where nothing is set, or nobody can say.
    public var code: LockCode? {
        openOnce()
        return memory.withLock { $0.record?.kind }
    }

    /// Whether the rules want something else than what is set: ask the person to change it after the next unlock.
    public var mustReplace: Bool { code.map { !policy.codes.contains($0) } ?? false }

    private func chosen(_ typed: borrowing SecretBytes, _ kind: LockCode) throws(AppLockFailure) -> SharedSecretBytes {
        let policy = policy
        let form = try policy.form(typed, kind)
        try policy.checkNew(form.bytes, kind)
        return form
    }

    /// One try.
    ///
    /// - Parameters:
    ///   - next: The new one of a change, and its kind.
    ///   - renewal: What has to be done after the proof and before anything opens. Then the record alone counts, and
    ///     not what was ordered.
    ///   - last: See ``removePIN(_:after:)``.
    func attempt(
        _ purpose: AppLockMachine.Purpose, _ typed: borrowing SecretBytes,
        next: (form: SharedSecretBytes, kind: LockCode)?, renewal: AppLockRun.Renewal? = nil,
        last: (() throws(AppLockFailure) -> Void)? = nil
    ) throws(AppLockFailure) -> Unlocked {
        let typed = SharedSecretBytes(typed.duplicate())
        let clearance = try checkClearance()
        openOnce()
        return try proving { () throws(AppLockFailure) in
            try renewal?.check()
            let (found, reading) = renewal == nil ? look() : lookWithoutUse()
            memory.withLock { $0.record = found }
            follow(reading)
            guard let found else { throw refusal(reading) }
            if case .ending(let action) = reading {
                goOn(with: action, found)
                throw .ended(action)
            }
            let form = try policy.form(typed.bytes, found.kind)
            if let next, next.kind == found.kind, form.bytes.matches(next.form.bytes) {
                throw found.kind == .pin ? .pin(.sameAsBefore) : .passphrase(.sameAsBefore)
            }
            var run = AppLockRun(lock: self, record: found, pin: form, next: next, clearance: clearance)
            run.renewal = renewal
            run.last = last
            do throws(AppLockFailure) { try run.perform(handle(.attempt(purpose, now))) } catch {
                if renewal != nil { _ = handle(.opened(look().1, now)) }
                throw error
            }
            return Unlocked(
                wrongBefore: Int(found.attempts.failures), isShared: run.isShared,
                mustReplace: failure { () throws(AppLockFailure) in try policy.checkNew(form.bytes, found.kind) } != nil
            )
        }
    }

    private func failure(_ body: () throws(AppLockFailure) -> Void) -> AppLockFailure? {
        do throws(AppLockFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    // An unlock from before the loss opens nothing: the proof has to be a new one.
    private func lookWithoutUse() -> (LockRecord?, AppLockMachine.Record) {
        let (record, reading) = lookAtRecord()
        guard case .present(let attempts, _) = reading else { return (record, reading) }
        return (record, .present(attempts, nil))
    }

    // Another process may have counted, changed the PIN or removed it since this one looked.
    func follow(_ reading: AppLockMachine.Record) {
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
