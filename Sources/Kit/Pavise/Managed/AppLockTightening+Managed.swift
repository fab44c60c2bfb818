package import PaviseAppLock
package import PaviseManaged
internal import PaviseTransport

extension AppLockTightening {
    /// What an administrator says about the lock.
    package init(_ rules: ManagedAppLock) {
        self.init()
        digits = rules.minimumDigits
        requiresPassphrase = rules.requiresPassphrase
        characters = rules.minimumCharacters
        attempts = rules.attempts
        freeAttempts = rules.freeAttempts
        delays = rules.delaySeconds.map { [.seconds($0)] }
        idle = rules.idleSeconds.map { .seconds($0) }
        grace = rules.backgroundSeconds.map { .seconds($0) }
        activeTime = rules.activeSeconds.map { .seconds($0) }
        wipes = rules.atLimit == .wipe
        forbidsBiometrics = !rules.allowsBiometrics
    }
}
