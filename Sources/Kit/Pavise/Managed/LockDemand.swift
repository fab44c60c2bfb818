package import PaviseAppLock
internal import PaviseTransport

/// What stands between a person and her connections: the app lock, and what an administrator asks of it. Pure.
package enum LockDemand: Error, Hashable, Sendable {
    /// The administrator asks for a PIN or passphrase, and there is none.
    case set(LockCode)
    /// The rules of today would not take the one that is set.
    case replace(LockCode)
    /// It is closed.
    case unlock(LockReason)
    /// Its record cannot be used.
    case unreadable(LockDamage)
    /// It has done its last action.
    case ended(AppLockPolicy.FinalAction)

    /// Whether an unlock is all that is asked for.
    var isUnlock: Bool { if case .unlock = self { true } else { false } }

    /// The first thing that is to be done; `nil` where nothing is.
    ///
    /// - Parameters:
    ///   - isRequired: Whether an administrator asks for a lock.
    ///   - mustReplace: Whether the rules would not take what is set.
    ///   - usual: What a person is asked for who chooses nothing.
    package init?(_ state: AppLockState, isRequired: Bool, mustReplace: Bool, usual: LockCode) {
        switch state {
        case .unset where isRequired: self = .set(usual)
        case .unlocked where mustReplace: self = .replace(usual)
        case .unset, .unlocked: return nil
        case .locked(.unreadable(let damage)): self = .unreadable(damage)
        case .locked(let reason), .delayed(let reason, _): self = .unlock(reason)
        case .ended(let action): self = .ended(action)
        }
    }
}

extension Connections {
    /// What is to be done about the lock before a connection is used, by the administrator's rules of now; `nil` where
    /// nothing is, or where there is no lock.
    ///
    /// - Throws: ``ConnectionFailure/managed(_:)`` where the rules cannot be read and there is no lock to go by.
    package func lockDemand() throws(ConnectionFailure) -> LockDemand? {
        guard let lock else { return nil }
        let state = lock.state
        var isRequired = false
        if state == .unset { isRequired = try rules()?.appLock.isRequired == true }
        return LockDemand(state, isRequired: isRequired, mustReplace: lock.mustReplace, usual: lock.usualCode)
    }
}

extension AppLock {
    /// What a person is asked for who chooses nothing: a PIN, where the rules take one.
    package var usualCode: LockCode { policy.codes.contains(.pin) ? .pin : .passphrase }
}
