/// What goes wrong for people, by the names that they know it by.
public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The device is locked: what has the class `complete` cannot be read; sessions go on.
    case deviceLocked
    /// The device was restarted and not unlocked since: no session can be read.
    case beforeFirstUnlock
    /// The same, and the keychain says “not found” instead of “locked”, as iOS can (prewarming).
    case keychainSaysNotFound
    /// Somebody spent the refresh token: the next refresh is refused, and the session is over, whatever comes then.
    case refreshTokenSpent
    /// The server ended the session.
    case sessionEnded
    /// A refresh reaches the server, its answer does not reach the app, and the old token is worth nothing any more.
    case answerLost
    /// The server shows another certificate, of an authority that nobody knows.
    case certificateChanged
    /// The clock was set back by a year.
    case clockSetBack
    /// The key in the secure element is gone: what it sealed opens nowhere. It does not come back.
    case enclaveKeyLost
    /// The app's files were restored from a backup on another device: its keychain is empty.
    case restoredFromBackup
    /// The app was deleted and installed again: its files are gone, its keychain is not. They do not come back.
    case reinstalled
    /// No server can be reached.
    case offline
}
