public import PavisePrimitives
internal import PaviseVault

extension AppLock {
    /// Makes another installation where the record of orders is gone or damaged: the way out of
    /// ``LockDamage/orders``, for who knows the PIN or passphrase.
    ///
    /// Whoever takes the record away cancels no order with it: everything is closed until this is called, a wrong PIN
    /// counts as with ``unlock(_:)``, and the new identity has its date of creation in each receipt, so that the
    /// administrator sees the change. Earlier orders are for an installation that is no more: tell the administrator
    /// the new one, ``installation()``. The lock is open afterwards.
    ///
    /// - Throws: As ``unlock(_:)``; ``AppLockFailure/unavailable(_:)`` where the record of orders is whole, and
    ///   ``AppLockFailure/unreadable(_:)`` where only the device is locked or refuses.
    @discardableResult
    public func renewInstallation(_ typed: borrowing SecretBytes) throws(AppLockFailure) -> Unlocked {
        guard let store = parts.orders else { throw .unavailable(OrderFailure.unavailable.description) }
        return try attempt(
            .unlock, typed, next: nil,
            renewal: .init(
                check: { () throws(AppLockFailure) in try self.checkLost(store) },
                renew: { () throws(AppLockFailure) in try self.renew(store) }))
    }

    private func checkLost(_ store: OrderStore) throws(AppLockFailure) {
        do throws(OrderFailure) { _ = try readLedger(store) } catch {
            switch error {
            case .unreadable(.missing), .unreadable(.corrupt): return
            case .unreadable(let damage): throw .unreadable(damage)
            default: throw .unreadable(.orders)
            }
        }
        throw .unavailable(
            "The record of orders is whole: this stays the installation that it is. Nothing was changed.")
    }

    private func renew(_ store: OrderStore) throws(AppLockFailure) {
        do throws(OrderFailure) { _ = try makeLedger(store) } catch { throw .notWritten(error.description) }
    }
}
