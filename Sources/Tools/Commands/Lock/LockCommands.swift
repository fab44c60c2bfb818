internal import PaviseAppLock
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise lock status|unlock|now`. A PIN never comes from an argument: other users can see those.
enum LockCommands {
    static let fromInput = Flag("pin-stdin", help: "Read the PIN or passphrase from standard input.")

    static let status = Action(
        Command(
            "status", abstract: "Say whether the program is locked, and by which rules.",
            discussion: "Looking is no use: it does not begin the idle time again.",
            parameters: [Shared.json],
            examples: [.init("pavise lock status --json", "Give the state and the figures to a program.")])
    ) { invocation, environment in
        try environment.show(LockReport(environment.requireLock()).report, for: invocation)
    }

    static let unlock = Action(
        Command(
            "unlock", abstract: "Open the lock with the PIN or passphrase.",
            discussion: """
                It is asked for by PAVISE_ASKPASS, by a pinentry (PAVISE_PINENTRY, or the desktop's), or at the \
                terminal. A try is counted before it is looked at. After three wrong ones there are delays, which a \
                restart or another clock does not shorten; the tenth wipes every connection (status 4).

                The unlock holds for the commands of this user until “pavise lock now”, until nobody used it for the \
                idle time, or until the machine restarts. Status 5: what was typed was wrong, or has to wait.
                """,
            parameters: [fromInput, Shared.json],
            examples: [
                .init("pavise lock unlock", "Ask for it."),
                .init("pavise lock unlock --pin-stdin <pin.txt", "Take it from a file."),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        var unlocked: AppLock.Unlocked?
        try environment.withPIN(invocation, "The \((lock.code ?? .pin).word) opens Pavise.") {
            unlocked = try lock.unlock($0.bytes)
        }
        guard let unlocked else { return }
        try await environment.finishSealing()
        var report = Report(
            data: .fields([
                "unlocked": true, "shared": .bool(unlocked.isShared), "wrongBefore": .integer(unlocked.wrongBefore),
                "mustReplace": .bool(unlocked.mustReplace),
            ]))
        report.add(.success("Unlocked."))
        if unlocked.wrongBefore > 0 {
            report.add(.line("Before this, there were \(unlocked.wrongBefore) wrong tries in a row."))
        }
        if unlocked.mustReplace {
            report.add(.line("The rules of today would not take it. Choose another one: “pavise lock change”."))
        }
        if !unlocked.isShared { report.add(.line(notShared)) }
        try environment.show(report, for: invocation)
    }

    static let lockNow = Action(
        Command(
            "now", abstract: "Lock at once, for all commands of this user.", parameters: [Shared.json],
            examples: [.init("pavise lock now", "Lock before leaving the desk.")])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        guard lock.state != .unset else { throw AppLockFailure.notSet }
        lock.lock()
        try environment.show(
            Report(data: .fields(["locked": true])).adding(.success("Locked.")), for: invocation)
    }

    static let notShared = "The kernel keeps no keys here: this holds for one process alone, which ends now."
}
