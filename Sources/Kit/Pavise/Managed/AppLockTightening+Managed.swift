package import PaviseAppLock
package import PaviseTransport

extension AppLockTightening {
<<<<<<<< HEAD:Sources/Kit/Pavise/Managed/AppLockTightening+Managed.swift
    /// What an administrator says about the lock.
========
    /// What an administrator's file says about the lock.
>>>>>>>> c34379b0de18e82f6338214784aa7902fd87f0ea:Sources/Kit/Pavise/App/AppLockTightening+Managed.swift
    package init(_ rules: ManagedAppLock) {
        self.init()
        digits = rules.minimumDigits
        requiresPassphrase = rules.requiresPassphrase
        characters = rules.minimumCharacters
        attempts = rules.attempts
        idle = rules.idleSeconds.map { .seconds($0) }
        grace = rules.backgroundSeconds.map { .seconds($0) }
        activeTime = rules.activeSeconds.map { .seconds($0) }
        wipes = rules.atLimit == .wipe
        forbidsBiometrics = !rules.allowsBiometrics
    }
}
