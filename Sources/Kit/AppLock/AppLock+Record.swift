internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

extension AppLock {
    /// Looks at the record once: the start of the program.
    func openOnce() {
        let isFirst = memory.withLock { memory in
            defer { memory.isOpened = true }
            return !memory.isOpened
        }
        guard isFirst else { return }
        goOnWithOrders()
        let (record, reading) = look()
        memory.withLock { $0.record = record }
        let actions = handle(.opened(reading, now))
        guard actions.contains(where: { if case .finish = $0 { true } else { false } }), let record else {
            return perform(actions)
        }
        // An interrupted final action goes on before anything else. What fails now is tried again at the next start.
        _ = try? alone { () throws(AppLockFailure) in
            guard case .begun(let action) = record.ending else { return }
            try finish(action, record)
        }
    }

    /// The record, and what it says; where a wipe was ordered that has not ended, nothing but that.
    func look() -> (LockRecord?, AppLockMachine.Record) {
        let (record, reading) = lookAtRecord()
        switch orderedWipe {
        case .none: return (record, reading)
        case .ordered: return (record, .ended(.wipe))
        case .unknown: return (record, .unreadable(.orders))
        }
    }

    /// The record, and what it says, whatever was ordered.
    func lookAtRecord() -> (LockRecord?, AppLockMachine.Record) {
        do throws(VaultFailure) {
            switch try parts.vault.read(parts.name) {
            case .absent: return (nil, parts.isNeeded() ? .unreadable(.missing) : .absent)
            case .found(let secret):
                let bytes = secret.withBytes { span in span.indices.map { span[$0] } }
                guard let record = LockRecord(bytes) else { return (nil, .unreadable(.corrupt)) }
                return (record, reading(record))
            }
        } catch {
            return (nil, .unreadable(LockDamage(error)))
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

    /// Writes the record; when this returns, it is durable.
    func save(_ record: LockRecord) throws(AppLockFailure) {
        let bytes = record.encoded
        do throws(VaultFailure) {
            try parts.vault.store(bytes, as: parts.name)
        } catch {
            throw .notWritten(error.description)
        }
        memory.withLock { $0.record = record }
    }

    /// Runs `body` while no other thread or process changes the record.
    func alone<Result>(_ body: () throws(AppLockFailure) -> Result) throws(AppLockFailure) -> Result {
        let lock: FileLock
        do {
            try DurableFile.makeDirectory(parts.folder)
            lock = try FileLock.acquireBlocking(parts.folder + "/applock.lock", wait: .seconds(60))
        } catch FileLock.Failure.held {
            throw .busy
        } catch {
            throw .unavailable("The lock's own file cannot be used. \(error)")
        }
        let outcome = Swift.Result { () throws(AppLockFailure) in try body() }
        _ = consume lock
        return try outcome.get()
    }
}

extension LockDamage {
    init(_ failure: VaultFailure) {
        switch failure {
        case .locked: self = .storeLocked
        case .corrupt, .keyLost: self = .corrupt
        case .denied, .duplicate, .busy, .system: self = .denied
        }
    }
}

extension AppLock {
    /// Wrong PINs in a row, as the record said last.
    package var wrongInARow: Int { memory.withLock { Int($0.record?.attempts.failures ?? 0) } }

    /// What a guess costs, in words; `nil` without a PIN.
    package var priceWords: String? {
        memory.withLock { $0.record }.flatMap { CodeBridge.price(of: $0.code)?.words }
    }
}
