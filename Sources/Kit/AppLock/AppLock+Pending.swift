internal import PavisePrimitives
internal import PaviseVault

/// What the element made for a new PIN, until a durable record names it. By this note whoever comes next finds what a
/// kill in between left in the element: a TPM has room for few guards. It holds no secret, as the record's code holds
/// none. A kill between the making of the guard and the note, one use of the element, leaves the guard.
extension AppLock {
    private var pendingName: ItemName {
        ItemName(checkedService: "\(parts.name.service).pending", parts.name.account)
    }

    /// Notes a code that no record names yet. One that cannot be noted stays behind after a kill, without use.
    func notePending(_ code: [UInt8]) {
        try? code.withSpan { bytes throws(VaultFailure) in try parts.vault.storeUnsealed(bytes, as: pendingName) }
    }

    /// Forgets the note: the code has its record. Also where that could not be written: nobody knows whether such a
    /// write comes to light after a loss of power, and without its guard the PIN would open nothing.
    func forgetPending() { try? parts.vault.erase(pendingName) }

    /// Destroys the guard of a PIN that never became one. Safe to repeat; call it ``alone(_:)``.
    ///
    /// - Parameter record: The record that there is. What it names stays.
    func clearPending(_ record: LockRecord?) {
        guard let code = pending, code == record?.code || code == record?.retiring || isDestroyed(code) else { return }
        forgetPending()
    }

    /// Goes on where a kill ended the setting of a first PIN: there is no record, and no unlock to come.
    func goOnWithPending() {
        guard pending != nil else { return }
        // Whoever has the record now sets one, and the guard is that one's.
        _ = try? alone(waiting: .zero) { () throws(AppLockFailure) in
            let (record, reading) = lookAtRecord()
            guard record == nil, case .absent = reading else { return }
            clearPending(nil)
        }
    }

    private var pending: [UInt8]? {
        guard case .found(let secret)? = try? parts.vault.readUnsealed(pendingName) else { return nil }
        return secret.withBytes { bytes in Array(bytes) }
    }

    private func isDestroyed(_ code: [UInt8]) -> Bool { (try? parts.code.destroy(code)) != nil }
}
