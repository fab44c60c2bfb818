internal import PaviseAppLock
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseSession
internal import PaviseStorage
internal import PaviseVault

extension PaviseError {
    init(_ error: VaultFailure) {
        switch error {
        case .locked: self.init(.deviceLocked, .unlock, error)
        case .denied: self.init(.denied, .askForHelp, error)
        case .keyLost: self.init(.signInNeeded, .signIn, isSecurityEvent: true, error)
        case .corrupt: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .newer: self.init(.newerVersion, .askForHelp, error)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .duplicate, .system: self.init(.storage, .retry(after: 1), error)
        }
    }

    init(_ error: SystemFailure) {
        if error.isDiskFull {
            self.init(.diskFull, .correct, error)
        } else if error.isNotPermitted || error.refusal != nil {
            self.init(.denied, .askForHelp, error)
        } else {
            self.init(.storage, .retry(after: 0), error)
        }
    }

    init(_ error: StorageFailure) {
        switch error {
        case .locked: self.init(.deviceLocked, .unlock, error)
        case .absent: self.init(.notThere, .correct, error)
        case .denied: self.init(.denied, .askForHelp, error)
        case .damaged, .foreign: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .newer: self.init(.newerVersion, .askForHelp, error)
        case .unusable: self.init(.invalidInput, .correct, error)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .system(let failure): self.init(failure)
        case .unavailable, .crypto: self.init(.storage, .retry(after: 1), error)
        }
    }

    init(_ error: ProtectedDatabaseError) {
        switch error {
        case .locked: self.init(.deviceLocked, .unlock, error)
        case .absent: self.init(.notThere, .correct, error)
        case .denied: self.init(.denied, .askForHelp, error)
        case .damaged, .foreign: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .newer: self.init(.newerVersion, .askForHelp, error)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .full: self.init(.diskFull, .correct, error)
        case .readOnly: self.init(.denied, .askForHelp, error)
        case .constraint, .statement, .unconditional, .severalStatements, .column, .alreadyThere:
            self.init(.invalidInput, .correct, error)
        case .migration: self.init(.damaged, .askForHelp, error)
        case .backup: self.init(.wrongPassword, .correct, error)
        case .backupNeedsArgon2id, .backupOfOtherPages: self.init(.newerVersion, .askForHelp, error)
        case .memoryNotWiped: self.init(.storage, .askForHelp, error)
        case .storage(let failure): self.init(failure)
        }
    }

    init(_ error: ConnectionFailure) {
        switch error {
        case .connections(let failure): self.init(failure)
        case .transport(let failure): self.init(failure as any Error)
        case .managed: self.init(.managedUnusable, .askForHelp, error)
        case .method(.managed), .method(.notAllowedHere): self.init(.managed, .askForHelp, error)
        case .method(.unknown): self.init(.invalidInput, .askForHelp, error)
        case .servers(.system(let failure)): self.init(failure)
        case .servers(.keychain(let failure)): self.init(failure)
        case .servers(.busy): self.init(.busy, .retry(after: 1), error)
        case .servers(.damaged(.newer)): self.init(.newerVersion, .askForHelp, error)
        case .servers(.damaged), .servers(.file): self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .identity(let problem): self.init(problem)
        case .keychain(let failure): self.init(failure)
        }
    }

    init(_ error: ConnectionsFailure) {
        switch error {
        case .unknownName: self.init(.unknownName, .correct, error)
        case .nameTaken: self.init(.nameTaken, .correct, error)
        case .unusableName, .unusableDescription: self.init(.invalidInput, .correct, error)
        case .damaged(_, .system(let failure)): self.init(failure)
        case .damaged(_, .newer): self.init(.newerVersion, .askForHelp, error)
        case .damaged: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .otherProgram: self.init(.denied, .askForHelp, error)
        case .keychain(let failure): self.init(failure)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .system(let failure): self.init(failure)
        case .entropy: self.init(.storage, .retry(after: 0), error)
        }
    }

    init(_ error: BasicAccess.Problem) {
        switch error {
        case .colonInName, .unusableName, .unusablePassword: self.init(.invalidInput, .correct, error)
        case .withoutTLS: self.init(.unsafeConnection, .correct, error)
        case .wrongMethod: self.init(.invalidInput, .signIn, error)
        case .otherUser: self.init(.otherUser, .correct, error)
        case .refused: self.init(.wrongPassword, .correct, error)
        case .notTried: self.init(.server, .retry(after: 0), error)
        case .transport(let failure): self.init(failure as any Error)
        case .store(let failure): self.init(failure)
        }
    }

    init(_ error: AppLockFailure) {
        switch error {
        case .wrongPIN(let left):
            self.init(
                .wrongPIN, left.wait > 0 ? .retry(after: left.wait) : .correct, isSecurityEvent: left.attempts != nil,
                error)
        case .tryLater(let seconds): self.init(.tryLater, .retry(after: seconds), error)
        case .ended: self.init(.wiped, .signIn, isSecurityEvent: true, error)
        case .pin, .passphrase, .otherCode: self.init(.weakPIN, .correct, error)
        case .notSet: self.init(.noPIN, .correct, error)
        case .alreadySet: self.init(.pinAlreadySet, .correct, error)
        case .locked: self.init(.appLocked, .unlock, error)
        case .unreadable(.storeLocked): self.init(.deviceLocked, .unlock, error)
        // What cannot be read now is neither locked nor damaged.
        case .unreadable(.unavailable): self.init(.storage, .retry(after: 0), error)
        case .unreadable(.denied): self.init(.denied, .askForHelp, error)
        case .unreadable(.newer): self.init(.newerVersion, .askForHelp, error)
        case .unreadable: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .notWritten, .notFinished: self.init(.storage, .retry(after: 0), error)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .noBiometrics: self.init(.invalidInput, .correct, error)
        case .unusableFile: self.init(.denied, .askForHelp, error)
        case .unavailable: self.init(.storage, .askForHelp, error)
        }
    }
}
