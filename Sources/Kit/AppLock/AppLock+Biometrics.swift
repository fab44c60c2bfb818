public import PavisePrimitives
internal import Synchronization

/// Keeps a copy of a lock's key under the system's access control: this device only, the people who are enrolled now (app-lock
/// AL9). An app on a system with biometrics gives one; there is none on Linux.
public protocol BiometricKeeper: Sendable {
    /// Stores the key, in place of another one.
    func keep(_ key: borrowing SecretBytes) throws
    /// Asks the person, and gives the key back.
    func release(reason: String) throws(BiometricRefusal) -> SecretBytes
    /// Forgets the key. Twice is fine.
    func forget()
}

/// Why a keeper gave no key.
public enum BiometricRefusal: Error, Hashable, Sendable {
    /// The person stopped or was not recognised, or the system wants its own code first.
    case failed
    /// Others are enrolled now: the key is gone.
    case enrolmentChanged
    /// This device has no biometrics, or no code of its own; and why.
    case unavailable(String)
}

extension AppLock {
    /// Lets `keeper` unlock from now on. Only right after a PIN, in the same run: the lock has to be open.
    public func armBiometrics(_ keeper: any BiometricKeeper) throws(AppLockFailure) {
        guard policy.allowsBiometrics else { throw .noBiometrics("The rules want the PIN.") }
        guard case .unlocked = state, !memory.withLock({ $0.machine.needsPIN }),
            let record = memory.withLock({ $0.record }), let key = parts.place.read(place(record))
        else { throw .locked(.requested) }
        do { try keeper.keep(key.bytes) } catch { throw .noBiometrics("The system did not take the key.") }
    }

    /// Opens the lock with what `keeper` releases: the key itself, never a bare "yes". A refusal counts nothing and grants nothing.
    public func unlock(with keeper: any BiometricKeeper, reason: String) throws(AppLockFailure) {
        openOnce()
        let key: BoxedSecret
        do throws(BiometricRefusal) { key = BoxedSecret(try keeper.release(reason: reason)) } catch {
            switch error {
            case .enrolmentChanged:
                perform(handle(.biometric(.enrolmentChanged, now)))
                throw .locked(.enrolmentChanged)
            case .failed: throw .noBiometrics("Nobody was recognised. Use the PIN.")
            case .unavailable(let reason): throw .noBiometrics(reason)
            }
        }
        guard let record = memory.withLock({ $0.record }), isKey(key, of: record) else {
            throw .noBiometrics("The stored key is not this lock's. Use the PIN.")
        }
        let actions = handle(.biometric(.released, now))
        for case .refuse(let failure) in actions { throw failure }
        guard actions.contains(.release) else { throw .locked(.enrolmentChanged) }
        _ = publish(key, record)
    }
}

/// Linux: there is no path from a fingerprint reader to a key, so nothing is simulated (app-lock AL12).
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
