internal import PaviseAppLock
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise lock set|change|remove`: the PIN itself.
enum PINCommands {
    static let set = Action(
        Command(
            "set", abstract: "Set a PIN: connections are used only while the lock is open.",
            discussion: """
                A PIN has 4 to 6 digits, and is none of those that are tried first. It is stored nowhere: it opens a key \
                together with the secure element, and the connections' secrets are sealed with that key. A lost PIN cannot \
                be restored; disconnect, and sign in again.
                """,
            parameters: [LockCommands.fromInput, Shared.json],
            examples: [.init("pavise lock set", "Choose a PIN; it is typed twice.")])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        guard case .unset = lock.state else { throw AppLockFailure.alreadySet }
        let isInput = invocation[LockCommands.fromInput]
        let pin = try isInput ? fromInput(["New PIN: "], environment)[0] : environment.newPIN()
        let isShared = try lock.setPIN(pin.bytes)
        try await SealedAgain(environment: environment).run()
        var report = Report(data: .fields(["set": true, "shared": .bool(isShared)]))
        report.add(.success("The PIN is set. The lock is open until “pavise lock now”."))
        if !isShared { report.add(.line(LockCommands.notShared)) }
        try environment.show(report, for: invocation)
    }

    static let change = Action(
        Command(
            "change", abstract: "Change the PIN.",
            discussion: """
                The old PIN is asked for first, and a wrong one counts as with “pavise lock unlock”. With --pin-stdin, standard \
                input gives the old PIN on its first line and the new one on the second.
                """,
            parameters: [LockCommands.fromInput, Shared.json],
            examples: [.init("pavise lock change", "Ask for the old PIN, then twice for the new one.")])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        if case .unset = lock.state { throw AppLockFailure.notSet }
        if invocation[LockCommands.fromInput] {
            let lines = try fromInput(["Old PIN: ", "New PIN: "], environment)
            try lock.changePIN(lines[0].bytes, to: lines[1].bytes)
        } else {
            var old: BoxedSecret?
            try environment.withPIN(invocation, "The old PIN changes itself.") {
                try lock.unlock($0.bytes)
                old = $0
            }
            guard let old else { return }
            try lock.changePIN(old.bytes, to: environment.newPIN().bytes)
        }
        let report = Report(data: .fields(["changed": true])).adding(.success("The PIN is changed."))
        try environment.show(report, for: invocation)
    }

    static let remove = Action(
        Command(
            "remove", abstract: "Remove the PIN: go on without a lock.",
            discussion: "The connections stay; their secrets are sealed by the device alone from then on.",
            parameters: [LockCommands.fromInput, Shared.json],
            examples: [.init("pavise lock remove", "Ask for the PIN, and remove it.")])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        if case .unset = lock.state { throw AppLockFailure.notSet }
        guard try environment.managed.read()?.appLock.isRequired != true else {
            throw CommandFailure(
                .refused, "The administrator asks for a PIN. Change it with “pavise lock change”.",
                rule: "managed-lock")
        }
        var known: BoxedSecret?
        try environment.withPIN(invocation, "The PIN removes itself.") {
            try lock.unlock($0.bytes)
            known = $0
        }
        guard let known else { return }
        // What was sealed with the lock's key comes out of its box first: afterwards nobody could.
        lock.sealPlainly(true)
        try await SealedAgain(environment: environment).run()
        try lock.removePIN(known.bytes)
        let report = Report(data: .fields(["removed": true])).adding(.success("The PIN is removed."))
        try environment.show(report, for: invocation)
    }

    private static func fromInput(_ prompts: [String], _ environment: Environment) throws -> [BoxedSecret] {
        let lines = try environment.person.secrets(prompts)
        guard lines.count == prompts.count else {
            let words = prompts.count == 1 ? "the PIN on its first line" : "the old PIN and the new one, a line each"
            throw CommandFailure(.usage, "Standard input has to give \(words).")
        }
        return lines
    }
}
