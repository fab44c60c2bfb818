internal import PaviseAppLock
internal import PavisePrimitives

extension CommandFailure {
    /// Words and status for the app lock.
    init(_ failure: AppLockFailure) {
        let status: ProgramStatus =
            switch failure {
            // No PIN and no unlock helps.
            case .unreadable(.unavailable), .unreadable(.newer): .failed
            case .wrongPIN, .tryLater, .locked, .unreadable, .noBiometrics: .locked
            case .ended: .signInNeeded
            case .pin, .passphrase, .otherCode: .usage
            case .notSet, .alreadySet, .notWritten, .notFinished, .busy, .unusableFile, .unavailable: .failed
            }
        self.init(status, failure.description)
    }
}
