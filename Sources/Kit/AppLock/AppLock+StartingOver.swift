internal import PaviseLog
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

extension LockDamage {
    /// Whether waiting or unlocking the device does not help.
    var isForGood: Bool {
        switch self {
        case .missing, .corrupt, .olderCopy: true
        case .storeLocked, .denied, .unavailable, .newer, .orders: false
        }
    }
}

extension AppLock {
    /// Gives up a lock whose record is damaged, gone, or an older copy: the way out where no PIN is judged any more.
    ///
    /// It opens nothing. The final action `wipe` is taken, whatever the product chose for wrong PINs, then what is left
    /// of the lock goes. Afterwards there is none, and one can be set. Where it fails it is safe to repeat.
    ///
    /// ```swift
    /// guard case .locked(.unreadable) = lock.state else { return }
    /// try lock.startOver()    // after the person agreed to lose what is stored here
    /// ```
    ///
    /// - Throws: ``AppLockFailure/alreadySet`` for a lock that its PIN opens, ``AppLockFailure/notSet`` where there is
    ///   none; ``AppLockFailure/unreadable(_:)`` where only the device is locked or refuses;
    ///   ``AppLockFailure/notFinished(_:)``.
    public func startOver() throws(AppLockFailure) {
        openOnce()
        try alone { () throws(AppLockFailure) in
            let (record, reading) = lookAtRecord()
            switch reading {
            case .absent: throw .notSet
            case .unreadable(let damage):
                guard damage.isForGood else { throw .unreadable(damage) }
            case .present, .ending, .ended: throw .alreadySet
            }
            try wipeInTrail { () throws(AppLockFailure) in
                perform([.dropKey])
                do { try finalHandler(.wipe) } catch { throw .notFinished("\(error)") }
                AppLockStep.handled.reached()
                try removeRest(record)
            }
            _ = handle(.opened(look().1, now))
        }
    }

    /// Ends the lock because its owner wants everything gone: no PIN is asked for. The final action `wipe` is taken,
    /// with its mark and its order, so that a kill in between is gone on with at the next start. Where there is no
    /// lock, nothing happens.
    ///
    /// - Throws: ``AppLockFailure/unreadable(_:)`` where only the device is locked or refuses;
    ///   ``AppLockFailure/notFinished(_:)``.
    package func wipe() throws(AppLockFailure) {
        openOnce()
        try alone { () throws(AppLockFailure) in
            let (record, reading) = lookAtRecord()
            switch reading {
            case .absent:
                // Ended by wrong PINs in this process: from here on there is no lock, and one can be set.
                _ = handle(.opened(reading, now))
                return
            // Whoever wants everything gone need not update before.
            case .unreadable(let damage):
                guard damage.isForGood || damage == .newer else { throw .unreadable(damage) }
            case .present, .ending, .ended: break
            }
            perform([.dropKey])
            if let record {
                try finish(.wipe, record)
            } else {
                try wipeInTrail { () throws(AppLockFailure) in try removeRest(nil) }
            }
            _ = handle(.opened(look().1, now))
        }
    }

    /// A wipe that has no record to note it: its beginning and its end are in the trail, and the keepers of the lock's
    /// key forget it, as with ``finish(_:_:)``.
    func wipeInTrail(_ body: () throws(AppLockFailure) -> Void) throws(AppLockFailure) {
        let facts = ["action": "\(AppLockPolicy.FinalAction.wipe)"]
        parts.trail?.record(AuditEvent(.wipeBegun, facts))
        forgetBiometrics()
        try body()
        parts.trail?.record(AuditEvent(.wipeDone, facts))
    }

    /// Removes what is left of a lock whose record cannot be read.
    func removeRest(_ record: LockRecord?) throws(AppLockFailure) {
        try markRemoved(record)
        do throws(VaultFailure) {
            try parts.vault.erase(parts.name)
            try parts.vault.destroyKey()
        } catch {
            throw .notFinished(error.description)
        }
        memory.withLock { $0.record = nil }
    }
}
