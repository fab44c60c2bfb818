/// What an app lock is now.
public enum AppLockState: Hashable, Sendable {
    /// No PIN was ever set: nothing is locked.
    case unset
    /// Locked: a PIN opens it now.
    case locked(LockReason)
    /// Locked, and no PIN is looked at before the time is over.
    case delayed(LockReason, seconds: Int64)
    /// Unlocked by a proof. The figure says after how many seconds it locks by itself if nobody uses it.
    case unlocked(secondsLeft: Int64)
    /// Too many wrong PINs: the final action was taken.
    case ended(AppLockPolicy.FinalAction)

    /// Whether protected things may be shown and used.
    public var isOpen: Bool {
        switch self {
        case .unset, .unlocked: true
        case .locked, .delayed, .ended: false
        }
    }
}

/// Why an app lock is locked.
public enum LockReason: Hashable, Sendable {
    /// The program was started: it always starts locked (AL36).
    case started
    /// Somebody asked for it.
    case requested
    /// Nobody used it for too long (AL34).
    case idle
    /// It was in the background for longer than the grace (AL35).
    case background
    /// It was in use for the longest time that is allowed without a new proof (AL37).
    case activeTime
    /// The machine was started again while it was unlocked (AL29).
    case restarted
    /// The key that an unlock left is gone: dropped by its time, or by another program of this user.
    case keyGone
    /// Who may unlock with a finger or a face was changed: the PIN is needed (AL10).
    case enrolmentChanged
    /// The lock's record cannot be used. A PIN helps only after that is mended (AL7).
    case unreadable(LockDamage)
}

/// Why the record of an app lock cannot be used. Each reason has its own case (app-lock AL7).
public enum LockDamage: Hashable, Sendable {
    /// The record is gone, and data that needs it is there.
    case missing
    /// The device is locked, or was not unlocked since it started.
    case storeLocked
    /// The system refuses to give it.
    case denied
    /// The keychain, the device or the mark does not answer now, and why, in words: no file descriptors, no memory, a
    /// file system that is gone, hardware that is demanded and missing. No PIN and no unlock helps before that is
    /// mended.
    case unavailable(String)
    /// It is not what was stored, or the key that opens it is gone.
    case corrupt
    /// A later version of the program wrote it. Nothing is wrong with it, and no PIN is judged before an update.
    case newer
    /// It, or the mark beside it, is an older copy that was put back; or the mark was taken away.
    case olderCopy
    /// The record of an administrator's orders is damaged or cannot be read: nobody can say whether a wipe was ordered.
    case orders
}
