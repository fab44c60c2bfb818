public import PaviseValidation

/// Why an app lock did not do what was asked.
public enum AppLockFailure: Error, Hashable, Sendable {
    /// The PIN is wrong. The try was counted.
    case wrongPIN(Left)
    /// Too many wrong PINs: the next try is allowed after this many seconds. This one was neither looked at nor
    /// counted.
    case tryLater(seconds: Int64)
    /// It was the last wrong PIN, or was before: the final action was taken.
    case ended(AppLockPolicy.FinalAction)
    /// What was typed is no PIN, or no PIN that may be chosen. Nothing was counted.
    case pin(PINProblem)
    /// What was typed is no passphrase, or none that may be chosen. Nothing was counted.
    case passphrase(PassphraseProblem)
    /// The rules want this instead. Nothing was counted.
    case otherCode(LockCode)
    /// There is no PIN to unlock, change or remove.
    case notSet
    /// There is a PIN already: it can be changed.
    case alreadySet
    /// The lock is locked, and this needs it open.
    case locked(LockReason)
    /// The record cannot be used.
    case unreadable(LockDamage)
    /// The record could not be written. Nothing was judged.
    case notWritten(String)
    /// The final action was begun and did not end; the next call goes on with it.
    case notFinished(String)
    /// Another try is being judged.
    case busy
    /// There is no biometric way here, and why.
    case noBiometrics(String)
    /// The home, or the lock's own file in it, cannot be used: a wrong owner or mode, a link, a file system that
    /// refuses; in words, with what mends it. Nothing was looked at, counted or changed.
    case unusableFile(String)
    /// The platform refused; in words.
    case unavailable(String)

    /// The same about what has to be typed here.
    func naming(_ code: LockCode) -> AppLockFailure {
        guard case .wrongPIN(let left) = self else { return self }
        return .wrongPIN(Left(attempts: left.attempts, finalAction: left.finalAction, wait: left.wait, code: code))
    }

    /// What is left after a wrong PIN or passphrase.
    public struct Left: Hashable, Sendable {
        /// Tries before the final action; `nil` after the first two wrong PINs, unless one try is left (AL23).
        public let attempts: Int?
        /// The final action.
        public let finalAction: AppLockPolicy.FinalAction
        /// Seconds until the next try.
        public let wait: Int64
        /// What was wrong.
        public let code: LockCode

        package init(
            attempts: Int?, finalAction: AppLockPolicy.FinalAction, wait: Int64, code: LockCode = .pin
        ) {
            self.attempts = attempts
            self.finalAction = finalAction
            self.wait = wait
            self.code = code
        }
    }
}
