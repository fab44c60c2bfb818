internal import PaviseLog
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// One try from its count to its end, while the record is held alone.
struct AppLockRun {
    let lock: AppLock
    var record: LockRecord
    let pin: SharedSecretBytes
    /// The new one of a change, and its kind.
    let next: (form: SharedSecretBytes, kind: LockCode)?
    /// What lets the key out.
    let clearance: LockClearance
    /// See ``Renewal``.
    var renewal: Renewal?
    /// What is looked at before a removal.
    var last: (() throws(AppLockFailure) -> Void)?
    private var key: SharedSecretBytes?
    private(set) var isShared = false

    /// What a proof is for beside the unlock: looked at before the try is counted, done after the proof and before
    /// anything opens.
    struct Renewal {
        let check: () throws(AppLockFailure) -> Void
        let renew: () throws(AppLockFailure) -> Void
    }

    init(
        lock: AppLock, record: LockRecord, pin: SharedSecretBytes, next: (form: SharedSecretBytes, kind: LockCode)?,
        clearance: LockClearance
    ) {
        self.lock = lock
        self.record = record
        self.pin = pin
        self.next = next
        self.clearance = clearance
    }

    /// Does what the machine says until it says nothing more.
    mutating func perform(_ first: [AppLockMachine.Action]) throws(AppLockFailure) {
        var actions = first[...]
        while let action = actions.popFirst() { actions += try perform(action) }
    }

    private mutating func perform(_ action: AppLockMachine.Action) throws(AppLockFailure) -> [AppLockMachine.Action] {
        switch action {
        case .store(let attempts): return store(attempts)
        case .judge: return try judge()
        case .release: try release()
        case .rewrap: try rewrap()
        case .remove: try remove()
        case .dropKey:
            lock.parts.place.forget(lock.place(record))
            lock.tell(isOpen: false)
        case .finish(let action): try lock.finish(action, record)
        case .refuse(let failure): throw failure.naming(record.kind)
        case .cover, .uncover: break
        }
        return []
    }

    private mutating func store(_ attempts: Attempts) -> [AppLockMachine.Action] {
        record.attempts = attempts
        let isDurable = (try? lock.save(&record)) != nil
        AppLockStep.counted.reached()
        return lock.handle(.stored(isDurable))
    }

    // A PIN is right when the key comes out of its box: there is nothing that it could be compared with.
    private mutating func judge() throws(AppLockFailure) -> [AppLockMachine.Action] {
        do throws(PINKeyDerivationBridge.Failure) {
            let wrapping = try lock.parts.code.key(pin.bytes, record: record.code, label: record.label)
            if let opened = BoxBridge.open(record.wrapped, key: wrapping.bytes, label: record.label) {
                key = SharedSecretBytes(opened)
            }
        } catch {
            switch error {
            case .wrong: key = nil
            case .blocked: return lock.handle(.blocked)
            case .lost, .damaged, .unavailable:
                try perform(lock.handle(.unjudged))
                throw AppLockFailure(error)
            }
        }
        AppLockStep.judged.reached()
        if key == nil { lock.parts.trail?.record(AuditEvent(.pinWrong, ["failures": "\(record.attempts.failures)"])) }
        return lock.handle(.judged(key != nil, lock.now))
    }

    private mutating func release() throws(AppLockFailure) {
        guard let key else { return }
        try renewal?.renew()
        let now = lock.now
        lock.memory.withLock { $0.proved = now }
        record.use = .init(since: now, last: now)
        try? lock.save(&record)
        isShared = lock.publish(key, record, by: clearance)
        lock.parts.trail?.record(AuditEvent(.unlocked))
        destroyRetired()
        lock.clearPending(record)
    }

    // The new wrapping is durable before the old one is destroyed: at every instant one PIN opens. Where the write
    // fails, what the element made for the new PIN stays behind, without use: nobody knows whether such a write comes
    // to light after a loss of power, and without the element's part the PIN would then open nothing.
    private mutating func rewrap() throws(AppLockFailure) {
        guard let key, let next else { return }
        destroyRetired()
        lock.clearPending(record)
        record = try lock.wrapped(key, by: next.form, next.kind, in: record)
        AppLockStep.wrapped.reached()
        defer { lock.forgetPending() }
        try lock.save(&record)
        AppLockStep.rewrapped.reached()
        lock.forgetBiometrics()
        lock.parts.trail?.record(AuditEvent(.pinChanged))
        destroyRetired()
    }

    private mutating func destroyRetired() {
        guard !record.retiring.isEmpty, (try? lock.parts.code.destroy(record.retiring)) != nil else { return }
        AppLockStep.unwrapped.reached()
        record.retiring = []
        try? lock.save(&record)
    }

    private mutating func remove() throws(AppLockFailure) {
        do throws(AppLockFailure) {
            try lookOnceMore()
            lock.parts.place.forget(lock.place(record))
            lock.forgetBiometrics()
            try lock.erase(record)
        } catch {
            // Where the record is still there, the lock is too: closed, where its key is gone from memory.
            lock.perform(lock.handle(.opened(lock.look().1, lock.now)))
            throw error
        }
        lock.parts.trail?.record(AuditEvent(.pinRemoved))
    }

    // The PIN was right: where it stays, no try is counted. Where that cannot be written, one more is.
    private mutating func lookOnceMore() throws(AppLockFailure) {
        do throws(AppLockFailure) { try last?() } catch {
            record.attempts = Attempts()
            try? lock.save(&record)
            throw error
        }
    }
}
