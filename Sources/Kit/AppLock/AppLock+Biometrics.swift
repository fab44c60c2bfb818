public import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// Keeps a copy of a lock's key, with the sign of its PIN, under the system's access control: this device only, the
/// people who are enrolled now (app-lock AL9). An app on a system with biometrics gives one; there is none on Linux.
public protocol BiometricKeeper: Sendable {
    /// Stores the key, in place of another one: 64 bytes, of which nothing needs to be known.
    func keep(_ key: borrowing SecretBytes) throws
    /// Asks the person, and gives the key back.
    func release(reason: String) throws(BiometricRefusal) -> SecretBytes
    /// Forgets the key. Twice is fine.
    func forget()
}

/// Why a ``BiometricKeeper`` did not release the key.
public enum BiometricRefusal: Error, Hashable, Sendable {
    /// The person stopped or was not recognised, or the system wants its own code first.
    case failed
    /// Others are enrolled now: the key is gone.
    case enrolmentChanged
    /// This device has no biometrics, or no code of its own; and why.
    case unavailable(String)
}

extension AppLock {
    /// Lets `keeper` unlock from now on. Only within a minute after a right PIN, in the same run: the lock has to be
    /// open.
    ///
    /// The keeper forgets the key when the PIN is changed or removed, and with the final action. One that does not hear
    /// of it, for example because the app did not name it with ``follow(_:)-(BiometricKeeper)``, opens nothing after a
    /// change either.
    public func armBiometrics(_ keeper: any BiometricKeeper) throws(AppLockFailure) {
        guard policy.allowsBiometrics else { throw .noBiometrics("The rules want the PIN.") }
        let now = self.now
        guard case .unlocked = state, !memory.withLock({ $0.machine.needsPIN }),
            let record = memory.withLock({ $0.record }), let key = parts.place.read(place(record)),
            case .time(let passed, _)? = memory.withLock({ $0.proved }).map({ now.elapsed(since: $0) }),
            passed <= 60_000, let kept = record.kept(key)
        else { throw .locked(.requested) }
        do { try keeper.keep(kept) } catch { throw .noBiometrics("The system did not take the key.") }
        memory.withLock { $0.keepers.append(keeper) }
    }

    /// Lets keepers forget the lock's key.
    func forgetBiometrics() {
        let keepers = memory.withLock { memory in
            defer { memory.keepers = [] }
            return memory.keepers
        }
        for keeper in keepers { keeper.forget() }
    }

    /// Names the keeper of this app, at each start, so that it forgets the key when the PIN is changed or removed, and
    /// with the final action.
    public func follow(_ keeper: any BiometricKeeper) { memory.withLock { $0.keepers.append(keeper) } }

    /// Opens the lock with what `keeper` releases: the key itself, never a bare "yes". A refusal counts nothing and
    /// grants nothing.
    public func unlock(with keeper: any BiometricKeeper, reason: String) throws(AppLockFailure) {
        let clearance = try checkClearance()
        openOnce()
        let kept: SharedSecretBytes
        do throws(BiometricRefusal) { kept = SharedSecretBytes(try keeper.release(reason: reason)) } catch {
            switch error {
            case .enrolmentChanged:
                keeper.forget()
                perform(handle(.biometric(.enrolmentChanged, now)))
                throw .locked(.enrolmentChanged)
            case .failed: throw .noBiometrics("Nobody was recognised. Use the PIN.")
            case .unavailable(let reason): throw .noBiometrics(reason)
            }
        }
        // Another process may have counted, changed the PIN or wiped meanwhile: the record counts, and nobody else is
        // at it.
        try proving { () throws(AppLockFailure) in
            let (found, reading) = look()
            memory.withLock { $0.record = found }
            follow(reading)
            if case .unreadable(let damage) = reading { throw .unreadable(damage) }
            if case .ended(let action) = reading { throw .ended(action) }
            if case .ending(let action) = reading {
                goOn(with: action, found)
                throw .ended(action)
            }
            guard let record = found, let key = record.key(in: kept), isKey(key, of: record) else {
                keeper.forget()
                throw .noBiometrics("The stored key is not this lock's. Use the PIN.")
            }
            let actions = handle(.biometric(.released, now))
            // The last wrong PIN was counted, and its process did not live to draw the consequence.
            for case .finish(let action) in actions {
                perform(actions)
                try finish(action, record)
            }
            for case .refuse(let failure) in actions { throw failure }
            guard actions.contains(.release) else { throw .locked(.enrolmentChanged) }
            _ = publish(key, record, by: clearance)
        }
    }
}

extension LockRecord {
    /// What a keeper keeps: the lock's key (32 bytes), and the digest of what the PIN of now opens it with. A changed
    /// PIN keeps the key.
    fileprivate func kept(_ key: SharedSecretBytes) -> SecretBytes? {
        guard key.bytes.count == 32 else { return nil }
        let digest = MessageDigest.sha256(code)
        return key.withBytes { key in
            SecretBytes(count: 64) { target in
                for index in 0..<32 {
                    target[index] = key[index]
                    target[index + 32] = digest[index]
                }
            }
        }
    }

    /// The key of what a keeper kept; `nil` where that was under another PIN, or by an older Pavise, which did not say
    /// under which.
    fileprivate func key(in kept: SharedSecretBytes) -> SharedSecretBytes? {
        let digest = MessageDigest.sha256(code)
        return kept.withBytes { bytes in
            guard bytes.count == 64,
                digest.withSpan({ digest in ConstantTime.equal(bytes.extracting(32..<64), digest) })
            else { return nil }
            return SharedSecretBytes(SecretBytes(copying: bytes.extracting(0..<32)))
        }
    }
}

/// For Linux: no fingerprint reader releases a key there, and nothing is simulated (app-lock AL12).
public struct NoBiometrics: BiometricKeeper {
    private static let words = "Biometrics are not available on this platform. Use the PIN."

    /// The keeper of a platform without biometrics.
    public init() {}

    /// Refuses.
    public func keep(_ key: borrowing SecretBytes) throws { throw BiometricRefusal.unavailable(Self.words) }

    /// Refuses, and says so.
    public func release(reason: String) throws(BiometricRefusal) -> SecretBytes { throw .unavailable(Self.words) }

    /// There is nothing to forget.
    public func forget() {}
}
