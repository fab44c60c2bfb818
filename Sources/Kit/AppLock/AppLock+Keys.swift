public import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

extension AppLock {
    /// A key of 32 bytes for one use, while the lock is open: seal with it what the lock shall protect. The same each
    /// time for the same use.
    ///
    /// - Parameter use: For example a connection's identifier (app-lock AL46).
    /// - Throws: ``AppLockFailure/locked(_:)``, ``AppLockFailure/notSet`` and the others that ``state`` tells.
    public func key(for use: String) throws(AppLockFailure) -> SecretBytes {
        switch state {
        case .unset: throw .notSet
        case .ended(let action): throw .ended(action)
        case .locked(.unreadable(let damage)): throw .unreadable(damage)
        case .locked(let reason), .delayed(let reason, _): throw .locked(reason)
        case .unlocked: break
        }
        guard let record = memory.withLock({ $0.record }), let key = parts.place.read(place(record)) else {
            throw .locked(.keyGone)
        }
        guard let derived = BoxBridge.derive(key.bytes, use: "pavise app lock: \(use)") else {
            throw .unavailable("The cryptographic library refused.")
        }
        return derived
    }

    /// Whether a key is the lock's: only that opens the record's empty box.
    func isKey(_ key: SharedSecretBytes, of record: LockRecord) -> Bool {
        guard key.bytes.count == 32 else { return false }
        return BoxBridge.open(record.check, key: key.bytes, label: record.label) != nil
    }

    func fresh() throws(AppLockFailure) -> SharedSecretBytes {
        do { return SharedSecretBytes(try SecretBytes.random(count: 32)) } catch {
            throw .unavailable("The kernel gave no random bytes.")
        }
    }

    /// The record of a first PIN or passphrase.
    func newRecord(_ pin: SharedSecretBytes, _ kind: LockCode, _ key: SharedSecretBytes) throws(AppLockFailure)
        -> LockRecord
    {
        var identity: [UInt8] = []
        do { identity = try Entropy.kernel.bytes(16) } catch { throw .unavailable("The kernel gave no random bytes.") }
        let plan = LockRecord(identity: identity, code: [], wrapped: [], check: [])
        let empty: [UInt8] = []
        guard let check = empty.withSpan({ BoxBridge.seal($0, key: key.bytes, label: plan.label) }) else {
            throw .unavailable("The cryptographic library refused.")
        }
        let record = LockRecord(identity: identity, code: [], wrapped: [], check: check)
        return try wrapped(key, by: pin, kind, in: record)
    }

    /// The record with its key wrapped by another PIN or passphrase.
    func wrapped(
        _ key: SharedSecretBytes, by pin: SharedSecretBytes, _ kind: LockCode, in record: LockRecord
    ) throws(AppLockFailure) -> LockRecord {
        var record = record
        do throws(PINKeyDerivationBridge.Failure) {
            let made = try parts.code.make(pin.bytes, label: record.label)
            notePending(made.record)
            let box = key.bytes.withBytes { BoxBridge.seal($0, key: made.key.bytes, label: record.label) }
            guard let box else { throw .unavailable("The cryptographic library refused.") }
            record.retiring = record.code
            record.code = made.record
            record.kind = kind
            record.wrapped = box
        } catch {
            throw AppLockFailure(error)
        }
        return record
    }

    /// Puts the key where it waits while the lock is open.
    ///
    /// - Parameter clearance: That of the attempt which proved the key.
    /// - Returns: Whether other processes find it.
    func publish(_ key: SharedSecretBytes, _ record: LockRecord, by clearance: LockClearance) -> Bool {
        let seconds = UInt32(clamping: policy.idle.components.seconds)
        guard let isShared = parts.place.keep(key.bytes, name: place(record), seconds: seconds) else {
            perform(handle(.keyGone))
            return false
        }
        // Whoever closed the lock since the proof found no key to take away.
        guard case .unlocked = memory.withLock({ $0.machine.state }) else {
            parts.place.forget(place(record))
            return false
        }
        tell(isOpen: true)
        return isShared
    }
}

extension AppLockFailure {
    init(_ failure: PINKeyDerivationBridge.Failure) {
        switch failure {
        case .wrong: self = .wrongPIN(.init(attempts: nil, finalAction: .wipe, wait: 0))
        case .blocked: self = .unavailable("The secure element refuses further tries.")
        case .lost, .damaged: self = .unreadable(.corrupt)
        case .unavailable(let reason): self = .unavailable(reason)
        }
    }
}
