internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

extension AppLock {
    /// Looks at the record once: the start of the program. Who asks meanwhile waits for it: before the look the lock
    /// counts as
    /// closed, also where no PIN was ever set.
    func openOnce() {
        guard !memory.withLock({ $0.isOpened }), Self.opening != ObjectIdentifier(self) else { return }
        firstLook.withLock { _ in
            guard !memory.withLock({ $0.isOpened }) else { return }
            // What the look itself asks on its way does not wait for it.
            Self.$opening.withValue(ObjectIdentifier(self)) { lookFirst() }
            memory.withLock { $0.isOpened = true }
        }
    }

    private func lookFirst() {
        goOnWithMark()
        goOnWithOrders()
        let (record, reading) = look()
        memory.withLock { $0.record = record }
        if case .absent = reading { goOnWithPending() }
        let actions = handle(.opened(reading, now))
        guard actions.contains(where: { if case .finish = $0 { true } else { false } }) else {
            return perform(actions)
        }
        // An interrupted final action goes on before anything else. What fails now is tried again at the next start.
        _ = try? alone { () throws(AppLockFailure) in
            // Another process may have ended it meanwhile.
            guard let record = look().0, case .begun(let action) = record.ending else { return }
            try finish(action, record)
        }
    }

    /// The record, and what it says; where a wipe was ordered that has not ended, nothing but that.
    func look() -> (LockRecord?, AppLockMachine.Record) {
        let (record, reading) = lookAtRecord()
        // What closes by itself says why: what is wrong with the orders too would hide the way out of it.
        if case .unreadable = reading, orderedWipe != .ordered { return (record, reading) }
        switch orderedWipe {
        case .none: return (record, reading)
        case .ordered: return (record, .ended(.wipe))
        case .unknown: return (record, .unreadable(.orders))
        case .locked: return (record, .unreadable(.storeLocked))
        }
    }

    /// The record, and what it says, whatever was ordered.
    func lookAtRecord() -> (LockRecord?, AppLockMachine.Record) {
        switch markedRecord() {
        case .none, .removed: (nil, parts.need().record)
        case .current(let record), .unmarked(let record): (record, reading(record))
        case .damaged(let damage): (nil, .unreadable(damage))
        }
    }

    private func reading(_ record: LockRecord) -> AppLockMachine.Record {
        switch record.ending {
        case .begun(let action): return .ending(action)
        case .done(let action): return .ended(action)
        case .none: break
        }
        // A use counts only with the key that proves the unlock.
        guard let use = record.use, let key = parts.place.read(place(record)), isKey(key, of: record) else {
            return .present(record.attempts, nil)
        }
        return .present(record.attempts, use)
    }

    /// Runs `body` while no other thread or process changes the record.
    ///
    /// - Parameter patience: How long somebody who does is waited for.
    func alone<Result>(
        waiting patience: Duration = .seconds(60), _ body: () throws(AppLockFailure) -> Result
    ) throws(AppLockFailure) -> Result {
        do throws(SystemFailure) {
            try PaviseHome(path: parts.folder).make()
        } catch {
            throw .unusableFile("\(error)")
        }
        return try FileLock.holding(
            parts.folder + "/applock.lock", wait: patience,
            or: { $0.mapped(held: .busy) { AppLockFailure.unusableFile($0.description) } }, body)
    }
}

extension AppLock {
    /// ``alone(_:)`` for what proves the key and puts it where it waits: until it is there, nobody takes it for gone.
    func proving<Result>(_ body: () throws(AppLockFailure) -> Result) throws(AppLockFailure) -> Result {
        try alone { () throws(AppLockFailure) in
            memory.withLock { $0.isProving = true }
            defer { memory.withLock { $0.isProving = false } }
            return try body()
        }
    }
}

extension LockDamage {
    init(_ failure: VaultFailure) {
        switch failure {
        case .locked: self = .storeLocked
        case .corrupt, .keyLost: self = .corrupt
        case .newer: self = .newer
        case .denied: self = .denied
        case .duplicate, .busy, .system: self = .unavailable(KeychainBridge.lastFailure ?? failure.description)
        }
    }
}

extension AppLock {
    /// Wrong PINs in a row, as the record said last.
    package var wrongInARow: Int { memory.withLock { Int($0.record?.attempts.failures ?? 0) } }

    /// What a guess costs, in words; `nil` without a PIN.
    package var priceWords: String? {
        memory.withLock { $0.record }.flatMap { PINKeyDerivationBridge.price(of: $0.code)?.words }
    }
}
