internal import PaviseValidation

extension AppLockFailure: CustomStringConvertible {
    /// One or two sentences for a person, with the next step.
    public var description: String {
        switch self {
        case .wrongPIN(let left): left.words
        case .tryLater(let seconds):
            "There were too many wrong tries. Try again in \(Self.words(seconds)); this one was not looked at."
        case .ended(let action): action.done
        case .pin(let problem): problem.description
        case .passphrase(let problem): problem.description
        case .otherCode(let code): "The rules want a \(code.word). Choose one."
        case .notSet: "No PIN and no passphrase is set."
        case .alreadySet: "A PIN or a passphrase is set already. Change it with the old one."
        case .locked(let reason): "\(reason.words) Unlock it first."
        case .unreadable(let damage): damage.words
        case .notWritten(let reason): "The count of tries could not be written, so nothing was looked at. \(reason)"
        case .notFinished(let reason):
            """
            The final action was begun, and not everything could be wiped yet; that goes on with the next start. \
            \(reason)
            """
        case .busy: "Another try is being judged. Try again."
        case .noBiometrics(let reason): reason
        case .unusableFile(let reason):
            "The lock's own file cannot be used, so nothing was looked at or changed. \(reason)"
        case .unavailable(let reason): reason
        }
    }

    /// A time in words, rounded up.
    static func words(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(max(1, seconds)) s"
        case ..<7200: "\((seconds + 59) / 60) minutes"
        default: "\((seconds + 3599) / 3600) hours"
        }
    }
}

extension AppLockFailure.Left {
    var words: String {
        var words = "The \(code.word) is wrong."
        if let attempts {
            words += attempts == 1 ? " One try is left; then " : " \(attempts) tries are left; then "
            words += "\(finalAction.coming)."
        }
        return wait > 0 ? words + " The next try is allowed in \(AppLockFailure.words(wait))." : words
    }
}

extension AppLockPolicy.FinalAction {
    var coming: String {
        switch self {
        case .endSession: "the session ends, and what is stored stays sealed until you have signed in again"
        case .wipe: "what is stored here can never be read again, and you have to sign in"
        }
    }

    var done: String {
        switch self {
        case .endSession: "There were too many wrong tries: the session has ended. Sign in again."
        case .wipe:
            """
            What was stored here was made unreadable for good, after too many wrong tries or by an administrator's \
            order. Sign in, and set a new PIN or passphrase.
            """
        }
    }
}

extension LockReason {
    /// One sentence for a person.
    public var words: String {
        switch self {
        case .started: "It starts locked."
        case .requested: "It was locked."
        case .idle: "Nobody used it for a while."
        case .background: "It was in the background."
        case .activeTime: "It was in use for the longest time allowed without a new proof."
        case .restarted: "The machine was started again."
        case .keyGone: "What the last unlock left is gone."
        case .enrolmentChanged: "Who may unlock with a finger or a face was changed."
        case .unreadable(let damage): damage.words
        }
    }
}

extension LockDamage {
    var words: String {
        switch self {
        case .missing:
            """
            The record of the lock is gone: what it protects stays closed. Start over (“pavise lock remove \
            --damaged”), and sign in again.
            """
        case .storeLocked: "The device is locked, so nobody can say what is right. Unlock the device."
        case .denied: "The system refuses to give the record of the lock. What it protects stays closed."
        case .unavailable(let reason):
            """
            The record of the lock cannot be read now: what it protects stays closed, and no PIN was looked at or \
            counted. \(reason)
            """
        case .orders:
            """
            The record of an administrator's orders is gone, damaged or cannot be read now, so nobody can say whether \
            a wipe was ordered: everything stays closed. Unlock the device; if that does not help, become another \
            installation with the PIN or passphrase (“pavise lock orders --renew”).
            """
        case .corrupt:
            """
            The record of the lock is damaged or of another device. What it protects stays closed. Start over (“pavise \
            lock remove --damaged”), and sign in again.
            """
        case .newer:
            """
            A later version of the program wrote the record of the lock: what it protects stays closed, and no PIN is \
            looked at. Update; nothing was changed.
            """
        case .olderCopy:
            """
            An older copy of the lock's record, or of the mark beside it, was put back, or the mark was taken away. \
            What it protects stays closed, and no PIN is looked at. Put the newest copies back, or start over (“pavise \
            lock remove --damaged”), and sign in again.
            """
        }
    }
}
